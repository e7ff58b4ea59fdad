// The panel: the form of a new folio, the queue of approvals, the look of a company. The pages work without this.

// The form of a new folio: saved as a draft while it is filled in, changed without a new page, never lost when a session ends.
(() => {
  "use strict";
  const form = document.querySelector("form.new");
  if (!form) return;
  const SAVE_AFTER = 2000;
  const at = (id) => document.getElementById(id);
  const show = (id) => ["signed-out", "offline"].forEach((one) => { at(one).hidden = one !== id; });
  let timer = 0, queue = Promise.resolve();

  // The page that an address answers with; nothing when the session has ended, or there is no connection.
  const ask = async (address, options) => {
    let response;
    try {
      response = await fetch(address, options);
    } catch {
      show("offline");
      return null;
    }
    if (new URL(response.url).pathname.startsWith("/panel/sign-in")) {
      show("signed-out");
      at("signed-out").scrollIntoView({ block: "center" });
      return null;
    }
    show("");
    return { status: response.status, page: new DOMParser().parseFromString(await response.text(), "text/html") };
  };
  // After signing in again in another tab, the form needs the token of that session.
  const renew = async () => {
    const answer = await ask("/panel/folios/new");
    const token = answer && answer.page.querySelector("form.new [name=csrf]");
    if (token) document.querySelectorAll("[name=csrf]").forEach((field) => { field.value = token.value; });
    return Boolean(token);
  };
  const send = async (action) => {
    const body = () => { const data = new FormData(form); data.set("do", action); return data; };
    let answer = await ask(form.action, { method: "POST", body: body() });
    if (answer && answer.status === 403 && await renew()) answer = await ask(form.action, { method: "POST", body: body() });
    return answer && answer.page.querySelector("form.new");
  };
  const inTurn = (work) => { queue = queue.then(work, work); return queue; };

  const keepFiles = (page) => {
    at("kept").replaceWith(page.querySelector("#kept"));
    at("documents").value = "";
    if (!at("documents-error")) at("documents").removeAttribute("aria-invalid");
    const time = new Date().toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
    at("saved").textContent = `${at("saved").dataset.text} ${time}`;
  };
  const save = () => inTurn(async () => {
    clearTimeout(timer);
    const chosen = at("documents").files.length;
    const page = await send("save");
    // Files that were chosen while the form was on its way are sent with the next one.
    if (page && at("documents").files.length === chosen) keepFiles(page);
  });
  form.addEventListener("input", (event) => {
    fill(event.target);
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER);
  });
  form.addEventListener("change", (event) => { if (event.target.id === "documents") save(); });

  // What is known of a person who is chosen by name.
  const fill = (field) => {
    const known = field.list && [...field.list.options].find((one) => one.value === field.value);
    if (!known) return;
    const index = field.name.replace("name", "");
    const number = at(`number${index}`);
    if (!number.value) at(`kind${index}`).value = known.dataset.kind;
    for (const name of ["number", "email", "mobile"]) {
      const other = at(name + index);
      if (!other.value) other.value = known.dataset[name];
    }
  };

  form.addEventListener("submit", (event) => {
    const action = (event.submitter && event.submitter.value) || "";
    event.preventDefault();
    clearTimeout(timer);
    inTurn(async () => {
      // Two buttons pressed at once are one after the other; the form itself goes as any other form.
      if (!action || action === "template") {
        if (!await renew()) return;
        const wanted = Object.assign(document.createElement("input"), { type: "hidden", name: "do", value: action });
        form.append(wanted);
        HTMLFormElement.prototype.submit.call(form);
        return;
      }
      const page = await send(action);
      if (!page) return;
      if (action === "save" || action.startsWith("forget")) {
        keepFiles(page);
        return;
      }
      form.querySelector(".whom").replaceWith(page.querySelector(".whom"));
      keepFiles(page);
      const last = [...form.querySelectorAll("fieldset input[name^=name]")].pop();
      const again = form.querySelector(`[name=do][value="${action}"]`);
      (action === "add" ? last : again || last).focus();
    });
  });
})();

