// What makes the signer's pages comfortable. Every step also works without it.
(() => {
  'use strict';
  const all = (selector, root = document) => root.querySelectorAll(selector);
  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  // Pages of other sites that embed this one may have no storage.
  const store = (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* Forgotten. */ } };
  const stored = name => { try { return sessionStorage.getItem(name); } catch { return null; } };

  // What a form lacks is said next to the field, as the server says it where there is no script.
  const lack = field => {
    const { validity, dataset } = field;
    if (dataset.over) return dataset.over;
    if (validity.valueMissing) return dataset.missing;
    if (validity.patternMismatch) return dataset.wrong;
    if (field.minLength > 0 && [...field.value.trim()].length < field.minLength) return dataset.short;
  };
  const say = (field, text) => {
    const id = field.id + '-error';
    const shown = document.getElementById(id);
    const hints = (field.getAttribute('aria-describedby') ?? '').split(' ').filter(hint => hint && hint !== id);
    if (text) hints.unshift(id);
    field.setAttribute('aria-describedby', hints.join(' '));
    field.setAttribute('aria-invalid', text ? 'true' : 'false');
    shown?.remove();
    if (!text) return;
    const error = make('p', { id, className: 'error', textContent: text });
    error.setAttribute('role', 'alert');
    (field.closest('.tick') ?? field).before(error);
  };
  const isComplete = form => {
    const fields = [...form.elements].filter(field => field.required);
    for (const field of fields) say(field, lack(field));
    const wrong = fields.find(lack);
    wrong?.scrollIntoView({ block: 'center' });
    wrong?.focus({ preventScroll: true });
    return !wrong;
  };
  addEventListener('change', ({ target }) => {
    if (target.getAttribute?.('aria-invalid') === 'true' && !lack(target)) say(target);
  });

  // A press on a button shows at once, and counts once.
  const live = make('p', { className: 'unseen' });
  live.setAttribute('role', 'status');
  document.body.append(live);
  addEventListener('submit', event => {
    const form = event.target;
    if (form.dataset.sent) return event.preventDefault();
    const button = event.submitter;
    if (form.noValidate && !button?.formNoValidate && !isComplete(form)) return event.preventDefault();
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
      if (left > 0) return;
      clearInterval(timer);
      const field = document.getElementById(place.dataset.ends);
      if (!field) return;
      // The code has expired: the form asks for another.
      field.dataset.over = place.dataset.after;
      for (const button of all('.go[form=act]')) button.setAttribute('aria-disabled', 'true');
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
    show();
  }

  // A code of six digits is handed in at once; a phone may offer the one that just came.
  for (const form of all('[data-at-six]')) {
    const fields = [...form.elements].filter(field => field.autocomplete === 'one-time-code');
    const send = () => {
      const whole = field => field.value.replace(/\D/g, '').length === 6 && !lack(field);
      if (fields.every(whole)) form.requestSubmit(document.querySelector('.go[form=' + form.id + ']'));
    };
    for (const field of fields) field.addEventListener('input', send);
    const by_sms = fields.find(field => 'sms' in field.dataset);
    if (!by_sms || !('OTPCredential' in window)) continue;
    navigator.credentials.get({ otp: { transport: ['sms'] } }).then(found => {
      by_sms.value = found.code;
      send();
    }, () => {});
  }

  // Reading keeps the session alive, as long as the page is in view and used. Before it ends there is a warning.
  const [BEAT, WARNING] = [60, 120];
  const session = document.querySelector('.session');
  for (const link of all('[data-resume]')) link.addEventListener('click', () => store('resumed', '1'));
  if (session) {
    const { path, csrf, left } = session.dataset;
    // A new session goes on where the reader was.
    if (stored('resumed')) {
      const [of, place] = (stored('place') ?? '').split(' ');
      if (of === path) scrollTo({ top: place, behavior: 'instant' });
      store('resumed', '');
    }
    addEventListener('pagehide', () => store('place', path + ' ' + scrollY));
    const [text, until] = all('span', session);
    const stay = session.querySelector('button');
    let [end, last, used, ended] = [Date.now() + left * 1000, Date.now(), false, false];
    const beat = async () => {
      [last, used] = [Date.now(), false];
      const body = new URLSearchParams({ csrf });
      const answer = await fetch(path + '/alive', { method: 'POST', body, redirect: 'error' }).catch(() => {});
      if (answer?.ok) {
        end = Date.now() + await answer.text() * 1000;
        session.hidden = true;
      } else if (answer?.status === 403) {
        ended = true;
        text.textContent = text.dataset.ended;
        until.textContent = '';
        stay.textContent = stay.dataset.ended;
        session.hidden = false;
      }
    };
    for (const kind of ['scroll', 'pointerdown', 'keydown', 'touchmove', 'wheel']) {
      addEventListener(kind, () => { used = true; }, { passive: true });
    }
    stay.addEventListener('click', () => {
      if (!ended) return beat();
      store('resumed', '1');
      location.href = path + '/resume';
    });
    setInterval(() => {
      if (ended || document.hidden) return;
      const seconds = Math.ceil((end - Date.now()) / 1000);
      const due = Date.now() - last >= BEAT * 1000;
      if (due && (used || seconds <= 0)) return beat();
      session.hidden = seconds > WARNING;
      until.textContent = clock(Math.max(seconds, 0));
    }, 1000);
  }

  // A page of an allowed origin that embeds or opened this one is told what happens here. It asks first, and only it is
  // answered.
  const { embedders, event: current } = document.body.dataset;
  const allowed = origin => embedders.split(' ').some(pattern => {
    const [start, end] = pattern.split('*');
    return end === undefined ? origin === pattern : origin.startsWith(start) && origin.endsWith(end);
  });
  let tell;
  if (embedders) addEventListener('message', ({ data, origin, source }) => {
    if (data?.firmeza !== 'hello' || !allowed(origin)) return;
    tell = (name, more) => source.postMessage({ firmeza: name, ...more }, origin);
    tell(current);
  });
  // The company's own page is no part of this one: who embeds it closes the frame, or the whole window goes there.
  const back = document.querySelector('.bar a.go[rel=noreferrer]');
  if (back && parent !== window) back.target = '_top';
  const goBack = event => {
    if (tell) {
      event?.preventDefault();
      tell('closed', { returnUrl: back.href });
    } else if (!event) {
      location.href = back.href;
    }
  };
  back?.addEventListener('click', goBack);

  // Back to the company's own page after a while, unless the signer stays.
  for (const place of all('[data-return]')) {
    const end = Date.now() + place.dataset.return * 1000;
    const left = () => Math.ceil((end - Date.now()) / 1000);
    const show = () => {
      place.querySelector('.until').textContent = clock(Math.max(left(), 0));
      if (left() > 0) return;
      clearInterval(timer);
      goBack();
    };
    const timer = setInterval(show, 1000);
    place.querySelector('button').addEventListener('click', () => {
      clearInterval(timer);
      place.hidden = true;
    });
    place.hidden = false;
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
  // On a slow line the first page comes first: the images of the next pages wait for it.
  const first = document.querySelector('.page img[fetchpriority=high]');
  if (first && !first.complete) {
    const held = [...all('.page img[loading=lazy]')].filter(image => !image.complete);
    const sources = held.map(image => [image.srcset, image.src]);
    for (const image of held) {
      image.style.aspectRatio = image.getAttribute('width') + ' / ' + image.getAttribute('height');
      image.removeAttribute('srcset');
      image.removeAttribute('src');
    }
    const release = () => {
      held.splice(0).forEach((image, place) => [image.srcset, image.src] = sources[place]);
    };
    first.addEventListener('load', release);
    first.addEventListener('error', release);
    setTimeout(release, 8000);
  }
  // The window gets no such event of an image.
  document.addEventListener('load', event => { if (isPage(event.target)) loaded(event.target); }, true);
  addEventListener('error', event => { if (isPage(event.target)) broken(event.target); }, true);
})();
