// The guide for integrators: tabs of examples, copy buttons, search, and requests from the page.
(() => {
  "use strict";
  const words = document.body.dataset;
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // Tabs. The language that a reader chose stays chosen, on this page and on the next ones.
  const CHOICE = "firmeza-docs-language";
  const remembered = () => {
    try { return localStorage.getItem(CHOICE); } catch { return null; }
  };
  const remember = (language) => {
    try { localStorage.setItem(CHOICE, language); } catch { /* Private windows may refuse. */ }
  };
  const groups = [];
  const choose = (language) => groups.forEach((group) => group(language));
  document.querySelectorAll(".examples").forEach((examples, number) => {
    const figures = [...examples.querySelectorAll("figure")];
    if (figures.length < 2) return;
    const list = make("div", { className: "tabs" });
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", words.languages);
    const tabs = figures.map((figure, index) => {
      const tab = make("button", { type: "button", id: `tab-${number}-${index}`, textContent: figure.dataset.language });
      tab.setAttribute("role", "tab");
      figure.id = `example-${number}-${index}`;
      tab.setAttribute("aria-controls", figure.id);
      figure.setAttribute("role", "tabpanel");
      figure.setAttribute("aria-labelledby", tab.id);
      tab.addEventListener("click", () => {
        // The page must not jump when examples above this one change their height.
        const before = list.getBoundingClientRect().top;
        choose(figure.dataset.language);
        remember(figure.dataset.language);
        window.scrollBy({ top: list.getBoundingClientRect().top - before, behavior: "instant" });
      });
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(index + step + tabs.length) % tabs.length];
        next.click();
        next.focus();
      });
      return tab;
    });
    groups.push((language) => {
      const known = figures.findIndex((figure) => figure.dataset.language === language);
      const chosen = known < 0 ? 0 : known;
      figures.forEach((figure, index) => {
        figure.hidden = index !== chosen;
        tabs[index].setAttribute("aria-selected", String(index === chosen));
        tabs[index].tabIndex = index === chosen ? 0 : -1;
      });
    });
    list.append(...tabs);
    examples.prepend(list);
    examples.classList.add("tabbed");
  });
  choose(remembered());

  // Copy buttons.
  const copy = async (code) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent);
    // Browsers offer the clipboard to https pages and to this machine alone.
    const selection = getSelection();
    selection.selectAllChildren(code);
    document.execCommand("copy");
    selection.removeAllRanges();
  };
  document.querySelectorAll("figure.code").forEach((figure) => {
    const button = make("button", { type: "button", className: "copy", textContent: words.copy });
    button.addEventListener("click", async () => {
      await copy(figure.querySelector("code"));
      button.textContent = words.copied;
      setTimeout(() => { button.textContent = words.copy; }, 2000);
    });
    figure.append(button);
  });

  // Search: every word must occur, accents do not matter, titles count more.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const MAX_RESULTS = 12;
  const EXCERPT = 140;
  const search = document.querySelector(".docs-search");
  const input = search.querySelector("input");
  const results = search.querySelector(".docs-results");
  let loading;
  const load = () => {
    loading ??= fetch(search.dataset.index)
      .then((response) => response.json())
      .then((entries) => entries.map((entry) => ({
        ...entry, title: plain(`${entry.chapter} ${entry.section}`), body: plain(entry.text),
      })));
    return loading;
  };
  const score = (entry, terms) => {
    let sum = 0;
    for (const term of terms) {
      if (entry.title.includes(term)) sum += 10;
      else if (entry.body.includes(term)) sum += 1;
      else return 0;
    }
    return sum;
  };
  const excerpt = (entry, terms) => {
    const at = Math.max(0, entry.body.indexOf(terms[0]) - 40);
    const start = at === 0 ? 0 : entry.text.indexOf(" ", at) + 1;
    const text = entry.text.slice(start, start + EXCERPT);
    return (start > 0 ? "… " : "") + text + (start + EXCERPT < entry.text.length ? " …" : "");
  };
  const show = async () => {
    const terms = plain(input.value).split(/\s+/).filter(Boolean);
    if (terms.length === 0) {
      results.hidden = true;
      return;
    }
    const entries = await load();
    const found = entries
      .map((entry) => [score(entry, terms), entry])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, MAX_RESULTS)
      .map(([, entry]) => {
        const title = entry.section === entry.chapter ? entry.chapter : `${entry.chapter} › ${entry.section}`;
        const link = make("a", { href: entry.address }, make("strong", { textContent: title }),
          make("span", { className: "excerpt", textContent: excerpt(entry, terms) }));
        link.addEventListener("click", () => { results.hidden = true; });
        return make("li", {}, link);
      });
    results.replaceChildren(found.length > 0
      ? make("ul", {}, ...found) : make("p", { textContent: search.dataset.none }));
    results.hidden = false;
  };
  search.hidden = false;
  input.addEventListener("input", show);
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
  });
  document.addEventListener("click", (event) => {
    if (!search.contains(event.target)) results.hidden = true;
  });

  // Requests from the page. The key stays in its field; nothing stores it.
  const request = (form) => {
    const query = new URLSearchParams();
    const headers = new Headers({ "x-api-key": `Bearer ${form.querySelector("#try-key").value.trim()}` });
    const body = new FormData();
    let hasBody = false;
    form.querySelectorAll("[data-location]").forEach((field) => {
      const values = field.type === "file" ? [...field.files] : [field.value].filter((value) => value !== "");
      for (const value of values) {
        if (field.dataset.location === "query") query.append(field.name, value);
        else if (field.dataset.location === "header") headers.append(field.name, value);
        else { body.append(field.name, value); hasBody = true; }
      }
    });
    const address = form.dataset.path + (query.size > 0 ? `?${query}` : "");
    return fetch(address, { method: form.dataset.method, headers, body: hasBody ? body : undefined, cache: "no-store" });
  };
  const shown = async (form, response) => {
    const block = (title, content) => [make("h3", { textContent: title }), make("pre", { tabIndex: 0, textContent: content })];
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const kind = response.headers.get("content-type") ?? "";
    const top = [
      ...block(form.dataset.status, `${response.status} ${response.statusText}`), ...block(form.dataset.headers, headers),
    ];
    if (kind.includes("json")) {
      const text = await response.text();
      return [...top, ...block(form.dataset.body, JSON.stringify(JSON.parse(text), null, 2))];
    }
    const file = await response.blob();
    const link = make("a", { href: URL.createObjectURL(file), download: "documento.pdf", textContent: form.dataset.save });
    return [...top, make("h3", { textContent: form.dataset.body }), make("p", {}, link, ` (${file.size} bytes)`)];
  };
  document.querySelectorAll("form.try").forEach((form) => {
    form.hidden = false;
    const answer = form.querySelector(".answer");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      answer.textContent = form.dataset.sending;
      try {
        answer.replaceChildren(...await shown(form, await request(form)));
      } catch {
        answer.textContent = form.dataset.failed;
      }
    });
  });
})();
