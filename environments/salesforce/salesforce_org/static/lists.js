// Tables with selectable rows ([data-list]): how many are selected, and forms that act on them. Popovers in a form
// ([data-popover] names the field that is entered first): Enter is their brand button, Escape closes them.
(() => {
  const rows = (list) => [...list.querySelectorAll("tbody input[data-row]")];

  function count(list) {
    const all = rows(list), chosen = all.filter((one) => one.checked);
    const whole = list.querySelector("[data-all-rows]");
    if (whole) { whole.checked = all.length > 0 && chosen.length === all.length; whole.indeterminate = chosen.length > 0 && !whole.checked; }
    all.forEach((one) => { const row = one.closest("tr"); row.classList.toggle("slds-is-selected", one.checked); row.setAttribute("aria-selected", String(one.checked)); });
    document.querySelectorAll("[data-selected-count]").forEach((one) => (one.textContent = chosen.length ? ` \u2022 ${chosen.length} item${chosen.length > 1 ? "s" : ""} selected` : ""));
  }

  document.addEventListener("change", (event) => {
    const list = event.target.closest("[data-list]");
    if (!list) return;
    if (event.target.matches("[data-all-rows]")) rows(list).forEach((one) => (one.checked = event.target.checked));
    if (event.target.matches("[data-all-rows], [data-row]")) count(list);
  });

  // A mass action asks for its dialog with the ids of the rows that are selected.
  document.addEventListener("htmx:configRequest", (event) => {
    const button = event.target.closest("[data-mass]");
    if (button) event.detail.parameters.ids = [...document.querySelectorAll("[data-list] input[data-row]:checked")].map((one) => one.value).join(",");
  });

  // Forms that are sent as soon as something in them is chosen.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-at-once]");
    if (form) htmx.trigger(form, "submit");
  });

  document.addEventListener("htmx:afterSettle", () => {
    const field = document.getElementById(document.querySelector("[data-popover]")?.dataset.popover);
    if (field) field.focus();
  });
  document.addEventListener("keydown", (event) => {
    const popover = event.target.closest("[data-popover]");
    if (!popover || event.defaultPrevented) return;
    const button = event.key === "Escape" ? "[data-popover-close]" : event.key === "Enter" && event.target.matches("input") ? ".slds-button_brand" : "";
    const found = button && popover.querySelector(button);
    if (!found) return;
    event.preventDefault();
    found.click();
  });
})();
