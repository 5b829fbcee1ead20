// The run's figures, commands, and the changes that the server sends.

const HELP = [
  ["/", "search"], ["← → ↑ ↓", "move between tiles, or between steps"], ["Enter", "open the episode"], ["Esc", "back to all episodes; leave the search"],
  ["p", "pause or resume the open episode"], ["f", "full screen"], ["t", "light or dark"], ["?", "this help"],
];

let over = false;

function leftWords(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function figure(name, value, more) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value, more && el("small", {}, ` ${more}`)));
}

function runState() {
  const words = { waiting: "waiting for the run", playing: "playing", ended: "ended", killed: "the session was killed" }[current.run.state];
  const paused = current.figures?.running > 0 && current.figures.paused === current.figures.running;
  const playing = current.run.state === "playing" && !over;
  return el("span", { class: "state" }, el("span", { class: `dot ${playing ? (paused ? "paused" : "busy") : "gone"}`, "aria-hidden": "true" }), playing && paused ? "paused" : words);
}

function progress(figures) {
  const planned = figures.planned || figures.done || 1;
  const parts = Object.entries(figures.outcomes).sort(([a], [b]) => (b === "success") - (a === "success") || a.localeCompare(b));
  return el("div", { class: "progress", role: "img", "aria-label": `${figures.done} of ${planned} instances ended` }, parts.map(([outcome, number]) => {
    const part = el("span", { class: `tone-${toneOf(outcome)}`, title: `${number} ${spaced(outcome)}` });
    part.style.width = `${100 * number / planned}%`;
    return part;
  }));
}

function drawRun() {
  const { run, figures } = current;
  const holder = document.getElementById("run");
  if (!holder) return;
  const able = run.state === "playing" && !over && !data.readOnly;
  const paused = figures.running > 0 && figures.paused === figures.running;
  const focused = holder.contains(document.activeElement) ? document.activeElement.textContent : null;
  const rated = figures.rate.n > 0 ? percent(figures.rate.k / figures.rate.n) : "–";
  holder.replaceChildren(
    el("div", { class: "run" }, el("h1", {}, run.name || "No run yet"), runState(),
      able && el("div", { class: "commands" }, pauseButton(paused, null), abortButton("Abort the run", null))),
    progress(figures),
    el("dl", { class: "live" },
      figure("done", `${figures.done}`, `of ${figures.planned ?? "?"}`),
      figure("success", rated, figures.rate.n > 0 && `${figures.rate.k} of ${figures.rate.n}, ${interval(figures.rate)}`),
      figure("running", `${run.state === "playing" ? figures.running : 0}`, figures.paused > 0 && `${figures.paused} paused`),
      Object.entries(figures.outcomes).filter(([outcome]) => outcome !== "success").map(([outcome, number]) => figure(spaced(outcome), number)),
      figure("cost", dollars(figures.cost)),
      run.state === "playing" && figure("time left", leftWords(figures.left))));
  if (focused) [...holder.querySelectorAll("button")].find((each) => each.textContent === focused)?.focus();
}

// Commands

function problemLine() {
  return el("p", { class: "problem", id: "problem", role: "alert" });
}

function tellProblem(words) {
  document.getElementById("problem")?.replaceChildren(document.createTextNode(visible(words)));
}

async function send(command, attempt, action) {
  const answer = await fetch("command", { method: "POST", body: JSON.stringify({ command, attempt, action }) }).catch(() => null);
  const problem = answer === null ? "The server has ended." : answer.ok ? "" : (await answer.json().catch(() => ({ problem: answer.statusText }))).problem;
  tellProblem(problem);
}

function pauseButton(paused, attempt) {
  const whole = attempt === null ? " all" : "";
  return button({ class: "command hold", onclick: () => send(paused ? "resume" : "pause", attempt) }, (paused ? "Resume" : "Pause") + whole);
}

function abortButton(words, attempt) {
  return button({ class: "command abort", onclick: () => askAbort(words, attempt) }, words);
}

