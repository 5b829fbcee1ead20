// The app's tabs: those that do not fit are in the menu "More". Quick Find narrows Setup's tree down.
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
    let used = more.offsetWidth;
    tabs.forEach((one, at) => {
      used += widths[at];
      const fits = used <= room;
      one.hidden = !fits;
      more.querySelector(`[data-more="${CSS.escape(one.dataset.tab)}"]`).hidden = fits;
    });
  }
  document.addEventListener("DOMContentLoaded", fit);
  addEventListener("resize", fit);

  // A branch is shown when it or anything below it holds the words; a found branch opens.
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-quick-find]")) return;
    const words = event.target.value.trim().toLowerCase();
    const visit = (item) => {
      const own = (item.dataset.label || item.querySelector("a, button, span")?.textContent || "").toLowerCase().includes(words);
      const below = [...item.querySelectorAll(":scope > ul > li, :scope > [role=group] > li")].map(visit).some(Boolean);
      item.hidden = words !== "" && !own && !below;
      if (words !== "" && own && !below) item.querySelectorAll("li").forEach((one) => (one.hidden = false));
      if (words !== "" && (below || own)) { item.classList.add("slds-is-open"); item.querySelector("[data-fold]")?.setAttribute("aria-expanded", "true"); }
      return own || below;
    };
    document.querySelectorAll("[data-setup-tree] > ul > li").forEach(visit);
  });
})();
