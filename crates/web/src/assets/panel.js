// The panel: buttons that copy a text. The pages work without this.
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
