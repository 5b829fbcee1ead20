// Several runs side by side: each one's figures, and what was gained and lost against the first.

function changesOf(run) {
  const counts = { gained: [], lost: [], both: [], neither: [] };
  for (const instance of data.instances) counts[changeOf(instance, run)]?.push(instance);
  return counts;
}

function runRow(run, place) {
  const whole = run.breakdown.find((row) => row.grouping === "all");
  const any = run.safety.find((row) => row.dimension === "any").harmed;
  const { figures } = run;
  const cell = (name, ...children) => el("td", { "data-column": name }, children);
  return el("tr", { class: place === view.run - 1 ? "chosen" : null },
    el("th", { scope: "row" }, button({ onclick: () => go({ run: place + 1, change: "" }) }, run.name), el("div", { class: "muted small" }, run.agents.join(", "), place === 0 && " · the first")),
    rateCell(run.name, "success", run.rate, () => go({ run: place + 1, change: "" }), "wide"),
    cell("reward", whole.texts[0]),
    cell("harmed", any.n === 0 ? "–" : [percent(any.k / any.n), el("div", { class: "muted small" }, `${any.k}/${any.n} · ${interval(any)}`)]),
    cell("steps", whole.texts[2]),
    cell("time", figures.seconds ? duration(figures.seconds[0]) : "–"),
    cell("cost", figures.cost_complete ? dollars(figures.cost) : "unknown"),
    cell("against the first", place > 0 ? versus(changesOf(place), place) : "–"));
}

function versus(found, place) {
  const { gained, lost, both, neither } = found;
  const n = gained.length + lost.length + both.length + neither.length;
  const press = (name, list, sign) => button({ class: `change ${name}`, disabled: list.length === 0, onclick: () => showFiltered({ run: String(place + 1), change: name }) }, `${list.length > 0 ? sign : ""}${list.length} ${name}`);
  return [el("span", {}, press("gained", gained, "+"), " ", press("lost", lost, "−")), el("div", { class: "muted small" }, `of ${n} graded in both`)];
}

function changedList(name, list) {
  const most = 8;
  return el("div", {}, el("h3", {}, `${name === "gained" ? "Gained" : "Lost"} `, el("span", { class: "muted" }, list.length)),
    list.length === 0 && el("p", { class: "muted" }, `Nothing was ${name}.`),
    el("ul", { class: "changed" }, list.slice(0, most).map((instance) => el("li", {},
      el("a", { href: address({ i: instance.id }) }, instance.id), el("span", { class: "was" },
        outcomeBadge(instance.played[0].outcome), " → ", outcomeBadge(resultOf(instance).outcome))))),
    list.length > most && button({ class: "link small", onclick: () => showFiltered({ change: name }) }, `all ${list.length} that were ${name}`));
}

function sideBySide() {
  const names = [...new Set(data.runs.flatMap((run) => run.matrix.domain.map((row) => row.name)))].filter((name) => name !== "all").sort();
  const rateOf = (run, name) => run.matrix.domain.find((row) => row.name === name)?.cells.all || { k: 0, n: 0, low: 0, high: 1 };
  return scroller("success of each run by domain", el("table", { class: "matrix" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "domain"), data.runs.map((run) => el("th", { scope: "col" }, run.name)))),
    el("tbody", {}, [...names, "all"].map((name) => el("tr", { class: name === "all" ? "total" : null }, el("th", { scope: "row" }, name),
      data.runs.map((run, place) => rateCell(name, run.name, rateOf(run, name), () => showFiltered({ run: String(place + 1), domain: name === "all" ? "" : name }))))))));
}

function comparison() {
  const found = changesOf(view.run - 1);
  return section("comparison", `${data.runs.length} runs side by side`,
    scroller("runs side by side", el("table", { class: "versus" },
      el("thead", {}, el("tr", {}, ["run", "success", "reward", "harmed", "steps", "time", "cost", "against the first"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, data.runs.map(runRow)))),
    view.run !== "1" && el("div", { class: "pair" }, changedList("gained", found.gained), changedList("lost", found.lost)),
    el("details", {}, el("summary", {}, "By domain, side by side"), sideBySide()));
}
