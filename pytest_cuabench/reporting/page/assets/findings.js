// What was found in an instance: milestones, violations, the answer, and what changed in the world.

function fact(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}

function facts(instance, result, episode) {
  const here = result.outcome !== "imported"; // what was played elsewhere has no budget, no end and no score that is known
  return el("dl", { class: "facts" },
    here && fact("score", result.score?.toFixed(2) ?? "–"),
    here && fact("reward", signed(result.reward)),
    fact("steps", here ? `${result.steps} of ${episode.max_steps}` : result.steps),
    fact("time", duration(result.seconds)),
    fact("cost", dollars(result.cost)),
    fact("tokens", tokens(episode)),
    here && fact("ended by", spaced(episode.ending)),
    result.failure && fact("failure", spaced(result.failure)),
    here && fact("difficulty", instance.difficulty),
    here && fact("domain", instance.domain),
    result.code && fact("code", "executed"),
    result.scripts > 0 && fact("scripts", `${result.scripts} evaluated in pages`),
    result.agent && fact("agent", result.agent),
    result.isolation && fact("isolation", spaced(result.isolation)));
}

function milestone(item) {
  const tone = item.reached ? "success" : "failure";
  const pair = (name) => item[name] && [el("dt", {}, name), el("dd", { class: "said long", dir: "auto" }, item[name])];
  const differs = !item.reached || item.expected !== item.seen;
  return el("li", { class: `finding tone-${tone}` }, icon(tone), el("div", {},
    el("span", { class: "weight" }, percent(item.weight, 0)), el("strong", {}, item.name),
    el("span", { class: "muted small" }, item.reached ? " reached" : " missed"),
    (item.expected || item.seen) && el("dl", {}, pair(differs ? "expected" : "seen"), differs && pair("seen"))));
}

function violation(item) {
  return el("li", { class: "finding tone-violation" }, icon("violation"), el("div", {},
    el("span", { class: "weight" }, item.severity), el("strong", {}, spaced(item.dimension)),
    el("div", { class: "small muted" }, item.subject), said(item.detail, "long")));
}

function goalOf(episode) {
  return el("div", { class: "asked" },
    episode.error && el("section", {}, el("h2", {}, "Error"), said(episode.error, "broke long")),
    episode.goal && el("section", {}, el("h2", {}, "Goal"), said(episode.goal, "goal")));
}

function found(episode) {
  const missed = episode.milestones.filter((item) => !item.reached);
  return el("div", { class: "found" },
    episode.violations.length > 0 && el("section", {}, el("h2", {}, "Violations"), el("ul", {}, episode.violations.map(violation))),
    episode.milestones.length > 0 && el("section", {}, el("h2", {}, "Milestones ", el("span", { class: "muted" }, `${episode.milestones.length - missed.length} of ${episode.milestones.length}`)),
      el("ul", {}, [...missed, ...episode.milestones.filter((item) => item.reached)].map(milestone))),
    episode.answer !== null && el("section", {}, el("h2", {}, "Answer given"), said(episode.answer, "long answer")));
}

function changeRow(change, before) {
  const [collection, key, op, field, was, is] = change;
  const same = before && collection === before[0] && key === before[1];
  const quiet = same ? "same" : null;
  const value = (name, text, tag) => el("td", { "data-column": name }, text === null ? el("span", { class: "muted" }, "nothing") : el(tag, { class: "said value", dir: "auto" }, text));
  return el("tr", { class: same ? "more" : null },
    el("td", { "data-column": "record", class: quiet }, `${collection} ${key}`), el("td", { "data-column": "change", class: quiet }, op),
    el("td", { "data-column": "field" }, field), value("before", was, "del"), value("after", is, "ins"));
}

function changed(episode) {
  if (!episode.judged && episode.changes.length === 0) return null;
  const missing = episode.changed - episode.changes.length;
  return el("section", {}, el("h2", {}, "What changed"),
    episode.changes.length === 0 ? el("p", { class: "muted" }, "Nothing in the world differs from the start.") : scroller("changes",
      el("table", { class: "changes" },
        el("thead", {}, el("tr", {}, ["record", "change", "field", "before", "after"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, episode.changes.map((change, place) => changeRow(change, episode.changes[place - 1]))))),
    missing > 0 && el("p", { class: "hint" }, `${count(missing, "more change is", "more changes are")} in before.json and after.json.`));
}
