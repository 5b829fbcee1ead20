// Tabs whose panels are on the page ([data-tabs]), and sections that fold ([data-fold]).
(() => {
  function select(link) {
    const all = [...link.closest('[role="tablist"]').querySelectorAll('[role="tab"]')];
    for (const one of all) {
      const chosen = one === link;
      one.setAttribute("aria-selected", String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      one.parentElement.classList.toggle("slds-is-active", chosen);
      const panel = document.getElementById(one.getAttribute("aria-controls"));
      panel.classList.toggle("slds-show", chosen);
      panel.classList.toggle("slds-hide", !chosen);
    }
    link.dispatchEvent(new CustomEvent("tab-shown", { bubbles: true }));
  }

  // A page that comes back after something was made from it shows the tab from which it was made.
  const KEPT = "tab-after-dialog";
  const behind = () => new URLSearchParams(location.search).get("backgroundContext") || location.pathname;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const shown = event.target.closest("#modals form") && document.querySelector('#main [data-tabs] [role="tab"][aria-selected="true"]');
    if (shown) sessionStorage.setItem(KEPT, JSON.stringify([behind(), shown.id]));
  });
  document.addEventListener("DOMContentLoaded", () => {
    const [path, id] = JSON.parse(sessionStorage.getItem(KEPT) || "[]");
    if (path !== location.pathname || document.querySelector("#modals form")) return;
    sessionStorage.removeItem(KEPT);
    const link = document.getElementById(id);
    if (link) select(link);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest('[data-tabs] [role="tab"]');
    if (link) { event.preventDefault(); select(link); }
    const fold = event.target.closest("[data-fold]");
    if (fold) {
      const section = fold.closest(".slds-section, [data-folding]");
      const open = section.classList.toggle("slds-is-open");
      fold.setAttribute("aria-expanded", String(open));
    }
    const pencil = event.target.closest("[data-goto-tab]");
    if (pencil) select(document.getElementById(`tab-${pencil.dataset.gotoTab}-link`));
  });

  document.addEventListener("keydown", (event) => {
    const link = event.target.closest('[data-tabs] [role="tab"]');
    if (!link || (event.key !== "ArrowRight" && event.key !== "ArrowLeft")) return;
    const all = [...link.closest('[role="tablist"]').querySelectorAll('[role="tab"]')];
    const next = all[(all.indexOf(link) + (event.key === "ArrowRight" ? 1 : -1) + all.length) % all.length];
    event.preventDefault();
    select(next);
    next.focus();
  });
})();

// Going into a field that belongs to one of several choices ([data-selects] names its radio button) makes that choice.
document.addEventListener("focusin", (event) => {
  const part = event.target.closest("[data-selects]");
  if (part && event.target.type !== "radio") document.getElementById(part.dataset.selects).checked = true;
});
document.addEventListener("change", (event) => {
  const part = event.target.closest("[data-selects]");
  if (part && event.target.name?.endsWith("_match")) document.getElementById(part.dataset.selects).checked = true;
});

// A pencil opens the form in place, at its own field.
document.addEventListener("htmx:afterSwap", () => {
  const form = document.querySelector("form[data-inline]:not([data-entered])");
  if (!form) return;
  form.dataset.entered = "";
  const field = form.querySelector("[aria-invalid=true]") || document.getElementById(`inline-${form.dataset.inline}`) || form.querySelector(".slds-input");
  field?.focus();
});
