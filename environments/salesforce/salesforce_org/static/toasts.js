// Messages at the top: good news goes by itself, the rest stays until it is closed.
(() => {
  const STAY = 5000;
  const begin = () => document.querySelectorAll("[data-toast]:not([data-seen])").forEach((one) => {
    one.dataset.seen = "";
    if (one.dataset.toast === "success" || one.dataset.toast === "info") setTimeout(() => one.remove(), STAY);
  });
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", begin);
  document.addEventListener("click", (event) => event.target.closest("[data-toast-close]")?.closest("[data-toast]").remove());
})();
