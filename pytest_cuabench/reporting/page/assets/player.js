// The player: one recorded step at a time, with what the agent did drawn on what it saw.

function ring(points, size) {
  const [x, y] = points[0];
  const circle = (name) => svg("circle", { cx: x, cy: y, r: size, class: name });
  return [circle("halo"), circle("line"), circle("pulse")];
}

function arrow(points, size) {
  const [[x0, y0], [x, y]] = points.slice(-2);
  const angle = Math.atan2(y - y0, x - x0);
  const wing = (turned) => `L${x + size * Math.cos(angle + turned)} ${y + size * Math.sin(angle + turned)}`;
  const path = `M${points.map((point) => point.join(" ")).join("L")}M${x} ${y}${wing(2.6)}M${x} ${y}${wing(-2.6)}`;
  return ["halo", "line"].map((name) => svg("path", { d: path, class: name }));
}

function box(points) {
  const [[left, top], [right, bottom]] = points;
  const shape = { x: left, y: top, width: right - left, height: bottom - top };
  return ["halo", "line"].map((name) => svg("rect", { ...shape, class: name }));
}

function overlay(marks, width, height) {
  const draw = { ring, arrow, box };
  const size = Math.max(width, height) / 64;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, marks.map(([sign, points]) => draw[sign](points, size)));
}

// Screens

function sourceOf(attempt, frame) {
  if (frame?.shot) return `${attempt.pictures || attempt.folder}/${frame.shot.split("/").map(encodeURIComponent).join("/")}`;
  if (frame?.picture === undefined) return null;
  return `data:image/webp;base64,${document.getElementById(`picture-${frame.picture}`).textContent}`;
}

function blank(words) {
  return el("div", { class: "blank" }, words);
}

// The screen before is left to be seen until the next one is there, so that nothing flickers.
function showScreen(holder, attempt, frame, next) {
  const source = sourceOf(attempt, frame);
  holder.dataset.at = source || "";
  if (!source) return holder.replaceChildren(blank("No screenshot was kept of this step."));
  const picture = el("img", { src: source, alt: frame.end ? "The screen at the end" : `The screen before step ${frame.n + 1}` });
  const current = () => holder.dataset.at === source;
  picture.addEventListener("load", () => {
    if (!current()) return;
    holder.replaceChildren(picture, frame.marks ? overlay(frame.marks, picture.naturalWidth, picture.naturalHeight) : "");
    if (next) new Image().src = next;
  });
  picture.addEventListener("error", () => current() && holder.replaceChildren(blank("The screenshot is no longer beside this page.")));
  if (!holder.firstChild) holder.append(picture);
}

// What is said of a step

function bad(frame) {
  return Boolean(frame.format_error) || (frame.results || []).some((result) => result.error);
}

function note(text, tone) {
  return el("div", { class: `note tone-${tone}` }, icon(tone), said(text, "long"));
}

function plainNote(name, text) {
  return el("div", { class: "note plain" }, el("span", { class: "muted" }, name), said(text, "long"));
}

function stepText(frame) {
  if (frame.end) return el("div", { class: "step" }, el("p", { class: "where" }, "after the last step"), el("h3", {}, frame.phase ? `The end of the phase ${frame.phase}` : "The end of the episode"),
    Object.entries(frame.facts || {}).map(([name, value]) => plainNote(name, value)));
  return el("div", { class: "step" },
    el("p", { class: "where" }, frame.phase && el("span", {}, `phase ${frame.phase}`), el("span", {}, `step ${frame.n + 1}`), el("span", {}, frame.now ? "now" : `done after ${duration(frame.at)}`),
      frame.took > 0 && el("span", {}, `world’s time ${duration(frame.took)}`), frame.wrote && el("span", { class: "wrote" }, "changed the world"),
      frame.commit && el("span", { class: "commit" }, "counts for the verdict")),
    (frame.actions || ["no action"]).map((words) => el("h3", { dir: "auto" }, words)),
    (frame.typed || []).map((text) => said(text, "typed")),
    frame.format_error && note(`The reply was not understood: ${frame.format_error}`, "failure"),
    frame.repairs && plainNote("Repaired in the reply", frame.repairs),
    (frame.results || []).map((result) => (result.error ? note(result.error, "failure") : plainNote("result", result.text))),
    (frame.notices || []).map((notice) => plainNote("was told", notice)),
    frame.thought && said(frame.thought, "thought"));
}

