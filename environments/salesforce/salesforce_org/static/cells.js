// Tables of list views ([data-list]) as grids: keys move from cell to cell (navigation) and into a cell (action), and
// cells with a pencil ([data-edit]) are edited in place. Changes wait in the form [data-changes] until Save.
(() => {
  const list = () => document.querySelector("table[data-list]");
  const cellOf = (element) => element.closest?.("table[data-list] tbody :is(td, th)");
  const form = () => document.querySelector("[data-changes]");
  const held = () => form().querySelector("[data-changed-cells]");
  const idOf = (cell) => cell.closest("tr").dataset.id;
  const nameOf = (cell) => cell.querySelector("[data-edit]")?.dataset.edit;
  const inside = (cell) => [...cell.querySelectorAll("a[href], button, input")].filter((one) => one.getClientRects().length);
  let editing = null, early = null;  // keys that are pressed while the editor is on its way

  // What a cell's editor holds, as pairs; boxes without a tick say so.
  function entries(editor) {
    const found = [...new FormData(editor)].filter(([, value]) => typeof value === "string");
    editor.querySelectorAll("input[type=checkbox][name]").forEach((box) => { if (!box.checked) found.push([box.name, ""]); });
    return found;
  }

  function shown(editor) {
    const texts = [...editor.querySelectorAll("[data-shown], textarea, input:not([type=hidden]):not([data-all-selected])")].map((one) =>
      one.matches("[data-shown]") ? (one.textContent === "--None--" ? "" : one.textContent) : one.type === "checkbox" ? (one.checked ? "True" : "False") : one.value);
    const chosen = [...editor.querySelectorAll('[data-dual-list="right"] [role=option]')].map((one) => one.textContent.trim());
    return [...texts, chosen.join("; ")].filter(Boolean).join(" ");
  }

  async function open(cell) {
    close(false);
    early = [];
    const selected = cell.closest("tr").classList.contains("slds-is-selected") ? document.querySelectorAll("[data-list] input[data-row]:checked").length : 0;
    const query = new URLSearchParams({ name: nameOf(cell), selected });
    held().querySelectorAll("input").forEach((one) => {
      if (one.name.startsWith(`${idOf(cell)}.`)) query.append(`t.${one.name.slice(idOf(cell).length + 1)}`, one.value);
    });
    const answer = await fetch(`${cell.closest("tr").dataset.record}/cell?${query}`, { headers: { "HX-Request": "true", "HX-Target": "cell" } });
    const keys = early;
    early = null;
    if (!answer.ok) return;
    const place = document.createElement("div");
    place.innerHTML = await answer.text();
    const editor = place.firstElementChild;
    document.querySelector(".org-list").append(editor);
    htmx.process(editor);
    const box = cell.getBoundingClientRect();
    editor.style.left = `${Math.max(8, Math.min(box.left, innerWidth - editor.offsetWidth - 8))}px`;
    editor.style.top = `${Math.max(8, Math.min(box.top, innerHeight - editor.offsetHeight - 8))}px`;
    editing = { cell, editor, before: JSON.stringify(entries(editor)) };
    const field = editor.querySelector("input:not([type=hidden]), textarea, button[role=combobox]");
    field.focus();
    field.select?.();
    if (keys.some((key) => key.length === 1) && field.matches("input:not([type=checkbox]), textarea")) field.value = keys.filter((key) => key.length === 1).join("");
    if (keys.includes("Enter") || keys.includes("Escape")) close(keys.includes("Enter"));
  }

  function close(taken) {
    if (!editing) return;
    const { cell, editor, before } = editing;
    editing = null;
    const all = editor.querySelector("[data-all-selected]")?.checked;
    if (taken && (all || JSON.stringify(entries(editor)) !== before)) {
      const rows = all ? [...document.querySelectorAll("[data-list] tr.slds-is-selected")] : [cell.closest("tr")];
      for (const row of rows) {
        const target = [...row.querySelectorAll("[data-edit]")].find((one) => one.dataset.edit === nameOf(cell));
        if (target) change(cellOf(target), editor);
      }
    }
    editor.remove();
    form().hidden = !held().childElementCount;
    at(cell);
  }

  function change(cell, editor) {
    const pairs = entries(editor), id = idOf(cell);
    const names = new Set(pairs.map(([name]) => `${id}.${name}`));
    held().querySelectorAll("input").forEach((one) => names.has(one.name) && one.remove());
    for (const [name, value] of pairs) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name: `${id}.${name}`, value });
      held().append(input);
    }
    const text = cell.querySelector(".slds-truncate");
    if (!cell.classList.contains("slds-is-edited")) text.dataset.was = text.innerHTML;
    text.textContent = text.title = shown(editor);
    cell.classList.add("slds-is-edited");
    cell.classList.remove("slds-has-error");
  }

  function drop() {
    held().replaceChildren();
    form().hidden = true;
    list().querySelectorAll(".slds-is-edited").forEach((cell) => {
      const text = cell.querySelector(".slds-truncate");
      text.innerHTML = text.dataset.was;
      text.title = text.textContent;
      cell.classList.remove("slds-is-edited", "slds-has-error");
    });
    list().querySelectorAll("[data-row-error]").forEach((one) => one.replaceWith(one.dataset.rowError));
  }

  // Rows that were refused keep their changes and say why; the others are saved.
  document.addEventListener("cells-refused", (event) => {
    const wrong = JSON.parse(event.detail.rows);
    for (const row of list().querySelectorAll("tbody tr")) {
      const edited = [...row.querySelectorAll(".slds-is-edited")], problems = wrong[row.dataset.id];
      if (!edited.length) continue;
      if (!problems) {
        held().querySelectorAll("input").forEach((one) => one.name.startsWith(`${row.dataset.id}.`) && one.remove());
        edited.forEach((cell) => cell.classList.remove("slds-is-edited", "slds-has-error"));
      }
      edited.forEach((cell) => cell.classList.toggle("slds-has-error", Boolean(problems && (nameOf(cell) in problems || "" in problems))));
      const number = row.querySelector(".org-number"), known = number.querySelector("[data-row-error]");
      if (known) known.replaceWith(known.dataset.rowError);
      if (!problems) continue;
      const mark = document.createElement("span");
      mark.className = "org-row-error";
      mark.dataset.rowError = number.textContent;
      mark.setAttribute("role", "alert");
      mark.title = mark.ariaLabel = `We hit a snag. ${Object.values(problems).join(" ")}`;
      mark.textContent = `\u26a0 ${number.textContent}`;
      number.replaceChildren(mark);
    }
  });

  document.addEventListener("click", (event) => {
    const pencil = event.target.closest("[data-edit]");
    if (pencil) return open(cellOf(pencil));
    if (event.target.closest("[data-cell-cancel]")) return close(false);
    if (event.target.closest("[data-drop-changes]")) return drop();
    if (editing && !editing.editor.contains(event.target) && event.target.isConnected) close(true);
    const cell = cellOf(event.target);
    if (cell) at(cell, !event.target.closest("a, button, input, label"));
  });
  document.addEventListener("dblclick", (event) => {
    const cell = cellOf(event.target);
    if (cell && nameOf(cell)) open(cell);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-cell-editor]")) return;
    event.preventDefault();
    close(true);
  });

  // Navigation: one cell can be reached by Tab, and nothing inside of cells. Action: what is inside can be.
  function at(cell, focus = true) {
    list().querySelectorAll("[data-at]").forEach((one) => { one.tabIndex = -1; one.removeAttribute("data-at"); });
    cell.tabIndex = 0;
    cell.dataset.at = "";
    if (focus) cell.focus();
  }

  function begin() {
    const table = list();
    if (!table || table.querySelector("[data-at]")) return;
    table.querySelectorAll("tbody :is(a, button, input)").forEach((one) => (one.tabIndex = -1));
    const first = table.querySelector("tbody :is(td, th)");
    if (first) { first.tabIndex = 0; first.dataset.at = ""; }
  }
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", begin);

  function neighbour(cell, key) {
    const row = cell.closest("tr"), rows = [...row.parentElement.rows], number = rows.indexOf(row), column = cell.cellIndex;
    const moves = { ArrowUp: [number - 1, column], ArrowDown: [number + 1, column], ArrowLeft: [number, column - 1], ArrowRight: [number, column + 1], Home: [number, 0], End: [number, row.cells.length - 1] };
    const [down, along] = moves[key];
    return rows[down]?.cells[along];
  }

  document.addEventListener("keydown", (event) => {
    if (early) { event.preventDefault(); return early.push(event.key); }
    if (editing?.editor.contains(event.target)) {
      if (event.defaultPrevented || !["Escape", "Tab", "Enter"].includes(event.key)) return;
      const mass = editing.editor.querySelector("[data-all-selected]"), cell = editing.cell;
      if (event.key === "Tab" && (mass || editing.editor.querySelectorAll(".slds-form-element").length > 1)) return;
      if (event.key === "Enter" && event.target.matches("textarea, button")) return;
      event.preventDefault();
      close(event.key !== "Escape");
      if (event.key !== "Tab") return;
      const all = [...list().querySelectorAll("[data-edit]")].map(cellOf);
      const next = all[all.indexOf(cell) + (event.shiftKey ? -1 : 1)];
      if (next) open(next);
      return;
    }
    const cell = cellOf(event.target);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === cell) {
      if (event.key === "F2" && nameOf(cell)) { event.preventDefault(); return open(cell); }
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        const found = inside(cell);
        if (found.length === 1 && found[0].matches("[data-edit]")) return open(cell);
        return found[0]?.focus();
      }
      const next = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End" ? neighbour(cell, event.key) : null;
      if (next) { event.preventDefault(); at(next); }
    } else if (event.key === "Escape" && !event.defaultPrevented) { event.preventDefault(); at(cell); }
    else if (event.key === "Tab") {
      const all = [...list().querySelectorAll("tbody :is(td, th)")].flatMap(inside);
      const next = all[all.indexOf(event.target) + (event.shiftKey ? -1 : 1)];
      if (!next) return;
      event.preventDefault();
      at(cellOf(next), false);
      next.focus();
    }
  });
})();
