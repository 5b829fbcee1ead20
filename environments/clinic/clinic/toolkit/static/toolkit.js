"use strict";
// Widgets that replace what a screenshot of a headless browser cannot show: pop-up lists and dialogs.

const hide = (picker) => {
  picker.list.hidden = true;
  picker.box.setAttribute("aria-expanded", "false");
  picker.box.removeAttribute("aria-activedescendant");
  picker.options.forEach((option) => option.classList.remove("active"));
  picker.active = -1;
};

const shown = (picker) => picker.options.filter((option) => !option.hidden);

const activate = (picker, index) => {
  const options = shown(picker);
  picker.options.forEach((option) => option.classList.remove("active"));
  picker.active = Math.max(0, Math.min(index, options.length - 1));
  const option = options[picker.active];
  if (!option) return;
  option.classList.add("active");
  option.scrollIntoView({ block: "nearest" });
  picker.box.setAttribute("aria-activedescendant", option.id);
};

const open = (picker) => {
  if (shown(picker).length === 0) return hide(picker);
  picker.list.hidden = false;
  picker.box.setAttribute("aria-expanded", "true");
  const edge = picker.box.getBoundingClientRect();
  const below = window.innerHeight - edge.bottom;
  picker.list.classList.toggle("up", below < picker.list.offsetHeight + 4 && edge.top > below);
};

const onKeys = (picker, choose) => (event) => {
  const closed = picker.list.hidden;
  const last = shown(picker).length - 1;
  if (event.key === "Tab" && !picker.typing && !closed && picker.active >= 0) choose(shown(picker)[picker.active]);
  const steps = { ArrowDown: picker.active + 1, ArrowUp: picker.active - 1 };
  if (event.key in steps) {
    if (closed) open(picker);
    activate(picker, closed ? picker.start() : steps[event.key]);
  } else if (event.key === "Enter" && !closed) {
    if (picker.active >= 0) choose(shown(picker)[picker.active]);
    hide(picker);
  } else if (event.key === "Escape" && !closed) {
    hide(picker);
  } else if (!picker.typing && !closed && (event.key === "Home" || event.key === "End")) {
    activate(picker, event.key === "Home" ? 0 : last);
  } else if (!picker.typing && event.key.length === 1 && event.key !== " ") {
    open(picker);
    const letter = event.key.toLowerCase();
    const match = shown(picker).findIndex((option) => option.textContent.toLowerCase().startsWith(letter));
    if (match >= 0) activate(picker, match);
  } else if (!picker.typing && !closed && event.key === " " && picker.active >= 0) {
    choose(shown(picker)[picker.active]);
    hide(picker);
  } else {
    return;
  }
  event.preventDefault();
};

const wire = (picker, choose) => {
  picker.box.addEventListener("keydown", onKeys(picker, choose));
  picker.box.addEventListener("blur", () => hide(picker));
  picker.list.addEventListener("mousedown", (event) => event.preventDefault());
  picker.list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    choose(option);
    hide(picker);
  });
};

const parts = (root, selector, typing) => ({
  box: root.querySelector(selector),
  list: root.querySelector("[role=listbox]"),
  options: [...root.querySelectorAll("[role=option]")],
  active: -1,
  typing,
});

document.querySelectorAll("[data-listbox]").forEach((root) => {
  const picker = parts(root, "button", false);
  const value = root.querySelector("input");
  const label = root.querySelector(".shown");
  picker.start = () => picker.options.findIndex((option) => option.dataset.value === value.value);
  wire(picker, (option) => {
    value.value = option.dataset.value;
    label.textContent = option.textContent;
    label.classList.remove("none");
    picker.options.forEach((each) => each.setAttribute("aria-selected", String(each === option)));
  });
  picker.box.addEventListener("click", () => {
    if (!picker.list.hidden) return hide(picker);
    open(picker);
    if (value.value) activate(picker, picker.start());
  });
  document.getElementById(picker.box.getAttribute("aria-labelledby")).addEventListener("click", () => picker.box.focus());
});

document.querySelectorAll("[data-suggest]").forEach((root) => {
  const picker = parts(root, "input", true);
  const filter = () => {
    const text = picker.box.value.trim().toLowerCase();
    picker.options.forEach((option) => { option.hidden = !option.textContent.toLowerCase().includes(text); });
    hide(picker);
    open(picker);
  };
  picker.start = () => 0;
  wire(picker, (option) => { picker.box.value = option.dataset.value; });
  picker.box.addEventListener("input", filter);
  picker.box.addEventListener("click", filter);
});

document.querySelectorAll("[data-dialog]").forEach((dialog) => {
  const close = () => {
    dialog.remove();
    document.getElementById("page").inert = false;
    document.removeEventListener("keydown", onEscape);
  };
  const onEscape = (event) => { if (event.key === "Escape") close(); };
  const decline = dialog.querySelector("[data-decline]");
  decline.addEventListener("click", close);
  document.addEventListener("keydown", onEscape);
  decline.focus();
});

const first = document.querySelector("#page:not([inert]) [aria-invalid=true], #page [data-first]");
if (first) first.focus();

// A page taken back from the browser's memory would show, and report, an old state.
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
