// The first page: the rate, what it is made of, what it took, and where it comes from.

function runLine(run) {
  const started = run.started ? new Date(run.started) : null;
  return el("p", { class: "eyebrow" },
    el("b", {}, run.name),
    run.suites.length > 0 && el("span", {}, `suite ${run.suites.join(", ")}`),
    run.tiers.length > 0 && el("span", {}, `tier ${run.tiers.join(", ")}`),
    run.agents.length > 0 && el("span", {}, `agent ${run.agents.join(", ")}`),
    run.spaces.length > 0 && el("span", {}, `actions ${run.spaces.join(", ")}`),
    run.isolations.length > 0 && el("span", {}, `isolation ${run.isolations.join(", ")}`),
    started && el("time", { datetime: run.started }, started.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })),
    run.versions["pytest-cuabench"] && el("span", {}, `pytest-cuabench ${run.versions["pytest-cuabench"]}`));
}

function runTabs() {
  return several && el("div", { class: "tabs runs", role: "group", "aria-label": "run shown below" }, data.runs.map((run, place) =>
    button({ "aria-pressed": String(place === view.run - 1), onclick: () => go({ run: place + 1, change: "" }) }, run.name)));
}

function leftOut(run) {
  const ungraded = Object.entries(run.outcomes).filter(([label]) => !data.outcomes[label].graded);
  return ungraded.map(([label, n]) => `${n} ${spaced(label)}`).join(", ");
}

function headline(run) {
  const { rate } = run;
  const out = leftOut(run);
  if (run.imported) {
    return el("div", {}, el("h1", {}, "Imported"), el("p", { class: "claim" }, "Another program recorded this; it was not played or judged here, and no figure counts it."));
  }
  if (rate.n === 0) {
    return el("div", {}, el("h1", {}, "–"), el("p", { class: "claim" }, "No instance was graded."), out && el("p", { class: "muted small" }, `not graded: ${out}`));
  }
  return el("div", {},
    el("h1", {}, (100 * rate.k / rate.n).toFixed(1), el("small", {}, " %")),
    el("p", { class: "claim" }, el("b", {}, `${rate.k} of ${rate.n}`), " graded instances succeeded"),
    el("p", { class: "muted small" }, out ? `not graded, excluded from all rates: ${out}` : "every instance was graded"),
    run.code && el("p", { class: "muted small" }, run.code),
    strip(rate),
    el("p", { class: "scale" }, el("span", {}, "0"), el("span", {}, `95 % interval ${interval(rate)} (Wilson)`), el("span", {}, "100 %")));
}

function outcomes(run) {
  const found = Object.entries(run.outcomes);
  const bar = el("div", { class: "bar", "aria-hidden": "true" }, found.map(([label, n]) => {
    const part = el("span", { class: `tone-${toneOf(label)}` });
    part.style.flex = String(n);
    return part;
  }));
  const legend = el("ul", { class: "legend" }, found.map(([label, n]) =>
    el("li", { class: `tone-${toneOf(label)}` },
      button({ title: data.outcomes[label].words, onclick: () => showFiltered({ outcome: label }) },
        icon(toneOf(label)), spaced(label), el("b", {}, n)))));
  return el("div", { class: "outcomes" }, bar, legend);
}

function card(name, value, more) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value), el("dd", {}, more));
}

function spread(name, values, more = []) {
  const words = values ? `median; p95 ${duration(values[1])}` : "not measured";
  return card(name, values ? duration(values[0]) : "–", [words, ...more].join("; "));
}

function layers(resets) {
  const rows = Object.entries(resets ?? {}).map(([name, [p50, p95, count]]) => `${name}: ${duration(p50)}, p95 ${duration(p95)} (${count})`);
  return rows.length ? [rows.join("; ")] : [];
}

function cards(run) {
  const { figures } = run;
  const known = dollars(figures.cost);
  return el("section", { "aria-label": "effort" }, el("dl", { class: "cards" },
    card("Steps", figures.steps ?? "–", figures.steps_of_successes === null ? "median" : `median; ${figures.steps_of_successes} in successes`),
    spread("Time, per instance", figures.seconds),
    spread("Agent, per step", figures.model),
    spread("World, per step", figures.step),
    spread("Reset", figures.reset, layers(figures.resets)),
    card("Cost", figures.cost_complete ? known : "unknown",
      figures.cost_complete || !figures.cost ? tokens(figures) : `at least ${known}; ${tokens(figures)}`)));
}

function rateCell(name, column, rate, onclick, extra) {
  const cell = { "data-column": column, class: extra };
  if (rate.n === 0) return el("td", cell, el("span", { class: "none" }, "–"));
  const words = `${name}, ${column}: ${rate.k} of ${rate.n}, interval ${interval(rate)}`;
  return el("td", cell, button({ title: words, onclick }, unseen(`${name}, ${column}: `),
    el("span", { class: "cell" }, el("span", { class: "share" }, percent(rate.k / rate.n, 0)), el("span", { class: "of" }, `${rate.k}/${rate.n}`),
      el("span", { class: "ci" }, interval(rate, 0))),
    strip(rate)));
}

function matrix(run) {
  const all = run.matrix[view.rows] || run.matrix.domain;
  if (all.length < 2) return null; // nothing was played
  const rows = all.length === 2 ? all.slice(0, 1) : all; // the sum of one row is that row
  const names = Object.keys(rows[0].cells);
  const filterOf = (name, column) => ({ [view.rows]: name === "all" ? "" : name, difficulty: column === "all" ? "" : column });
  const choice = el("span", { class: "choice", role: "group", "aria-label": "rows" }, ["domain", "application"].map((name) =>
    button({ id: `rows-${name}`, "aria-pressed": String(view.rows === name), onclick: () => { view.rows = name; refresh(); redraw("matrix", matrix(run), `rows-${name}`); } }, name)));
  return section("matrix", ["Success by ", choice, " and difficulty"],
    scroller("success of each group by difficulty", el("table", { class: "matrix" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, view.rows), names.map((column) => el("th", { scope: "col" }, column)))),
      el("tbody", {}, rows.map((row) => el("tr", { class: row.name === "all" ? "total" : null },
        el("th", { scope: "row" }, row.name),
        names.map((column) => rateCell(row.name, column, row.cells[column], () => showFiltered(filterOf(row.name, column)), column === "all" ? "whole" : null))))))),
    el("p", { class: "hint" }, "Share of graded instances that succeeded, successes of graded, and the 95 % Wilson interval. Click a cell to list its instances."));
}

// Put a section in the place of its older self, and the focus where it was.
function redraw(name, fresh, focus) {
  const old = document.getElementById(name);
  if (!old || !fresh) return;
  old.replaceWith(fresh);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}

function figures(run) {
  return [
    gate(run), cards(run),
    repeated(run), matrix(run), charts(run),
    el("div", { class: "pair" }, failureKinds(run), safety(run)),
    measures(run), people(run),
  ];
}

function overview() {
  const run = focused();
  return [
    several && comparison(),
    runTabs(),
    runLine(run),
    el("div", { class: "hero" }, headline(run), outcomes(run)),
    ...(run.imported ? [] : figures(run)), instanceList(),
  ];
}
