// The reader: all pages in one view, loaded as they come near; an index with a jump and a search; a page enlarged. Without it,
// links lead to every page.
(() => {
  'use strict';
  const MAX_PAGES = 3000; // Of more, links lead to the rest.
  const AT_ONCE = 4; // Images that are asked for; the service refuses a reader who asks for too many.
  const ZOOMS = [1, 1.5, 2, 2.5, 3, 4, 6];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const by = id => document.getElementById(id);
  const tools = document.querySelector('.tools');
  if (!tools) return;
  const nodes = html => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes];
  const part = async address => {
    const answer = await fetch(address, { headers: { accept: 'text/html, text/plain', 'x-part': '1' } });
    if (!answer.ok) throw new Error(answer.status);
    return answer.text();
  };

  // Images load when they come near, a few at a time. One that goes by is left out.
  const waiting = new Map();
  let [loading, held] = [0, false];
  const next = () => {
    while (!held && loading < AT_ONCE && waiting.size) {
      const [image, show] = waiting.entries().next().value;
      waiting.delete(image);
      loading++;
      const done = () => { loading--; next(); };
      image.addEventListener('load', done, { once: true });
      image.addEventListener('error', done, { once: true });
      show();
    }
  };
  const lazily = (rootMargin, root) => {
    const shows = new Map();
    const observer = new IntersectionObserver(entries => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) {
          waiting.delete(target);
        } else if (shows.has(target)) {
          waiting.set(target, () => {
            observer.unobserve(target);
            shows.get(target)();
            shows.delete(target);
          });
        }
      }
      next();
    }, { root, rootMargin });
    return (image, show) => { shows.set(image, show); observer.observe(image); };
  };
  // The last page of a document is asked for only where it is seen: that is when its reader has reached the end.
  const [near, seen] = [lazily('75% 0px'), lazily('0px')];
  const lists = all('ol.pages[data-count]');
  // Documents of several folios may share a name: in a bulk signature the folio's comes first.
  const nameOf = part => {
    const folio = part.closest('.folios > li')?.querySelector('.name');
    const title = part.closest('.document')?.querySelector('h2, strong') ?? document.querySelector('h1');
    return (folio ? folio.textContent + ' · ' : '') + title.textContent;
  };
  const sources = image => {
    const at = image.closest('a').href.split('?')[0];
    image.decoding = 'async';
    image.sizes = '(min-width: 48rem) 45rem, 66vw';
    image.srcset = [720, 1080, 1440].map(width => `${at}?w=${width} ${width}w`).join();
    image.src = at + '?w=720';
  };
  const lazy = (image, isLast) => {
    // Until it has a source, its attributes do not shape it.
    image.style.aspectRatio = image.getAttribute('width') + ' / ' + image.getAttribute('height');
    (isLast ? seen : near)(image, () => sources(image));
  };
  const mould = by('page').innerHTML;
  let left = MAX_PAGES;
  for (const list of lists) {
    const { of, at } = list.dataset;
    const count = +list.dataset.count;
    for (const hidden of all('noscript', list)) hidden.replaceWith(...nodes(hidden.textContent));
    const last = list.lastElementChild;
    const model = last?.querySelector('img');
    const [w, h] = model ? [model.getAttribute('width'), model.getAttribute('height')] : [612, 792];
    const from = last ? +last.id.split('-')[1] : 0;
    if (count && count - from <= left) {
      left -= count - from;
      const fields = { id: of, at, of: count, w, h };
      const made = Array.from({ length: count - from }, (_, i) => mould.replace(/\{(\w+)\}/g,
        (_, name) => name === 'n' ? from + i + 1 : fields[name]));
      list.append(...nodes(made.join('')));
      const more = list.nextElementSibling;
      if (more?.matches('.more')) more.remove();
      list.closest('.document')?.querySelector('[data-view]')?.remove();
    }
    for (const image of all('img', list)) {
      if (image.complete && image.src || image.fetchPriority === 'high') continue;
      image.removeAttribute('srcset');
      image.removeAttribute('src');
      image.loading = 'eager';
      lazy(image, image.closest('li').id === `p${of}-${count}`);
    }
  }
  // On a slow line the first page comes first.
  const first = document.querySelector('.page img[fetchpriority=high]');
  if (first && !first.complete) {
    held = true;
    const release = () => { held = false; next(); };
    first.addEventListener('load', release);
    first.addEventListener('error', release);
    setTimeout(release, 8000);
  }

  // Pages that do not come say so. A scan comes small and coarse; once it is in view, a sharp image replaces it.
  const broken = image => {
    const page = image.closest('.page');
    const box = make('div', { className: 'page broken' });
    const again = make('button', { className: 'quiet', type: 'button', textContent: tools.dataset.retry });
    box.append(make('p', { textContent: tools.dataset.broken }), again);
    again.addEventListener('click', () => {
      box.replaceWith(page);
      image.srcset += '';
    });
    page.replaceWith(box);
  };
  const sharpen = async image => {
    const address = image.currentSrc;
    const { headers } = await fetch(address, { method: 'HEAD', headers: { accept: 'image/*' } });
    if (headers.get('content-type') !== 'image/jpeg') return;
    const sharp = make('img', { src: address.replace('?w=720', '?w=1080') });
    await sharp.decode();
    image.removeAttribute('srcset');
    image.src = sharp.src;
  };
  const inView = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      inView.unobserve(target);
      sharpen(target).catch(() => {});
    }
  });
  const loaded = image => {
    // A page moves for its image only where the size was not known: what moves by itself looks as if it were used.
    const known = image.getAttribute('width') / image.getAttribute('height');
    if (Math.abs(image.naturalWidth / image.naturalHeight / known - 1) > .02) image.style.aspectRatio = '';
    if (image.currentSrc.endsWith('?w=720') && !navigator.connection?.saveData) inView.observe(image);
  };
  const isPage = image => image instanceof HTMLImageElement && image.closest('.page');
  for (const image of all('.page img')) if (image.complete && image.src) (image.naturalWidth ? loaded : broken)(image);
  // The window gets no such event of an image.
  document.addEventListener('load', event => { if (isPage(event.target)) loaded(event.target); }, true);
  addEventListener('error', event => { if (isPage(event.target)) broken(event.target); }, true);

  // A page enlarged: it closes by its button or by Escape alone; two fingers, a wheel with Ctrl, and the keys + and - zoom.
  const large = by('large');
  const [sheet, picture, level] = ['.sheet', 'img', 'output'].map(selector => large.querySelector(selector));
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' });
  let [zoom, pinch] = [1, null];
  const middle = () => {
    const { left, top, width, height } = sheet.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  // What was shown at the one place is shown at the other.
  const zoomTo = (value, from = middle(), to = from) => {
    const before = picture.getBoundingClientRect();
    const [x, y] = [(from[0] - before.left) / before.width, (from[1] - before.top) / before.height];
    zoom = Math.min(Math.max(value, ZOOMS[0]), ZOOMS.at(-1));
    picture.style.width = zoom * 100 + '%';
    level.textContent = percent.format(zoom);
    const after = picture.getBoundingClientRect();
    sheet.scrollBy(after.left + x * after.width - to[0], after.top + y * after.height - to[1]);
  };
  const zoomBy = step => {
    const next = step > 0 ? ZOOMS.find(value => value > zoom) : ZOOMS.findLast(value => value < zoom);
    if (next) zoomTo(next);
  };
  // Two fingers, and what a trackpad makes of them, zoom the page alone: if the browser did it, the buttons would be out of view and
  // the documents still be large when the page is closed.
  const fingers = ({ targetTouches: [one, two] }) => ({
    apart: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY),
    at: [(one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2],
  });
  const follow = event => {
    const isPinch = event.targetTouches.length === 2;
    if (isPinch && event.cancelable) event.preventDefault();
    const now = isPinch ? fingers(event) : null;
    if (pinch && now) zoomTo(zoom * now.apart / pinch.apart, pinch.at, now.at);
    pinch = now;
  };
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel']) {
    sheet.addEventListener(kind, follow, { passive: false });
  }
  sheet.addEventListener('wheel', event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(zoom * Math.exp(-event.deltaY / 100), [event.clientX, event.clientY]);
  }, { passive: false });
  let enlarged;
  const enlarge = link => {
    const small = link.querySelector('img');
    enlarged = link;
    picture.src = small.currentSrc || small.src;
    picture.alt = nameOf(link) + ': ' + small.alt;
    large.setAttribute('aria-label', picture.alt);
    const sharp = make('img', { src: link.href });
    // Until it has come, another page may have been enlarged.
    sharp.decode().then(() => { if (enlarged === link) picture.src = sharp.src; }, () => {});
    large.showModal();
    sheet.focus();
    sheet.scrollTo(0, 0);
    zoomTo(innerWidth < 700 ? 2.5 : 1);
    sheet.scrollTo(0, 0);
  };
  for (const button of all('button', large)) {
    button.addEventListener('click', () => button.dataset.by ? zoomBy(+button.dataset.by) : large.close());
  }
  large.addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
    if (ctrlKey || metaKey) return;
    if (key === '+' || key === '=') zoomBy(1);
    if (key === '-') zoomBy(-1);
    if (key === '0') zoomTo(1);
  });

  // Where the reader is, and the jump to another page of the same document.
  const jump = tools.querySelector('form');
  const [field, total] = [by('at'), jump.querySelector('span')];
  let current = document.querySelector('.pages li');
  const show = () => {
    if (document.activeElement !== field) field.value = current.id.split('-')[1];
    total.textContent = '/ ' + current.parentElement.dataset.count;
  };
  const line = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) current = target;
    show();
  }, { rootMargin: '-40% 0px -59% 0px' });
  if (current) {
    for (const page of all('.pages > li')) line.observe(page);
    jump.hidden = false;
    show();
  }
  const goTo = id => {
    const page = by(id);
    if (!page) return false;
    for (let box = page.closest('details'); box; box = box.parentElement.closest('details')) box.open = true;
    page.scrollIntoView({ behavior: 'instant' });
    page.querySelector('a, button').focus({ preventScroll: true });
    return true;
  };
  jump.addEventListener('submit', event => {
    event.preventDefault();
    event.stopPropagation();
    const { of, count } = current.parentElement.dataset;
    const number = Math.min(Math.max(parseInt(field.value, 10) || 1, 1), +count);
    field.blur();
    goTo(`p${of}-${number}`);
    show();
  });

  // What the signer agrees to names the pages that were shown: it is brought up to date where it comes into view.
  const box = by('consent');
  const said = box ? document.querySelectorAll('#consent-terms [data-said]') : [];
  const refresh = () => part(tools.dataset.shown).then(text => {
    text.split('\n').forEach((line, at) => { if (said[at]) said[at].textContent = line; });
  }, () => {});
  if (said.length) {
    new IntersectionObserver(entries => { if (entries.at(-1).isIntersecting) refresh(); }).observe(said[0]);
    box.addEventListener('change', refresh);
  }

  // The index: documents and their pages, small; and the search.
  const index = by('index');
  const [list, found, form] = ['.list', '.found', 'form'].map(selector => index.querySelector(selector));
  const thumbnail = lazily('50% 0px', index);
  const fill = () => {
    for (const pages of lists) {
      if (!pages.firstElementChild) continue;
      const { at } = pages.dataset;
      const grid = make('ol', { className: 'thumbnails' });
      for (const page of pages.children) {
        const number = page.id.split('-')[1];
        const link = make('a', { href: '#' + page.id });
        link.dataset.page = page.id;
        const image = make('img', { alt: '' });
        link.append(image, make('span', { textContent: number }));
        link.ariaLabel = page.querySelector('.under span').textContent;
        grid.append(make('li'));
        grid.lastChild.append(link);
        thumbnail(image, () => { image.src = `${at}/pages/${number}.png?w=180`; });
      }
      list.append(make('h3', { textContent: nameOf(pages) }), grid);
    }
  };
  const open = target => {
    if (!list.firstChild) fill();
    index.showModal();
    by(target).focus();
  };
  by('shut').addEventListener('click', () => index.close());
  const find = async address => {
    index.setAttribute('aria-busy', 'true');
    try {
      const html = await part(address);
      found.querySelector('.more')?.remove();
      if (!address.includes('&from=')) found.replaceChildren();
      found.append(...nodes(html));
      list.hidden = true;
    } catch {
      location.href = address;
    }
    index.removeAttribute('aria-busy');
  };
  form.addEventListener('submit', event => {
    event.preventDefault();
    event.stopPropagation();
    const words = new URLSearchParams(new FormData(form));
    if (words.get('q').trim()) return find(form.action + '?' + words);
    found.replaceChildren();
    list.hidden = false;
  });
  addEventListener('click', event => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { dataset } = link;
    if ('zoom' in dataset) {
      event.preventDefault();
      enlarge(link);
    } else if ('open' in dataset) {
      event.preventDefault();
      open(dataset.open.slice(1));
    } else if ('page' in dataset && by(dataset.page)) {
      event.preventDefault();
      index.close();
      goTo(dataset.page);
    } else if ('next' in dataset) {
      event.preventDefault();
      find(link.href);
    } else if ('text' in dataset && !dataset.busy) {
      event.preventDefault();
      dataset.busy = '1';
      part(link.href).then(text => {
        const shown = make('div', { className: 'text', textContent: text, tabIndex: -1 });
        link.closest('li').append(shown);
        link.remove();
        shown.focus();
      }, () => { location.href = link.href; });
    }
  });
})();
