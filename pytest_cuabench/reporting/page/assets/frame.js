// What is around a page: the bar at its top, light and dark, and the keys (`HELP`) in a dialog.

function help() {
  const dialog = document.getElementById("help");
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

function helpDialog() {
  return el("dialog", { id: "help", "aria-labelledby": "help-title" }, el("h2", { id: "help-title" }, "Keys"),
    el("dl", {}, HELP.map(([keys, words]) => [el("dt", {}, keys.split(/([ ,]+)/).map((part, at) => (at % 2 ? part : el("kbd", {}, part)))), el("dd", {}, words)])),
    el("form", { method: "dialog" }, el("button", {}, "close")));
}

// A browser may forbid a page from a disk to keep anything.
function kept(value) {
  try {
    if (value === undefined) return localStorage.getItem("cuabench-theme");
    localStorage.setItem("cuabench-theme", value);
  } catch { /* the choice then holds for this page only */ }
  return null;
}

function theme() {
  return document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  document.getElementById("theme").setAttribute("aria-pressed", String(name === "dark"));
  document.dispatchEvent(new Event("theme"));
}

function toggleTheme() {
  const name = theme() === "dark" ? "light" : "dark";
  kept(name);
  setTheme(name);
}

function topBar() {
  return el("header", { class: "top" },
    el("a", { href: "#", class: "brand" }, "pytest-cuabench"),
    el("nav", { id: "sections", "aria-label": "sections" }),
    button({ id: "theme", "aria-label": "dark", "aria-pressed": String(theme() === "dark"), title: "light or dark (t)", onclick: toggleTheme },
      svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 2v10A5 5 0 0 1 8 3z", fill: "currentColor" }))),
    button({ "aria-label": "keys", title: "keys (?)", onclick: help }, "?"));
}
