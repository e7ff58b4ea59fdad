// What makes the signer's pages comfortable. Every step also works without it.
(() => {
  'use strict';
  const all = (selector, root = document) => root.querySelectorAll(selector);
  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  // A press on a button shows at once, and counts once.
  const live = make('p', { className: 'unseen' });
  live.setAttribute('role', 'status');
  document.body.append(live);
  addEventListener('submit', event => {
    const form = event.target;
    if (form.dataset.sent) return event.preventDefault();
    const button = event.submitter;
    form.dataset.sent = '1';
    if (!button || !button.dataset.busy) return;
    button.dataset.idle = button.textContent;
    button.textContent = live.textContent = button.dataset.busy;
    button.classList.add('busy');
    button.setAttribute('aria-disabled', 'true');
  });
  // Back to a page that was kept as it was: its buttons are to be pressed again.
  addEventListener('pageshow', event => {
    if (!event.persisted) return;
    live.textContent = '';
    for (const form of all('form')) delete form.dataset.sent;
    for (const button of all('.busy')) {
      button.textContent = button.dataset.idle;
      button.classList.remove('busy');
      button.removeAttribute('aria-disabled');
    }
  });

  // Time that runs out.
  const clock = seconds => Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
  for (const place of all('[data-countdown]')) {
    const end = performance.now() + place.dataset.countdown * 1000;
    const tick = () => {
      const left = Math.ceil((end - performance.now()) / 1000);
      place.textContent = left > 0 ? place.dataset.before + ' ' + clock(left) : place.dataset.after;
      if (left <= 0) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    tick();
  }
  for (const button of all('[data-wait]')) {
    const hold = event => event.preventDefault();
    button.setAttribute('aria-disabled', 'true');
    button.addEventListener('click', hold);
    setTimeout(() => {
      button.removeAttribute('aria-disabled');
      button.removeEventListener('click', hold);
    }, button.dataset.wait * 1000);
  }

  // The bar leads to the consent first, and then onwards.
  for (const button of all('[data-first]')) {
    const box = document.getElementById(button.dataset.first);
    const steps = all('.path li');
    const onwards = button.textContent;
    const show = () => {
      button.textContent = box.checked ? onwards : button.dataset.next;
      if (steps.length < 2) return;
      steps[0].className = box.checked ? 'past' : '';
      steps[box.checked ? 0 : 1].removeAttribute('aria-current');
      steps[box.checked ? 1 : 0].setAttribute('aria-current', 'step');
    };
    box.addEventListener('change', show);
    addEventListener('pageshow', show);
    button.addEventListener('click', event => {
      if (box.checked) return;
      event.preventDefault();
      box.scrollIntoView({ block: 'center' });
      box.focus({ preventScroll: true });
    });
    show();
  }

  // How much of a reason is written.
  for (const area of all('[data-count]')) {
    const count = area.parentElement.querySelector('.count');
    const show = () => { count.textContent = [...area.value].length + ' / ' + area.dataset.count; };
    area.addEventListener('input', show);
    count.hidden = false;
    show();
  }

  // Pages: large on a tap, as text, more of them, and honest about those that do not come.
  const words = document.documentElement.lang === 'en'
    ? { close: 'Close', broken: 'This page could not be loaded.', retry: 'Try again', wait: 'One moment…' }
    : { close: 'Cerrar', broken: 'Esta página no se pudo cargar.', retry: 'Reintentar', wait: 'Un momento…' };
  let large;
  const zoom = link => {
    if (!large) {
      large = make('dialog');
      large.append(make('img'), make('button', { textContent: words.close, type: 'button' }));
      large.addEventListener('click', () => large.close());
      document.body.append(large);
    }
    const [image, small] = [large.firstChild, link.querySelector('img')];
    image.src = small.currentSrc || small.src;
    image.alt = small.alt;
    large.setAttribute('aria-label', small.alt);
    const sharp = make('img', { src: link.href });
    sharp.decode().then(() => { image.src = sharp.src; }, () => {});
    large.showModal();
    large.lastChild.focus();
  };
  const fetched = async link => {
    const answer = await fetch(link.href, { headers: { accept: 'text/html, text/plain', 'x-part': '1' } });
    if (!answer.ok) throw new Error(answer.status);
    return answer.text();
  };
  const instead = async (link, put) => {
    if (link.dataset.busy) return;
    link.dataset.busy = '1';
    live.textContent = words.wait;
    try {
      put(await fetched(link));
    } catch {
      location.href = link.href;
    }
    live.textContent = '';
  };
  const parts = html => new DOMParser().parseFromString(html, 'text/html').body.childNodes;
  addEventListener('click', event => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if ('zoom' in link.dataset) {
      event.preventDefault();
      zoom(link);
    } else if ('text' in link.dataset) {
      event.preventDefault();
      instead(link, text => {
        const shown = make('div', { className: 'text', textContent: text, tabIndex: -1 });
        link.closest('li').append(shown);
        link.remove();
        shown.focus();
      });
    } else if ('more' in link.dataset || 'view' in link.dataset) {
      event.preventDefault();
      instead(link, html => {
        const place = link.closest('p');
        const added = [...parts(html)];
        place.after(...added);
        if ('more' in link.dataset) place.remove(); else link.remove();
        const first = added.find(node => node.querySelector)?.querySelector('a');
        if (first) first.focus({ preventScroll: true });
      });
    }
  });
  const broken = image => {
    const page = image.closest('.page');
    const box = make('div', { className: 'page broken' });
    const again = make('button', { className: 'quiet', type: 'button', textContent: words.retry });
    box.append(make('p', { textContent: words.broken }), again);
    again.addEventListener('click', () => {
      box.replaceWith(page);
      image.srcset += '';
    });
    page.replaceWith(box);
  };

  // A scan comes small and coarse first. Once that is there and in view, a sharp image replaces it.
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
    if (image.currentSrc.endsWith('?w=720') && !navigator.connection?.saveData) inView.observe(image);
  };
  const isPage = image => image instanceof HTMLImageElement && image.closest('.page');
  for (const image of all('.page img')) if (image.complete) (image.naturalWidth ? loaded : broken)(image);
  // The window gets no such event of an image.
  document.addEventListener('load', event => { if (isPage(event.target)) loaded(event.target); }, true);
  addEventListener('error', event => { if (isPage(event.target)) broken(event.target); }, true);
})();
