// The grid: a tile for each episode, changed in place, so that a picture is fetched only when it is another one.

const data = JSON.parse(document.getElementById("data").textContent);
const FOLDER = "picture"; // where the run's pictures are
const MOST_ENDED = 48; // tiles of ended episodes, unless a person asks for all
const STATES = {
  resetting: "resets the world", waiting: "waits for its turn", starting: "starts the agent", deciding: "decides",
  paused: "paused", taken: "a person plays", judging: "is judged",
};

const episodes = new Map(); // by key, as the server sent them
const drawnTiles = new Map(); // the nodes of each tile
let current = { run: { name: null, state: "waiting" }, figures: null };
const filter = { text: "", state: "" };
let allEnded = false;

function isRunning(episode) {
  return episode.state !== "ended";
}

function isLost(episode) {
  return isRunning(episode) && current.run.state !== "playing";
}

function badge(episode) {
  if (episode.state === "ended" && episode.outcome) return outcomeBadge(episode.outcome);
  if (isLost(episode)) return el("span", { class: "badge muted" }, el("span", { class: "dot gone" }), "was not finished");
  const paused = episode.state === "paused" || episode.state === "taken";
  return el("span", { class: "badge" }, el("span", { class: `dot ${paused ? "paused" : "busy"}`, "aria-hidden": "true" }), STATES[episode.state] || episode.state);
}

// `suite:application/task[variant-...]` as the task, and what is around it.
function named(episode) {
  const id = episode.instance || episode.key;
  const at = id.lastIndexOf("/");
  return { task: id.slice(at + 1), around: at < 0 ? "" : id.slice(0, at) };
}

function effort(episode) {
  const phase = episode.phase ? ` of the phase ${episode.phase}` : "";
  return [
    `${count(episode.steps, "step", "steps")}${episode.max_steps ? ` of ${episode.max_steps}` : ""}${phase}`,
    episode.seconds !== undefined && duration(episode.seconds),
    episode.cost !== undefined && episode.cost !== 0 && dollars(episode.cost),
    episode.number > 1 && `attempt ${episode.number}`,
  ].filter(Boolean);
}

function screenOf(holder, episode) {
  const attempt = { folder: FOLDER };
  const source = sourceOf(attempt, episode);
  if (!holder.firstChild || holder.dataset.at !== (source || "")) {
    if (source) showScreen(holder, attempt, { ...episode, n: episode.steps });
    else holder.replaceChildren(blank(isRunning(episode) ? "No picture yet." : "No screenshot was kept."));
    holder.dataset.at = source || "";
    return;
  }
  const picture = holder.querySelector("img");
  if (!picture?.naturalWidth) return; // it is drawn with its marks when it is there
  holder.querySelector("svg")?.remove();
  if (episode.marks?.length) holder.append(overlay(episode.marks, picture.naturalWidth, picture.naturalHeight));
}

function newTile(key) {
  const screen = el("figure", { class: "screen" });
  const about = el("div", { class: "about" });
  const link = el("a", { href: `#${encodeURIComponent(key)}`, "data-key": key }, screen, about);
  return { node: el("li", { class: "tile" }, link), screen, about, drawn: "" };
}

function drawTile(episode) {
  if (!drawnTiles.has(episode.key)) drawnTiles.set(episode.key, newTile(episode.key));
  const tile = drawnTiles.get(episode.key);
  const now = JSON.stringify([episode, current.run.state]);
  if (tile.drawn === now) return tile.node;
  tile.drawn = now;
  const { task, around } = named(episode);
  tile.node.classList.toggle("paused", episode.state === "paused");
  tile.node.classList.toggle("lost", isLost(episode));
  screenOf(tile.screen, episode);
  const ended = !isRunning(episode);
  tile.about.replaceChildren(
    el("div", { class: "head" }, el("span", { class: "name", dir: "auto", title: episode.instance }, task), badge(episode)),
    el("div", { class: "path" }, around),
    el("div", { class: "action", dir: "auto" }, ended && episode.outcome !== "success" ? episode.reason || "" : episode.action || ""),
    episode.thought ? el("div", { class: "said thought", dir: "auto" }, episode.thought) : el("div", { class: "said goal", dir: "auto" }, episode.goal || ""),
    el("div", { class: "figures" }, effort(episode).map((words) => el("span", {}, words))));
  return tile.node;
}

function fitsFilter(episode) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [episode.instance, episode.goal, episode.thought, episode.action, episode.reason, episode.outcome].join(" ").toLowerCase();
  const states = [episode.state, episode.outcome, isRunning(episode) ? "running" : "ended"];
  return (!filter.state || states.includes(filter.state)) && words.every((word) => text.includes(word));
}

// Those that are played first, in the order they began; then those that ended, the newest first.
function inOrder() {
  return [...episodes.values()].filter(fitsFilter).sort((a, b) =>
    isRunning(b) - isRunning(a) || (isRunning(a) ? (a.started || 0) - (b.started || 0) : b.since - a.since) || alphabetic.compare(a.key, b.key));
}

const alphabetic = new Intl.Collator("en", { numeric: true });

function drawTiles() {
  const grid = document.getElementById("tiles");
  if (!grid) return;
  const found = inOrder();
  const running = found.filter(isRunning).length;
  const shown = allEnded ? found : found.slice(0, Math.max(running + 4, MOST_ENDED));
  const nodes = shown.map(drawTile);
  if (nodes.length !== grid.children.length || nodes.some((node, place) => grid.children[place] !== node)) {
    const focused = grid.contains(document.activeElement) ? document.activeElement : null;
    grid.replaceChildren(...nodes);
    focused?.focus({ preventScroll: true });
  }
  grid.className = `tiles ${nodes.length === 1 ? "one" : nodes.length <= 4 ? "few" : nodes.length > 24 ? "many" : ""}`;
  const hidden = found.length - shown.length;
  document.getElementById("more").replaceChildren(hidden > 0
    ? button({ class: "link", onclick: () => { allEnded = true; drawTiles(); } }, `Show ${count(hidden, "more ended episode", "more ended episodes")}`)
    : nodes.length === 0 ? el("p", { class: "empty" }, emptyWords()) : "");
}

function emptyWords() {
  if (current.run.state === "waiting") return "Waiting for the run.";
  return episodes.size > 0 ? "No episode fits the filter." : "No episode has begun yet.";
}

function moveTile(by) {
  const links = [...document.querySelectorAll("#tiles a")];
  const at = links.indexOf(document.activeElement);
  const target = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}
