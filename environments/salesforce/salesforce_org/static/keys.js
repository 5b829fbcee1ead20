// Shortcuts of every page, listed by "?": what they do is done by the buttons that are there.
(() => {
  const modal = () => window.orgModals.top();
  const open = (address) => htmx.ajax("GET", address, { target: "#modals", swap: "beforeend" });
  const press = (selector, within = document) => [...(within || document).querySelectorAll(selector)].find((one) => one.getClientRects().length)?.click();

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === "s") {
      event.preventDefault();
      document.activeElement.dispatchEvent(new Event("change", { bubbles: true }));
      return modal() ? press(".slds-modal__footer [type=submit].slds-button_brand", modal()) : press(".org-inline__footer [type=submit], .org-panel__head [type=submit]");
    }
    if (control && event.key === "/") { event.preventDefault(); return modal() || open("/lightning/shortcuts"); }
    if (control || modal() || event.target.closest("input, textarea, select, [contenteditable=true], [role=combobox]")) return;
    if (event.key === "/") { event.preventDefault(); document.getElementById("global-search").select(); document.getElementById("global-search").focus(); }
    else if (event.key === "?") open("/lightning/shortcuts");
    else if (event.key === "e" && location.pathname.startsWith("/lightning/r/")) press('.slds-page-header [hx-get$="/edit"]');
  });

  // The star marks the page that is shown, by its title.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.target.closest("[data-favorite]")) event.detail.parameters.label = document.title.replace(/ \| Salesforce$/, "");
  });
})();
