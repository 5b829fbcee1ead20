// One instance: what was asked, what was found, and how it came about.

function place() {
  const instance = data.instances.find((candidate) => candidate.id === view.i && resultOf(candidate));
  return instance || null;
}

function bounded(text, fallback, last) {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? fallback : Math.max(0, Math.min(last, value - 1));
}

function neighbours(instance) {
  const list = shown();
  const at = list.findIndex((candidate) => candidate.id === instance.id);
  return { before: at > 0 ? list[at - 1] : null, after: at >= 0 ? list[at + 1] || null : null, at, all: list.length };
}

function crumbs(instance) {
  const { before, after, at, all } = neighbours(instance);
  const way = (target, words) => (target
    ? el("a", { href: address({ i: target.id }), title: target.id }, words)
    : el("span", { "aria-disabled": "true" }, words));
  return el("nav", { class: "crumbs", "aria-label": "instances" }, el("a", { href: address() }, "← all instances"), el("span", { class: "muted run" }, focused().name),
    el("span", { class: "push muted" }, at >= 0 && `${at + 1} of ${all}`), way(before, "previous"), way(after, "next"));
}

function runsOf(instance) {
  return several && el("div", { class: "tabs", role: "group", "aria-label": "runs" }, data.runs.map((run, number) => instance.played[number] &&
    button({ "aria-pressed": String(number === view.run - 1), onclick: () => go({ i: instance.id, run: number + 1 }) }, `${run.name} `, outcomeBadge(instance.played[number].outcome))));
}

function attemptsOf(instance, episode, chosen) {
  return episode.attempts.length > 1 && el("div", { class: "tabs", role: "group", "aria-label": "attempts" }, episode.attempts.map((attempt, at) =>
    button({ "aria-pressed": String(at === chosen), onclick: () => go({ i: instance.id, a: at + 1 }) }, `Attempt ${attempt.number} `, outcomeBadge(attempt.outcome))));
}

function files(attempt) {
  if (!attempt.folder) return null;
  const link = (name, words) => el("a", { href: name.includes("://") ? name : `${attempt.folder}/${name}` }, words);
  return el("p", { class: "files small" }, attempt.video && link(attempt.video, "video"), link("steps.jsonl", "steps.jsonl"), link("", "all files"));
}

function titleOf(instance) {
  return el("h1", { class: "title" }, el("span", { class: "app" }, `${instance.application} / `), instance.task, el("span", { class: "app" }, ` · ${label(instance)}`));
}

let stage = null; // what is on the page: an instance, its attempt, and how to show a step of it

function showStep(at) {
  const last = stage.attempt.frames.length - 1;
  stage.at = Math.max(0, Math.min(last, at));
  view.s = stage.at === 0 ? "" : String(stage.at + 1);
  stage.show(stage.at);
  keepAddress();
}

async function detail(instance) {
  const result = resultOf(instance);
  const episode = await episodeOf(instance);
  const chosen = bounded(view.a, episode.attempts.length - 1, episode.attempts.length - 1);
  const attempt = episode.attempts[chosen];
  const last = episode.attempts[episode.attempts.length - 1];
  const { node, show } = player(attempt, showStep);
  const nodes = [
    crumbs(instance), runsOf(instance), titleOf(instance),
    el("p", { class: `ended tone-${toneOf(result.outcome)}` }, outcomeBadge(result.outcome), el("span", { class: "muted", dir: "auto" }, result.outcome === "success" ? last.words : result.reason)),
    facts(instance, result, episode),
    el("div", { class: "columns" }, goalOf(episode),
      el("div", { class: "stage" }, attemptsOf(instance, episode, chosen), attempt !== last && attempt.error && said(attempt.error, "broke long"),
        el("div", { id: "stage" }, node), files(attempt)),
      found(episode)),
    changed(episode),
  ];
  return { nodes, attempt, show, at: bounded(view.s, 0, Math.max(0, attempt.frames.length - 1)) };
}
