// The player: one recorded step at a time, with what the agent did drawn on what it saw.

function ring(points, size) {
  const [x, y] = points[0];
  const circle = (name) => svg("circle", { cx: x, cy: y, r: size, class: name });
  return [circle("halo"), circle("line"), circle("pulse")];
}

function arrow(points, size) {
  const [[x0, y0], [x, y]] = points.slice(-2);
  const angle = Math.atan2(y - y0, x - x0);
  const wing = (turn) => `L${x + size * Math.cos(angle + turn)} ${y + size * Math.sin(angle + turn)}`;
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

function screen(attempt, frame) {
  if (!frame.shot) return el("div", { class: "screen" }, el("div", { class: "blank" }, "No screenshot was kept of this step."));
  const words = frame.end ? "The screen at the end" : `The screen before step ${frame.n + 1}`;
  const picture = el("img", { src: `${attempt.folder}/${encodeURIComponent(frame.shot)}`, alt: words });
  const holder = el("figure", { class: "screen" }, picture);
  picture.addEventListener("load", () => {
    if (frame.marks) holder.append(overlay(frame.marks, picture.naturalWidth, picture.naturalHeight));
  });
  picture.addEventListener("error", () => holder.replaceChildren(el("div", { class: "blank" }, "The screenshot is no longer beside this page.")));
  return holder;
}

function bad(frame) {
  return Boolean(frame.format_error) || (frame.results || []).some((result) => result.error);
}

function note(text, tone) {
  return el("div", { class: `note tone-${tone}` }, icon(tone), said(text));
}

function plainNote(name, text) {
  return el("div", { class: "note plain" }, el("span", { class: "muted" }, name), said(text, "long"));
}

function stepText(attempt, frame) {
  if (frame.end) return el("div", { class: "step" }, el("p", { class: "where" }, "after the last step"), el("h3", {}, "The end of the episode"));
  return el("div", { class: "step" },
    el("p", { class: "where" }, el("span", {}, `step ${frame.n + 1}`), el("span", {}, `done after ${duration(frame.at)}`),
      el("span", {}, `world’s time ${duration(frame.took || 0)}`), frame.wrote && el("span", {}, "changed the world")),
    (frame.actions || ["no action"]).map((words) => el("h3", { dir: "auto" }, words)),
    (frame.typed || []).map((text) => said(text, "typed")),
    frame.format_error && note(`The reply was not understood: ${frame.format_error}`, "failure"),
    (frame.results || []).map((result) => (result.error ? note(result.error, "failure") : plainNote("result", result.text))),
    (frame.notices || []).map((notice) => plainNote("was told", notice)),
    frame.thought && said(frame.thought, "thought"));
}

function control(name, path, action, disabled) {
  return el("button", { type: "button", "aria-label": name, title: name, onclick: action, disabled },
    svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path })));
}

const ICONS = { back: "M3 2h2v12H3zM14 2v12L6 8z", on: "M11 2h2v12h-2zM2 2v12l8-6z", play: "M4 2v12l9-6z", pause: "M4 2h3v12H4zM9 2h3v12H9z" };
let playing = null;

function pause() {
  clearInterval(playing);
  playing = null;
}

function controls(attempt, at, go) {
  const last = attempt.frames.length - 1;
  const slider = el("input", { type: "range", min: 0, max: last, value: at, id: "slider", "aria-label": "step", oninput: () => go(Number(slider.value)) });
  const ticks = attempt.frames.map((frame) => el("i", { class: bad(frame) ? "bad" : frame.wrote ? "wrote" : null }));
  const toggle = () => {
    if (playing) pause();
    else playing = setInterval(() => (current().at < last ? go(current().at + 1) : (pause(), go(last))), 900);
    go(at);
  };
  return el("div", { class: "controls" },
    control("previous step", ICONS.back, () => go(at - 1), at === 0),
    control(playing ? "pause" : "play", playing ? ICONS.pause : ICONS.play, toggle, last === 0),
    control("next step", ICONS.on, () => go(at + 1), at === last),
    el("div", { class: "track" }, slider, el("div", { class: "ticks", "aria-hidden": "true" }, ticks)));
}

function player(attempt, at, go) {
  if (attempt.frames.length === 0) return el("div", { class: "screen" }, el("div", { class: "blank" }, "No step was recorded in this attempt."));
  const frame = attempt.frames[at];
  const missing = attempt.played - attempt.frames.length;
  return el("div", { id: "player" }, screen(attempt, frame), controls(attempt, at, go), stepText(attempt, frame),
    missing > 0 && el("p", { class: "hint" }, `The first ${count(missing, "step is", "steps are")} in ${attempt.folder}/steps.jsonl.`));
}