function stepRow(frame, place, go) {
  const words = frame.end ? `the end${frame.phase ? ` of ${frame.phase}` : ""}` : (frame.actions || ["no action"]).join(", then ");
  return el("li", {}, button({ onclick: () => go(place), dir: "auto" },
    el("span", { class: "n" }, frame.end ? "" : frame.n + 1), el("span", { class: "words" }, words),
    bad(frame) ? el("span", { class: "tone-failure", title: "an error" }, icon("failure"))
      : frame.commit ? el("span", { class: "dot commit", title: "counts for the verdict" }, "◆") : frame.wrote && el("span", { class: "dot", title: "changed the world" }, "●")));
}

// Controls

const ICONS = {
  back: "M3 2h2v12H3zM14 2v12L6 8z", on: "M11 2h2v12h-2zM2 2v12l8-6z", play: "M4 2v12l9-6z", pause: "M4 2h3v12H4zM9 2h3v12H9z",
  whole: "M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z",
};

function control(name, path, action) {
  return button({ "aria-label": name, title: name, onclick: action }, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path })));
}

const PLAY_MS = 900;
let playing = null;

function pause() {
  clearInterval(playing);
  playing = null;
}

// Returns the player's element and a function that shows a step; `go(place)` is told what a person asks for.
function player(attempt, go) {
  if (attempt.frames.length === 0) return { node: el("div", { class: "screen" }, blank("No step was recorded in this attempt.")), show: () => {} };
  const last = attempt.frames.length - 1;
  const holder = el("figure", { class: "screen" });
  const words = el("div", { "aria-live": "polite" });
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, id: "slider", "aria-label": "step", oninput: () => go(Number(slider.value)) });
  const ticks = attempt.frames.map((frame) => el("i", { class: bad(frame) ? "bad" : frame.commit ? "commit" : frame.wrote ? "wrote" : null }));
  const back = control("previous step", ICONS.back, () => go(Number(slider.value) - 1));
  const on = control("next step", ICONS.on, () => go(Number(slider.value) + 1));
  const toggle = control("play", ICONS.play, () => {
    if (playing) pause();
    else playing = setInterval(() => (Number(slider.value) < last ? go(Number(slider.value) + 1) : (pause(), go(last))), PLAY_MS);
    go(Number(slider.value));
  });
  const rows = attempt.frames.map((frame, place) => stepRow(frame, place, go));
  const list = el("ol", { class: "steps" }, rows);
  const missing = attempt.played - attempt.frames.length;
  const whole = control("full screen", ICONS.whole, () => (document.fullscreenElement ? document.exitFullscreen() : holder.requestFullscreen?.()));
  const node = el("div", { id: "player" }, holder,
    el("div", { class: "controls" }, back, toggle, on, el("div", { class: "track" }, slider, el("div", { class: "ticks", "aria-hidden": "true" }, ticks)), whole),
    el("div", { class: "told" }, words, el("div", { class: "all-steps" }, el("h2", {}, "Steps"), list)),
    missing > 0 && el("p", { class: "hint" }, `The first ${count(missing, "step is", "steps are")} in ${attempt.folder}/steps.jsonl.`));
  const show = (at) => {
    const frame = attempt.frames[at];
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", frame.end ? "the end" : `step ${frame.n + 1} of ${attempt.played}`);
    back.disabled = at === 0;
    on.disabled = at === last;
    toggle.disabled = last === 0;
    toggle.title = playing ? "pause" : "play";
    toggle.setAttribute("aria-label", toggle.title);
    toggle.querySelector("path").setAttribute("d", playing ? ICONS.pause : ICONS.play);
    words.replaceChildren(stepText(frame));
    showScreen(holder, attempt, frame, sourceOf(attempt, attempt.frames[at + 1]));
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    rows[at].firstChild.setAttribute("aria-current", "step");
    list.scrollTop = rows[at].offsetTop - list.clientHeight / 2;
  };
  return { node, show };
}