// The queue of approvals by keyboard, and the page of a folio in it: only while the focus is in the form, so that no key does anything
// by accident.
(() => {
  "use strict";
  const VERDICTS = { a: "approve", r: "disapprove" };
  const isChord = (event) => event.ctrlKey || event.metaKey || event.altKey;
  const own = document.querySelector("form.approval");
  if (own) {
    own.addEventListener("keydown", (event) => {
      const verdict = VERDICTS[event.key.toLowerCase()];
      if (!verdict || isChord(event)) return;
      event.preventDefault();
      own.querySelector(`button[value=${verdict}]`).click();
    });
    if (location.hash === "#verdict") own.querySelector("button").focus();
  }
  const queue = document.querySelector("form.queue");
  if (!queue) return;
  document.getElementById("keys-hint").hidden = false;
  const boxes = [...queue.querySelectorAll(".pick input")];
  queue.addEventListener("keydown", (event) => {
    if (isChord(event)) return;
    const row = document.activeElement.closest("tr");
    const at = boxes.findIndex((box) => box.closest("tr") === row);
    // Where no folio is chosen, the verdict is over the one in focus.
    const press = (verdict) => {
      if (at >= 0 && !boxes.some((box) => box.checked)) boxes[at].checked = true;
      if (boxes.some((box) => box.checked)) queue.querySelector(`button[value=${verdict}]`).click();
    };
    const open = (link) => { link.hash = "verdict"; link.click(); };
    // Past the last row is the next page, and before the first the end of the one before.
    const turn = (rel, end) => {
      const page = document.querySelector(`.pager a[rel=${rel}]`);
      if (page) location.href = page.href + end;
    };
    const act = {
      j: () => (at + 1 < boxes.length ? boxes[at + 1].focus() : turn("next", "")),
      k: () => (at === 0 ? turn("prev", "#end") : boxes.at(at < 0 ? -1 : at - 1)?.focus()),
      x: () => { if (at >= 0) boxes[at].click(); },
      o: () => { if (at >= 0) open(row.querySelector(".name a")); },
      a: () => press(VERDICTS.a),
      r: () => press(VERDICTS.r),
    }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
  if (!boxes.length) return;
  if (location.hash === "#end") boxes.at(-1).focus();
  else boxes[0].focus({ preventScroll: true });
})();

// The look of a company, while it is chosen: name, words, time and colour on the pages that others see, and whether the colour can be read.
(() => {
  "use strict";
  const previews = document.querySelector(".previews");
  if (!previews) return;
  const READABLE = 4.5;
  const CONTACT_FITS = 30;
  const form = previews.closest("form");
  const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = luminance(parts(previews.dataset.ground));
  const contrast = (rgb) => {
    const own = luminance(rgb);
    return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
  };
  const decimal = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const shortened = (text, fits) => {
    const letters = [...text];
    return letters.length > fits ? `${letters.slice(0, fits - 1).join("")}…` : text;
  };
  const update = () => {
    const chosen = parts(form.elements.own_colour.checked ? form.elements.colour.value : previews.dataset.usual);
    let shown = chosen;
    for (let share = 0; share <= 100 && contrast(shown) < READABLE; share += 1) {
      shown = chosen.map((part) => Math.floor((part * (100 - share) + 50) / 100));
    }
    const fill = `#${shown.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    previews.querySelectorAll("[data-preview=fill]").forEach((one) => one.setAttribute("fill", fill));
    const name = form.elements.name.value;
    previews.querySelectorAll("[data-preview=name]").forEach((one) => {
      one.textContent = shortened(name, Number(one.dataset.fits));
    });
    const law = previews.querySelector("[data-preview=legal_basis]");
    law.textContent = shortened(form.elements.legal_basis.value.trim() || law.dataset.usual, Number(law.dataset.fits));
    const asked = ["contact_name", "contact_email", "contact_phone"].map((field) => form.elements[field].value.trim());
    const lines = asked.filter((line) => line).map((line) => shortened(line, CONTACT_FITS));
    previews.querySelectorAll("[data-preview=contact]").forEach((one) => {
      one.setAttribute("display", lines.length ? "inline" : "none");
      one.querySelectorAll("[data-line]").forEach((text, at) => { text.textContent = lines[at] || ""; });
    });
    const language = form.elements.language.value;
    previews.querySelectorAll("[data-preview=words]").forEach((one) => { one.textContent = one.dataset[language]; });
    const time = previews.querySelector("[data-preview=time]");
    const zone = form.elements.timezone.value || time.dataset.zone;
    const at = new Date(time.dataset.at);
    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }).format(at);
    const named = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(at);
    const offset = named.find((part) => part.type === "timeZoneName").value;
    const plain = offset.replace("GMT", "UTC").replace("-", "−").replace(/([+−])0/, "$1").replace(":00", "").replace(/[+]0$/, "");
    time.textContent = `${clock} (${plain})`;
    const line = document.getElementById("contrast");
    const own = contrast(chosen);
    line.textContent = line.dataset[own < READABLE ? "low" : "good"].replace("{}", decimal.format(own));
  };
  form.addEventListener("input", update);

  // The logo that was chosen, before it is sent: as data, which the page may show, unlike addresses of its own making.
  const ownName = previews.querySelector("[data-preview=name]");
  const saved = previews.querySelector("image")?.getAttribute("href");
  const showLogo = (source) => {
    let image = previews.querySelector("image");
    if (!image) {
      image = document.createElementNS("http://www.w3.org/2000/svg", "image");
      for (const [name, value] of Object.entries({ x: 16, y: 10, width: 48, height: 26 })) image.setAttribute(name, value);
      ownName.before(image);
    }
    if (source) image.setAttribute("href", source);
    else image.remove();
    ownName.setAttribute("x", source ? 72 : 16);
    ownName.dataset.fits = source ? 22 : 28;
    update();
  };
  document.getElementById("logo").addEventListener("change", (event) => {
    const file = event.target.files[0];
    if (!file || !event.target.accept.split(",").includes(file.type)) {
      showLogo(saved);
      return;
    }
    const reader = new FileReader();
    reader.addEventListener("load", () => showLogo(reader.result));
    reader.readAsDataURL(file);
  });
})();
