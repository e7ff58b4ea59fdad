// Buttons that copy a text: hidden in the page, because only this makes them work.
(() => {
  "use strict";
  if (!navigator.clipboard) return;
  document.querySelectorAll("button[data-copy]").forEach((button) => {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = button.dataset.copied;
      } catch {
        button.textContent = button.dataset.failed;
      }
      setTimeout(() => { button.textContent = label; }, 3000);
    });
  });
})();

