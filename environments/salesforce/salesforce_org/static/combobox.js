// Picklists: a button with role combobox, a list of options, a hidden input with the value.
// Keys as in the ARIA pattern "select-only combobox": arrows, Home, End, Enter, Space, Escape, Tab, typing ahead.
(() => {
  const open = () => document.querySelector("[data-combobox] .slds-combobox.slds-is-open");
  let typed = "", typedAt = -Infinity;

  const parts = (root) => ({
    root,
    box: root.querySelector(".slds-combobox"),
    button: root.querySelector("[role=combobox]"),
    input: root.querySelector("input[type=hidden]"),
    options: [...root.querySelectorAll("[role=option]")],
  });

  function show(p, wanted) {
    typedAt = -Infinity;
    p.box.classList.toggle("slds-is-open", wanted);
    p.button.setAttribute("aria-expanded", String(wanted));
    if (wanted) p.box.dispatchEvent(new Event("list-open", { bubbles: true }));
    if (wanted) point(p, p.options.find((one) => one.getAttribute("aria-selected") === "true") || p.options[0]);
    else p.button.removeAttribute("aria-activedescendant");
  }

  function point(p, option) {
    p.options.forEach((one) => one.classList.toggle("slds-has-focus", one === option));
    if (!option) return;
    p.button.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function choose(p, option) {
    p.options.forEach((one) => {
      one.setAttribute("aria-selected", String(one === option));
      one.classList.toggle("slds-is-selected", one === option);
    });
    p.input.value = option.dataset.value;
    p.button.querySelector("[data-shown]").textContent = option.textContent.trim();
    p.button.classList.toggle("slds-combobox__input-value", option.dataset.value !== "");
    p.input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("click", (event) => {
    const root = event.target.closest("[data-combobox]");
    const shown = open();
    if (shown && (!root || !root.contains(shown))) show(parts(shown.closest("[data-combobox]")), false);
    if (!root) return;
    const p = parts(root);
    const option = event.target.closest("[role=option]");
    if (option) { choose(p, option); show(p, false); p.button.focus(); }
    else if (event.target.closest("[role=combobox]")) show(p, !p.box.classList.contains("slds-is-open"));
  });

  document.addEventListener("keydown", (event) => {
    const button = event.target.closest("[data-combobox] [role=combobox]");
    if (!button) return;
    if (event.key.length > 1 && event.key !== "Shift") typedAt = -Infinity;  // what is typed next is another word
    const p = parts(button.closest("[data-combobox]"));
    const shown = p.box.classList.contains("slds-is-open");
    const at = p.options.findIndex((one) => one.classList.contains("slds-has-focus"));
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: p.options.length - 1, PageDown: at + 7, PageUp: at - 7 };
    if (event.key in moves) {
      event.preventDefault();
      if (!shown) return show(p, true);
      return point(p, p.options[Math.max(0, Math.min(p.options.length - 1, moves[event.key]))]);
    }
    if (event.key === "Enter" || (event.key === " " && event.timeStamp - typedAt > 1000)) {
      event.preventDefault();
      if (shown && at >= 0) choose(p, p.options[at]);
      return show(p, !shown);
    }
    if (event.key === "Escape" && shown) { event.preventDefault(); event.stopPropagation(); return show(p, false); }
    if (event.key === "Tab" && shown) { if (at >= 0) choose(p, p.options[at]); return show(p, false); }
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();  // a space would click the button
    ahead(p, event, shown);
  });

  function ahead(p, event, shown) {
    typed = event.timeStamp - typedAt > 1000 ? event.key : typed + event.key;
    if (!shown) show(p, true);
    typedAt = event.timeStamp;
    const at = p.options.findIndex((one) => one.classList.contains("slds-has-focus"));
    const from = typed.length === 1 ? at + 1 : Math.max(at, 0);
    const turned = [...p.options.slice(from), ...p.options.slice(0, from)];
    const found = turned.find((one) => one.textContent.trim().toLowerCase().startsWith(typed.toLowerCase()));
    if (found) point(p, found);
  }

  document.addEventListener("focusout", (event) => {
    const root = event.target.closest("[data-combobox]");
    if (root && event.relatedTarget && !root.contains(event.relatedTarget)) show(parts(root), false);
  });
})();
