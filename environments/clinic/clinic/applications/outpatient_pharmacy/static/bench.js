"use strict";
// The keyboard and the mouse of a desktop program: function keys, a grid with a selected row, menus.

document.addEventListener("keydown", (event) => {
  const dialog = document.querySelector(".modal");
  if (event.key === "Escape" && dialog && !event.defaultPrevented) {
    dialog.querySelector(".close").click();
  } else if (/^F\d+$/.test(event.key)) {
    event.preventDefault();
    const target = document.querySelector(`#page:not([inert]) [aria-keyshortcuts="${event.key}"]`);
    if (target) target.click();
  }
});

const queue = document.getElementById("queue");
if (queue) {
  const opener = document.getElementById("open");
  const lines = [...queue.querySelectorAll("tbody tr")].filter((line) => line.querySelector("a"));
  let at = -1;
  const select = (index) => {
    at = Math.max(0, Math.min(index, lines.length - 1));
    lines.forEach((line, place) => line.setAttribute("aria-selected", String(place === at)));
    lines[at].scrollIntoView({ block: "nearest" });
    opener.href = lines[at].querySelector("a").href;
    opener.classList.remove("off");
    opener.removeAttribute("aria-disabled");
  };
  lines.forEach((line, index) => {
    line.addEventListener("click", (event) => { event.preventDefault(); select(index); });
    line.addEventListener("dblclick", () => { select(index); opener.click(); });
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, button, a") || !lines.length) return;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (next !== undefined) select(next);
    else if (event.key === "Enter" && at >= 0) opener.click();
    else return;
    event.preventDefault();
  });
}

document.querySelectorAll(".menu").forEach((menu) => {
  const button = menu.querySelector("button");
  const list = menu.querySelector("ul");
  const show = (open) => { list.hidden = !open; button.setAttribute("aria-expanded", String(open)); };
  button.addEventListener("click", () => show(list.hidden));
  document.addEventListener("mousedown", (event) => { if (!menu.contains(event.target)) show(false); });
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") show(false); });
});

// Once it is said what to do with an alert, only the reasons for that are offered.
document.querySelectorAll("form[data-override]").forEach((form) => {
  const options = [...form.querySelectorAll("[role=option]")];
  const offer = () => {
    const chosen = form.querySelector("input[name=action]:checked");
    const reasons = chosen ? form.dataset[chosen.value].split(" ") : null;
    options.forEach((option) => { option.hidden = reasons !== null && !reasons.includes(option.dataset.value); });
  };
  form.addEventListener("change", offer);
  offer();
});
