// Cells that are edited in place ([data-cell]): the pencil or a double click opens the input, Enter, Tab or leaving it
// takes what was typed, Escape does not. Search fields of dialogs ([data-stays]) do not send the dialog's form.
(() => {
  const parts = (cell) => ({ shown: cell.querySelector(".org-cell__shown"), text: cell.querySelector("[data-cell-text]"), input: cell.querySelector("[data-cell-input]"), pencil: cell.querySelector("[data-cell-edit]") });
  const of = (element) => element.closest?.("[data-cell]");

  function open(cell) {
    const p = parts(cell);
    if (!p.input.hidden) return;
    p.shown.hidden = true;
    p.input.hidden = false;
    p.input.focus();
    p.input.select();
  }

  function close(cell, taken) {
    const p = parts(cell);
    if (p.input.hidden) return;
    if (!taken) p.input.value = p.text.textContent;
    if (p.text.textContent !== p.input.value) cell.classList.add("slds-is-edited");
    p.text.textContent = p.input.value;
    p.input.hidden = true;
    p.shown.hidden = false;
  }

  document.addEventListener("click", (event) => {
    const pencil = event.target.closest("[data-cell-edit]");
    if (pencil) open(of(pencil));
  });
  document.addEventListener("dblclick", (event) => {
    const cell = of(event.target);
    if (cell) open(cell);
  });
  document.addEventListener("focusout", (event) => {
    if (event.target.matches("[data-cell-input]")) close(of(event.target), true);
  });

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("[data-stays]") && event.key === "Enter") return event.preventDefault();
    if (!event.target.matches("[data-cell-input]")) return;
    const cell = of(event.target);
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      close(cell, event.key === "Enter");
      parts(cell).pencil.focus();
    } else if (event.key === "Tab") {
      const all = [...cell.closest("table").querySelectorAll("[data-cell]")];
      const next = all[all.indexOf(cell) + (event.shiftKey ? -1 : 1)];
      close(cell, true);
      if (!next) return parts(cell).pencil.focus();
      event.preventDefault();
      open(next);
    }
  });
})();
