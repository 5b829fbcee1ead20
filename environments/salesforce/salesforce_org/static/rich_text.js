// Editors of rich texts: what is formatted goes into the hidden input beside it. Text that is pasted comes as text.
// A field with data-suggests fills the empty field it names, as URL names are made of titles and API names of labels;
// what stands in data-suggested there was filled in, and follows.
(() => {
  const editor = (element) => element.closest?.("[data-rich]");
  const text = (root) => root.querySelector("[role=textbox]");

  function keep(root) {
    const shown = text(root);
    root.querySelector("input[type=hidden]").value = shown.textContent.trim() ? shown.innerHTML : "";
  }

  function mark(root) {
    root.querySelectorAll("[data-command]").forEach((button) => {
      const on = document.queryCommandState(button.dataset.command);
      button.setAttribute("aria-pressed", String(on));
      button.classList.toggle("slds-is-selected", on);
    });
  }

  // What is typed first shall stand in a paragraph, too.
  document.addEventListener("focusin", (event) => {
    if (!event.target.matches("[data-rich] [role=textbox]")) return;
    document.execCommand("defaultParagraphSeparator", false, "p");
    if (event.target.textContent.trim() || event.target.querySelector("p, li")) return;
    event.target.innerHTML = "<p><br></p>";
    getSelection().collapse(event.target.firstElementChild, 0);
  });

  document.addEventListener("input", (event) => {
    const root = editor(event.target);
    if (root) keep(root);
  });

  document.addEventListener("paste", (event) => {
    if (!editor(event.target)) return;
    event.preventDefault();
    document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
  });

  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-rich] [data-command]")) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-rich] [data-command]");
    if (!button) return;
    const root = editor(button);
    text(root).focus();
    document.execCommand(button.dataset.command, false);
    keep(root);
    mark(root);
  });

  document.addEventListener("selectionchange", () => {
    const root = editor(document.activeElement);
    if (root) mark(root);
  });

  document.addEventListener("change", (event) => {
    const other = event.target.dataset.suggests && event.target.form?.elements[event.target.dataset.suggests];
    if (!other || (other.value.trim() && other.value !== other.dataset.suggested)) return;
    const parts = event.target.value.match(/[A-Za-z0-9]+/g) || [];
    other.value = parts.join(other.name === "DeveloperName" ? "_" : "-").slice(0, 255);
    if ("suggested" in other.dataset) other.dataset.suggested = other.value;
  });
})();
