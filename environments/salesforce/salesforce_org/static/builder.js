// Builders of reports and dashboards: fields are searched and dragged, and folders chosen. The server makes each change.
(() => {
  const builder = () => document.querySelector("[data-builder]");

  function send(values) {
    const address = builder().dataset.builder + "/builder";
    htmx.ajax("POST", address, { target: "#workspace", source: "#workspace", values });
  }

  // A field search opens as soon as something is typed; Enter takes the first field that is found.
  document.addEventListener("input", (event) => {
    const field = event.target.closest("[data-field-search]");
    if (field && field.getAttribute("aria-expanded") !== "true") {
      const words = field.value;
      field.click();
      field.value = words;
    }
  });

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("[data-field-search]");
    if (!field || event.key !== "Enter") return;
    event.preventDefault();
    [...field.closest("[data-menu]").querySelectorAll("[data-found]")].find((one) => one.offsetParent)?.click();
  });

  // Fields are dragged from their list, or from place to place among the columns.
  let dragged = null;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-field]");
    if (dragged) event.dataTransfer.setData("text/plain", dragged.dataset.field);
  });
  const place = (event) => dragged && event.target.closest?.("[data-drop]");
  document.addEventListener("dragover", (event) => place(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    const over = place(event);
    if (!over) return;
    event.preventDefault();
    const field = dragged.dataset.field, side = over.dataset.drop;
    dragged = null;
    if (side === "filter") return htmx.ajax("GET", `${builder().dataset.builder}/filter?column=${encodeURIComponent(field)}`, "#filter-editor");
    if (side !== "column") return send({ do: "group", field, side });
    const before = event.target.closest("[data-at]");
    send({ do: "add_column", field, ...(before ? { at: before.dataset.at } : {}) });
  });

  document.addEventListener("click", (event) => {
    const search = event.target.closest("[data-found]") && event.target.closest("[data-menu]").querySelector("[data-field-search]");
    if (search) {
      search.value = "";
      search.closest("[data-menu]").querySelectorAll("[data-found], [data-filter-group]").forEach((one) => (one.hidden = false));
    }
    if (event.target.closest("[data-dismiss]")) event.target.closest("[data-popover]").remove();
    const category = event.target.closest("[data-category]");
    if (category) category.closest("ul").querySelectorAll("[data-category]").forEach((one) => one.classList.toggle("slds-is-selected", one === category));
    const folder = event.target.closest("[data-folder]");
    if (folder) mark(folder);
    if (event.target.closest("[data-select-folder]")) take(event.target.closest("[data-modal]"));
  });

  document.addEventListener("keydown", (event) => {
    const popover = event.target.closest("[data-popover]");
    if (popover && event.key === "Escape" && !event.defaultPrevented) popover.remove();
    const folder = event.target.closest("[data-folder]");
    if (!folder) return;
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); mark(folder); }
    const next = { ArrowDown: folder.nextElementSibling, ArrowUp: folder.previousElementSibling }[event.key];
    if (next) { event.preventDefault(); next.focus(); }
  });

  function mark(folder) {
    folder.closest("[data-folders]").querySelectorAll("[data-folder]").forEach((one) => {
      one.setAttribute("aria-selected", String(one === folder));
      one.classList.toggle("slds-is-selected", one === folder);
    });
    const field = folder.closest("form")?.elements.folder;
    if (field) field.value = folder.dataset.folder;
  }

  function take(modal) {
    const folder = modal.querySelector("[data-folder][aria-selected=true]");
    if (!folder) return;
    window.orgModals.close(modal);
    const place = [...document.querySelectorAll("[data-place]")].pop();
    place.querySelector("[name=folder]").value = folder.dataset.folder;
    place.querySelector("input[readonly]").value = folder.textContent.trim();
  }

  // The axes of a chart are called after its kind, and it has no others.
  document.addEventListener("change", (event) => {
    if (!event.target.dataset.axes) return;
    const words = JSON.parse(event.target.dataset.axes);
    event.target.form.querySelectorAll("[data-axis]").forEach((part) => {
      const word = words[part.dataset.axis], control = part.querySelector("#widget-grouping, #widget-summary");
      part.hidden = !word;
      if (control && word) control.labels[0].lastChild.data = word;
    });
  });

  // A range of numbers begins where the one above ends.
  document.addEventListener("input", (event) => {
    const below = event.target.matches("[name=upper]") && event.target.closest("tr").nextElementSibling;
    if (below) below.querySelector("[data-above]").textContent = event.target.value || "…";
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "filter-editor") event.target.querySelector("input:not([type=hidden]), button[role=combobox]")?.focus();
  });
})();
