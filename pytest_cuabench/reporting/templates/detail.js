// One instance: what was asked, what was found, and how it came about.

function fact(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}

function facts(instance) {
  return el("dl", { class: "facts" },
    fact("score", instance.score === null ? "–" : instance.score.toFixed(2)),
    fact("reward", signed(instance.reward)),
    fact("steps", `${instance.steps} of ${instance.max_steps}`),
    fact("time", duration(instance.seconds)),
    fact("cost", dollars(instance.cost)),
    fact("tokens", tokens(instance)),
    fact("ended by", instance.ending),
    fact("difficulty", instance.difficulty),
    fact("domain", instance.domain),
    instance.agent && fact("agent", instance.agent));
}

function milestone(item) {
  const tone = item.reached ? "success" : "failure";
  const pair = (name) => item[name] && [el("dt", {}, name), el("dd", { class: "said long", dir: "auto" }, item[name])];
  return el("li", { class: `finding tone-${tone}` }, icon(tone), el("div", {},
    el("span", { class: "weight" }, percent(item.weight, 0)), el("strong", {}, item.name),
    el("span", { class: "muted small" }, item.reached ? " reached" : " missed"),
    (item.expected || item.seen) && el("dl", {}, pair("expected"), pair("seen"))));
}

function violation(item) {
  return el("li", { class: "finding tone-violation" }, icon("violation"), el("div", {},
    el("span", { class: "weight" }, item.severity), el("strong", {}, item.dimension.replaceAll("_", " ")),
    el("div", { class: "small muted" }, item.subject), said(item.detail, "long")));
}

function why(instance) {
  return el("div", {},
    instance.error && el("section", {}, el("h2", {}, "What broke"), said(instance.error, "broke long")),
    instance.goal && el("section", {}, el("h2", {}, "Goal"), said(instance.goal, "goal")),
    instance.violations.length > 0 && el("section", {}, el("h2", {}, "Violations"), el("ul", {}, instance.violations.map(violation))),
    instance.milestones.length > 0 && el("section", {}, el("h2", {}, "Milestones"), el("ul", {}, instance.milestones.map(milestone))),
    instance.answer !== null && el("section", {}, el("h2", {}, "Answer given"), said(instance.answer, "long")));
}

function changeRow(change, before) {
  const [collection, key, op, field, was, is] = change;
  const same = before && collection === before[0] && key === before[1];
  const quiet = same ? "same" : null;
  const value = (name, text) => el("td", { "data-column": name }, text === null ? el("span", { class: "muted" }, "nothing") : said(text, "value"));
  return el("tr", {},
    el("td", { "data-column": "record", class: quiet }, `${collection} ${key}`), el("td", { "data-column": "change", class: quiet }, op),
    el("td", { "data-column": "field" }, field), value("before", was), value("after", is));
}

function changed(instance) {
  if (instance.milestones.length === 0 && instance.changes.length === 0) return null;
  const missing = instance.changed - instance.changes.length;
  return el("section", {}, el("h2", {}, "What changed"),
    instance.changes.length === 0 ? el("p", { class: "muted" }, "Nothing in the world differs from the start.") : el("div", { class: "scroll" },
      el("table", { class: "changes" },
        el("thead", {}, el("tr", {}, ["record", "change", "field", "before", "after"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, instance.changes.map((change, place) => changeRow(change, instance.changes[place - 1]))))),
    missing > 0 && el("p", { class: "hint" }, `${count(missing, "more change is", "more changes are")} in before.json and after.json.`));
}

function tabs(instance, chosen) {
  if (instance.attempts.length < 2) return null;
  return el("div", { class: "tabs", role: "group", "aria-label": "attempts" }, instance.attempts.map((attempt, place) =>
    el("button", { type: "button", "aria-pressed": String(place === chosen), onclick: () => { location.hash = hashOf(instance.id, place); } },
      `Attempt ${attempt.number} `, outcomeBadge(attempt.outcome))));
}

function neighbours(instance) {
  const list = shown();
  const place = list.findIndex((candidate) => candidate.id === instance.id);
  return { before: place > 0 ? list[place - 1] : null, after: place >= 0 ? list[place + 1] || null : null };
}

function crumbs(instance) {
  const { before, after } = neighbours(instance);
  const way = (target, words, extra) => (target
    ? el("a", { href: hashOf(target.id), class: extra, title: target.id }, words)
    : el("span", { "aria-disabled": "true", class: extra }, words));
  return el("nav", { class: "crumbs", "aria-label": "instances" }, el("a", { href: filterHash() }, "← all instances"), el("span", { class: "muted run" }, data.run),
    way(before, "previous", "push"), way(after, "next"));
}

function detail(place) {
  const { instance, attempt, at } = place;
  const played = instance.attempts[attempt];
  const last = instance.attempts[instance.attempts.length - 1];
  const stage = el("div", { id: "stage" }, player(played, at, goTo));
  return [
    crumbs(instance),
    el("h1", { class: "title" }, el("span", { class: "app" }, `${instance.application} / `), instance.task, el("span", { class: "app" }, ` · ${label(instance)}`)),
    el("p", { class: `ended tone-${toneOf(instance.outcome)}` }, outcomeBadge(instance.outcome), el("span", { class: "muted" }, last.words)),
    facts(instance),
    el("div", { class: "columns" }, why(instance), el("div", {}, tabs(instance, attempt), played !== last && played.error && said(played.error, "broke long"), stage)),
    changed(instance),
    el("p", { class: "hint" }, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " steps, ", el("kbd", {}, "space"), " plays, ",
      el("kbd", {}, "j"), " ", el("kbd", {}, "k"), " next and previous instance, ", el("kbd", {}, "esc"), " back to the list"),
  ];
}

function goTo(at) {
  const place = current();
  if (!place) return pause();
  const last = place.instance.attempts[place.attempt].frames.length - 1;
  const target = Math.max(0, Math.min(last, at));
  history.replaceState(null, "", hashOf(place.instance.id, place.attempt, target));
  const focused = document.activeElement;
  const again = focused && (focused.id ? `#${focused.id}` : focused.getAttribute("aria-label") && `#stage [aria-label="${focused.getAttribute("aria-label")}"]`);
  document.getElementById("stage").replaceChildren(player(place.instance.attempts[place.attempt], target, goTo));
  const next = again && document.querySelector(again);
  if (next) next.focus({ preventScroll: true });
}
