// Opens a signing page from a page of another site, in a frame or in a tab, and says what happens there.
//
//   const signing = Firmeza.open(link, {
//     container: document.getElementById('firma'), // without it: a new tab
//     title: 'Firma de documentos', // of the frame, in the language of the page
//     onReady() {}, onSigned() {}, onRejected() {}, onClosed({ returnUrl }) {},
//   });
//   signing.close();
//
// The company must allow the site's origin, in the panel or by `firmeza company embed`.
(() => {
  'use strict';
  const HANDLERS = { ready: 'onReady', signed: 'onSigned', rejected: 'onRejected', closed: 'onClosed' };
  const HELLO_MILLISECONDS = 500;

  const open = (link, options = {}) => {
    const address = new URL(link, location.href);
    const told = new Set();
    let frame, target, timer;

    const tell = (name, details = {}) => {
      if (told.has(name) || told.has('closed')) return;
      told.add(name);
      options[HANDLERS[name]]?.(details);
    };
    const hello = () => target.postMessage({ firmeza: 'hello' }, address.origin);
    const end = details => {
      removeEventListener('message', receive);
      clearInterval(timer);
      if (frame) frame.remove(); else target.close();
      tell('closed', details);
    };
    const receive = ({ data, origin, source }) => {
      if (source !== target || origin !== address.origin || !Object.hasOwn(HANDLERS, data?.firmeza)) return;
      // A page that opens with the outcome was ready as well.
      tell('ready');
      if (data.firmeza === 'closed') end({ returnUrl: data.returnUrl }); else tell(data.firmeza);
    };
    addEventListener('message', receive);

    if (options.container) {
      frame = Object.assign(document.createElement('iframe'), { src: address.href });
      frame.title = options.title ?? 'Firma de documentos';
      frame.allow = 'clipboard-write; otp-credentials';
      frame.style.cssText = 'border: 0; width: 100%; height: 100%';
      // The frame shows one page after another, and each is asked anew.
      frame.addEventListener('load', hello);
      options.container.append(frame);
      target = frame.contentWindow;
    } else {
      target = window.open(address.href, '_blank');
      if (!target) {
        removeEventListener('message', receive);
        throw new Error('The browser did not open a tab: call Firmeza.open when a person presses a button.');
      }
      // A tab of another site does not say when it has loaded a page.
      timer = setInterval(() => target.closed ? end({}) : hello(), HELLO_MILLISECONDS);
    }
    return { close: () => end({}) };
  };

  window.Firmeza = { open };
})();