function askAbort(words, attempt) {
  const told = attempt === null
    ? "Episodes in progress end before their next step, and the session stops. --cua-resume plays them again."
    : "It ends before its next step, and is recorded as cancelled: it counts in no rate.";
  const dialog = el("dialog", { class: "ask", "aria-labelledby": "ask-title" }, el("h2", { id: "ask-title" }, `${words}?`), el("p", {}, told),
    el("form", { method: "dialog", class: "commands" }, el("button", {}, "keep playing"),
      el("button", { class: "abort", onclick: () => send("abort", attempt) }, words)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// The page

function openGrid() {
  opened = null;
  document.title = `${current.run.name || "waiting"} · pytest-cuabench`;
  const search = el("input", { type: "search", id: "search", placeholder: "Search tasks, goals, thoughts", "aria-label": "search", oninput: () => { filter.text = search.value; drawTiles(); } });
  search.value = filter.text;
  const pick = el("select", { id: "state", "aria-label": "state", onchange: () => { filter.state = pick.value; drawTiles(); } });
  document.getElementById("main").replaceChildren(el("div", { id: "run" }), problemLine(),
    el("div", { class: "tools" }, search, pick), el("ul", { class: "tiles", id: "tiles" }), el("div", { class: "more", id: "more" }));
  drawGrid();
}

function drawGrid() {
  drawRun();
  const pick = document.getElementById("state");
  const names = ["", "running", "paused", "ended", ...Object.keys(current.figures.outcomes)];
  if (pick.dataset.names !== String(names)) {
    pick.dataset.names = String(names);
    pick.replaceChildren(...names.map((name) => el("option", { value: name }, name === "" ? "all states" : spaced(name))));
    pick.value = filter.state;
  }
  drawTiles();
}

function draw() {
  if (document.hidden || current.figures === null) return; // nobody looks
  const key = opens();
  if (key === null) {
    if (opened || !document.getElementById("tiles")) openGrid();
    else drawGrid();
  } else if (opened?.key === key) drawEpisode();
  else openEpisode(key);
}

function arrived(key) {
  if (key) document.querySelector(`#tiles a[data-key="${CSS.escape(key)}"]`)?.focus();
}

window.addEventListener("hashchange", () => {
  const before = opened?.key;
  draw();
  if (!opened) arrived(before);
});
document.addEventListener("visibilitychange", draw);
document.addEventListener("fullscreenchange", draw);

function ended(words) {
  over = true;
  draw();
  document.getElementById("over").replaceChildren(el("p", { class: "over", role: "status" }, words));
}

const stream = new EventSource("events");
stream.addEventListener("message", (event) => {
  const { run, figures, tiles } = JSON.parse(event.data);
  current = { run, figures };
  for (const tile of tiles) episodes.set(tile.key, tile);
  document.getElementById("over").replaceChildren();
  draw();
});
stream.addEventListener("over", () => {
  stream.close();
  ended("The server has ended; this page keeps what it knows. Type “cuabench view” to open the run’s report.");
});
stream.addEventListener("error", () => {
  document.getElementById("over").replaceChildren(el("p", { class: "over", role: "status" }, "No connection to the server; trying again."));
});

// Keys

const LARGE_KEYS = {
  ArrowLeft: () => goStep(opened.at - 1), ArrowRight: () => goStep(opened.at + 1), Home: () => goStep(0), End: () => goStep(Infinity),
  f: () => document.querySelector('[aria-label="full screen"]')?.click(), Escape: () => { location.hash = ""; },
  p: () => document.querySelector(".crumbs .hold")?.click(),
};
const perRow = () => getComputedStyle(document.getElementById("tiles")).gridTemplateColumns.split(" ").length;
const GRID_KEYS = { ArrowLeft: () => moveTile(-1), ArrowRight: () => moveTile(1), ArrowUp: () => moveTile(-perRow()), ArrowDown: () => moveTile(perRow()) };
const focusSearch = () => document.getElementById("search")?.focus();
function search() {
  if (!opened) return focusSearch(); // at once: the next key is the first one of the words
  window.addEventListener("hashchange", focusSearch, { once: true });
  location.hash = "";
}
const KEYS = { "/": search, "?": help, t: toggleTheme };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.matches("input:not([type=range]), select, textarea")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  const inGrid = !opened && (target === document.body || target.closest("#tiles, #main"));
  const action = KEYS[event.key] || (opened ? LARGE_KEYS : inGrid ? GRID_KEYS : {})[event.key];
  if (!action || (target.matches("input[type=range]") && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  action();
});

document.body.classList.add("watch");
document.getElementById("app").replaceChildren(topBar(), el("div", { id: "over" }), el("main", { id: "main", tabindex: "-1" }), helpDialog());
if (kept()) setTheme(kept());
