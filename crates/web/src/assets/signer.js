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

  // Time that runs out. Timers and the page's own clock stop while a phone sleeps; the time of day goes on, and is looked at as
  // soon as the page is seen again.
  const clock = seconds => Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
  const countDown = (seconds, tell) => {
    const end = Date.now() + seconds * 1000;
    const look = () => {
      const left = Math.max(Math.ceil((end - Date.now()) / 1000), 0);
      tell(left);
      if (left) return;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
    const timer = setInterval(look, 1000);
    document.addEventListener('visibilitychange', look);
    look();
  };
  for (const place of all('[data-countdown]')) {
    countDown(place.dataset.countdown, left => {
      place.textContent = left ? place.dataset.before + ' ' + clock(left) : place.dataset.after;
      if (left) return;
      const field = document.getElementById(place.dataset.ends);
      if (!field) return;
      // The code has expired: the form asks for another.
      field.dataset.over = place.dataset.after;
      for (const button of all('.go[form=act]')) button.setAttribute('aria-disabled', 'true');
    });
  }
  for (const button of all('[data-wait]')) {
    const hold = event => event.preventDefault();
    button.setAttribute('aria-disabled', 'true');
    button.addEventListener('click', hold);
    countDown(button.dataset.wait, left => {
      if (left) return;
      button.removeAttribute('aria-disabled');
      button.removeEventListener('click', hold);
    });
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

  // A picture of the signature is drawn in a pad, and is a text of points in a hidden field. Without a script a name is typed.
  for (const box of all('[data-picture]')) {
    const [LINES, POINTS, STEP] = [40, 400, 5];
    const [name, field] = all('input', box);
    const [pad, drawing, line, clear] = ['.pad', 'svg', 'path', 'button'].map(part => box.querySelector(part));
    const { width, height } = drawing.viewBox.baseVal;
    const demanded = name.required;
    let lines = field.value ? field.value.split(';').map(points => points.split(' ').map(point => point.split(',').map(Number))) : [];
    const show = () => {
      line.setAttribute('d', lines.map(points => 'M' + points.join('L') + 'h0').join(''));
      field.value = lines.map(points => points.join(' ')).join(';');
      name.required = demanded && !lines.length;
      clear.hidden = !lines.length;
      if (lines.length) say(name);
    };
    const place = event => {
      const area = drawing.getBoundingClientRect();
      const within = (part, most) => Math.round(Math.min(Math.max(part, 0), 1) * most);
      return [within((event.clientX - area.left) / area.width, width), within((event.clientY - area.top) / area.height, height)];
    };
    const count = () => lines.reduce((sum, points) => sum + points.length, 0);
    drawing.addEventListener('pointerdown', event => {
      if (event.button || lines.length >= LINES || count() >= POINTS) return;
      event.preventDefault();
      drawing.setPointerCapture(event.pointerId);
      lines.push([place(event)]);
      show();
    });
    drawing.addEventListener('pointermove', event => {
      if (!drawing.hasPointerCapture(event.pointerId) || count() >= POINTS) return;
      const points = lines.at(-1);
      const [from, to] = [points.at(-1), place(event)];
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) < STEP) return;
      points.push(to);
      show();
    });
    clear.addEventListener('click', () => {
      lines = [];
      show();
      name.focus();
    });
    pad.hidden = false;
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
  const framed = parent !== window;
  if (back && framed) back.target = '_top';
  const goBack = event => {
    if (tell) {
      event?.preventDefault();
      tell('closed', { returnUrl: back.href });
    } else if (!event && !framed) {
      location.href = back.href;
    }
  };
  back?.addEventListener('click', goBack);

  // Back to the company's own page after a while, unless the signer stays. In a frame only a page that listens can take the signer
  // there: by itself, the frame may not replace the whole window, and the company's page would open inside of it.
  for (const place of all('[data-return]')) {
    const end = Date.now() + place.dataset.return * 1000;
    const left = () => Math.ceil((end - Date.now()) / 1000);
    const show = () => {
      place.hidden = framed && !tell;
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
    show();
  }

  // How much of a reason is written.
  for (const area of all('textarea[data-count]')) {
    const count = area.parentElement.querySelector('.count');
    const show = () => { count.textContent = [...area.value].length + ' / ' + area.dataset.count; };
    area.addEventListener('input', show);
    count.hidden = false;
    show();
  }
})();
