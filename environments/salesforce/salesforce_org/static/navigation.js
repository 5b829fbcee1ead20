// The app's tabs: those that do not fit are in the menu "More", but not the one that is shown.
(() => {
  function fit() {
    const bar = document.querySelector("[data-navigation-tabs]");
    if (!bar) return;
    const tabs = [...bar.querySelectorAll("[data-tab]")], more = bar.querySelector("[data-navigation-more]");
    tabs.forEach((one) => (one.hidden = false));
    more.hidden = true;
    const room = bar.parentElement.clientWidth;
    const widths = tabs.map((one) => one.offsetWidth);
    if (widths.reduce((sum, one) => sum + one, 0) <= room) return;
    more.hidden = false;
    const active = tabs.findIndex((one) => one.classList.contains("slds-is-active"));
    let used = more.offsetWidth + (widths[active] || 0);
    tabs.forEach((one, at) => {
      used += at === active ? 0 : widths[at];
      const fits = used <= room || at === active;
      one.hidden = !fits;
      more.querySelector(`[data-more="${CSS.escape(one.dataset.tab)}"]`).hidden = fits;
    });
  }
  document.addEventListener("DOMContentLoaded", fit);
  addEventListener("resize", fit);
})();
