// Dialogs in #modals, one over the other: focus goes in, stays in, and comes back; Escape and [data-close] close, and
// Escape asks first where something was entered. Forms of records have an address of their own, with the page behind
// them as backgroundContext, so that they are still open after a reload. Loaded last: an Escape that closes something inside a dialog has been taken by then.
(() => {
  const place = () => document.getElementById("modals");
  const top = () => place().lastElementChild;
  const reachable = 'a[href], button:not([disabled]), input:not([type=hidden]):not([disabled]), select, textarea, [tabindex="0"]';
  const before = new WeakMap();

  // A form begins in its left column: the owner that stands there cannot be typed into, the field below it can.
  const fields = ["input:not([type=hidden]):not([type=checkbox]):not([disabled]):not([readonly])", "textarea", "button[role=combobox]"];
  const first = (modal, place) => modal.querySelector(fields.map((one) => `.slds-modal__content ${place} ${one}`).join(", "));

  function enter(modal) {
    const marked = modal.querySelector("[autofocus], [aria-invalid=true]");
    (marked || first(modal, ".org-row > :first-child") || first(modal, "") || modal.querySelector("section")).focus();
  }

  function close(modal) {
    const back = before.get(modal);
    modal.remove();
    if (back && back.isConnected) back.focus();
    if (top()) return;
    const home = document.body.dataset.behind;
    if (home) location.assign(home);
    else if (history.state?.modal) history.back();
  }

  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, pathInfo, successful, target } = event.detail;
    const path = pathInfo.requestPath;
    if (!successful || target !== place() || place().childElementCount > 1 || !/^\/lightning\/[or]\/.*\/(new|edit|clone)(\?|$)/.test(path)) return;
    if (elt.closest("[data-modal]") || !/^\/lightning\/(o|r|page)\//.test(location.pathname) || document.body.dataset.behind) return;
    const background = encodeURIComponent(location.pathname + location.search);
    history.pushState({ modal: true }, "", `${path}${path.includes("?") ? "&" : "?"}backgroundContext=${background}`);
  });
  addEventListener("popstate", () => { if (!history.state?.modal) place().replaceChildren(); });

  // What was entered in a dialog is asked about before Escape throws it away.
  const noted = (event) => { const modal = event.target.closest?.("[data-modal]"); if (modal && event.target.form?.method === "post") modal.dataset.changed = ""; };
  document.addEventListener("input", noted);
  document.addEventListener("change", noted);
  function leave(modal) {
    if (!("changed" in modal.dataset)) return close(modal);
    htmx.ajax("GET", "/lightning/discard", { target: "#modals", swap: "beforeend" });
  }

  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) {
      if (node.nodeType !== 1 || !node.hasAttribute("data-modal")) continue;
      const gone = [...change.removedNodes].find((one) => before.has(one));
      before.set(node, gone ? before.get(gone) : document.activeElement);
      enter(node);
    }
  }).observe(document.documentElement, { childList: true, subtree: true });

  document.addEventListener("DOMContentLoaded", () => top() && enter(top()));

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-close]");
    const modal = button?.closest("[data-modal]");
    if (!modal) return;
    close(modal);
    if (button.hasAttribute("data-discard")) close(top());
  });

  document.addEventListener("keydown", (event) => {
    const modal = top();
    if (!modal || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && !event.defaultPrevented) return leave(modal);
    if (event.key !== "Tab") return;
    const all = [...modal.querySelectorAll(reachable)].filter((one) => one.offsetParent);
    if (!all.length) return;
    const first = all[0], last = all[all.length - 1];
    const outside = !modal.contains(document.activeElement);
    if (event.shiftKey && (outside || document.activeElement === first)) { event.preventDefault(); last.focus(); }
    else if (!event.shiftKey && (outside || document.activeElement === last)) { event.preventDefault(); first.focus(); }
  });

  window.orgModals = { close, top };
})();
