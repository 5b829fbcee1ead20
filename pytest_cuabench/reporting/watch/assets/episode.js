// One episode in large: its goal, its steps as in the report, pause and abort.

let opened = null; // what is open: its key, nodes and frames, the step that is shown, and what was asked for

function opens() {
  const key = decodeURIComponent(location.hash.slice(1));
  return episodes.has(key) ? key : null;
}

function folderOf(key) {
  return [FOLDER, ...key.split("/").map(encodeURIComponent)].join("/");
}

// The screen that the agent looks at now is no step yet.
function withNow(frames, episode) {
  const last = frames[frames.length - 1];
  const shot = episode.shot?.slice(episode.key.length + 1);
  if (!isRunning(episode) || isLost(episode) || !shot || last?.shot === shot) return frames;
  return [...frames, { n: last ? last.n + 1 : 0, shot, now: true, at: 0, took: 0, actions: [STATES[episode.state] || episode.state] }];
}

async function fetchFrames(key) {
  const answer = await fetch(`steps?key=${encodeURIComponent(key)}`).then((response) => response.json());
  if (answer.problem) throw new Error(answer.problem);
  return answer.frames;
}

function openEpisode(key) {
  opened = { key, frames: [], at: Infinity, asked: null, drawn: "" };
  const main = document.getElementById("main");
  opened.nodes = {
    title: el("h1", { class: "title", dir: "auto" }), badge: el("p", { class: "ended" }), facts: el("dl", { class: "facts" }),
    commands: el("div", { class: "commands" }), goal: el("div", { class: "asked" }), stage: el("div", { class: "stage" }),
  };
  const { title, badge: state, facts: figures, commands, goal, stage } = opened.nodes;
  main.replaceChildren(el("nav", { class: "crumbs" }, el("a", { href: "#" }, "← all episodes"), el("span", { class: "push" }), commands),
    title, state, figures, problemLine(), el("div", { class: "columns" }, goal, stage));
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
  drawEpisode();
}

function drawEpisode() {
  const episode = episodes.get(opened.key);
  const now = JSON.stringify([episode, current.run.state]);
  if (opened.drawn === now || document.fullscreenElement) return; // a new player would leave the full screen
  opened.drawn = now;
  const { task, around } = named(episode);
  document.title = `${task} · ${current.run.name}`;
  opened.nodes.title.replaceChildren(el("span", { class: "app" }, around && `${around} / `), task);
  opened.nodes.badge.replaceChildren(badge(episode), el("span", { class: "muted", dir: "auto" }, isRunning(episode) ? "" : episode.reason || ""));
  opened.nodes.facts.replaceChildren(...[
    ["steps", `${episode.steps}${episode.max_steps ? ` of ${episode.max_steps}` : ""}`],
    ["time", duration(episode.seconds)], ["cost", episode.cost === undefined ? "–" : dollars(episode.cost)],
    ["attempt", episode.number ?? "–"], ...(episode.phase ? [["phase", episode.phase]] : []),
  ].map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  opened.nodes.goal.replaceChildren(el("h2", {}, "Goal"), episode.goal ? said(episode.goal, "goal") : el("p", { class: "muted" }, "It is known after the reset."));
  const able = isRunning(episode) && !isLost(episode) && !data.readOnly;
  opened.nodes.commands.replaceChildren(...(able ? [...takeOverButtons(episode), episode.state !== "taken" && pauseButton(episode.state === "paused", episode.key), abortButton("Abort this episode", episode.key)].filter(Boolean) : []));
  if (able && episode.state === "taken") drawDesk(episode, opened.nodes.stage);
  else drawSteps(episode);
}

async function drawSteps(episode) {
  const mine = opened;
  const asked = `${episode.steps} ${episode.state === "ended"}`;
  if (mine.asked !== asked) {
    mine.asked = asked;
    try {
      mine.frames = await fetchFrames(episode.key);
    } catch (problem) {
      return void tellProblem(`Cannot read the steps: ${problem.message}`);
    }
    if (opened !== mine || episodes.get(mine.key).state === "taken") return;
  }
  const frames = withNow(mine.frames, episodes.get(mine.key));
  const follows = mine.at >= (mine.length || 0) - 1;
  mine.length = frames.length;
  const { node, show } = player({ frames, folder: folderOf(mine.key), played: frames.length }, goStep);
  const { stage } = mine.nodes;
  const before = stage.querySelector(".screen"); // its picture stays until the next one is there
  if (before && frames.length > 0) node.querySelector(".screen").replaceChildren(...before.childNodes);
  const focused = stage.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  mine.show = show;
  stage.replaceChildren(node);
  if (focused) stage.querySelector(`[aria-label="${focused}"]`)?.focus({ preventScroll: true });
  goStep(follows ? frames.length - 1 : mine.at);
}

function goStep(at) {
  if (!opened?.show || !opened.length) return;
  opened.at = Math.max(0, Math.min(opened.length - 1, at));
  opened.show(opened.at);
}
