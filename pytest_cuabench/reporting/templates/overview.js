// The first page: the rate, what it is made of, what it took, and where it comes from.

function eyebrow() {
  const started = data.started ? new Date(data.started) : null;
  return el("p", { class: "eyebrow" },
    el("b", {}, data.run),
    data.suites.length > 0 && el("span", {}, `suite ${data.suites.join(", ")}`),
    data.agents.length > 0 && el("span", {}, `agent ${data.agents.join(", ")}`),
    started && el("time", { datetime: data.started }, started.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })));
}

function headline() {
  const rate = data.rate;
  const ungraded = data.instances.length - rate.n;
  if (rate.n === 0) {
    return el("div", {}, el("h1", {}, "–"), el("p", { class: "claim" }, "No instance was graded.", ungraded > 0 && ` ${ungraded} could not be.`));
  }
  return el("div", {},
    el("h1", {}, (100 * rate.k / rate.n).toFixed(1), el("small", {}, " %")),
    el("p", { class: "claim" }, el("b", {}, `${rate.k} of ${rate.n}`), " graded instances succeeded",
      ungraded > 0 && el("span", { class: "muted" }, ` · ${ungraded} could not be graded`)),
    strip(rate),
    el("p", { class: "scale" }, el("span", {}, "0"), el("span", {}, `95 % interval ${interval(rate)} (Wilson)`), el("span", {}, "100")));
}

function breakdown() {
  const bar = el("div", { class: "bar", "aria-hidden": "true" }, data.outcomes.map((outcome) => {
    const part = el("span", { class: `tone-${toneOf(outcome.label)}` });
    part.style.flex = String(outcome.count);
    return part;
  }));
  const legend = el("ul", { class: "legend" }, data.outcomes.map((outcome) =>
    el("li", { class: `tone-${toneOf(outcome.label)}` },
      el("button", { type: "button", title: outcome.words, onclick: () => showFiltered({ outcome: outcome.label }) },
        icon(toneOf(outcome.label)), outcome.label.replaceAll("_", " "), el("b", {}, outcome.count)))));
  return el("div", {}, bar, legend);
}

function card(name, value, more) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value), el("dd", {}, more));
}

function spread(name, values) {
  return card(name, values ? duration(values[0]) : "–", values ? `median; p95 ${duration(values[1])}` : "not measured");
}

function cards() {
  const figures = data.figures;
  return el("section", { "aria-label": "What it took" }, el("dl", { class: "cards" },
    card("Steps", figures.steps ?? "–", figures.steps_of_successes === null ? "median" : `median; ${figures.steps_of_successes} in successes`),
    spread("Reset", figures.reset),
    spread("World, per step", figures.step),
    spread("Agent, per step", figures.model),
    card("Cost", dollars(figures.cost_complete ? figures.cost : null),
      figures.cost_complete || !figures.cost ? tokens(figures) : `at least ${dollars(figures.cost)}; ${tokens(figures)}`)));
}

function matrixCell(application, column, rate) {
  const cell = { "data-column": column, class: column === "all" ? "whole" : null };
  if (rate.n === 0) return el("td", cell, el("span", { class: "none" }, "–"));
  const filter = { application: application === "all" ? "" : application, difficulty: column === "all" ? "" : column };
  const words = `${application}, ${column}: ${rate.k} of ${rate.n}, interval ${interval(rate)}`;
  return el("td", cell, el("button", { type: "button", title: words, "aria-label": words, onclick: () => showFiltered(filter) },
    el("span", { class: "cell" }, el("span", { class: "share" }, percent(rate.k / rate.n, 0)), el("span", { class: "of" }, `${rate.k}/${rate.n}`)),
    strip(rate)));
}

function matrix() {
  const columns = [...data.difficulties, "all"];
  return el("section", {}, el("h2", {}, "Success by application and difficulty"),
    el("div", { class: "scroll" }, el("table", { class: "matrix" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "application"), columns.map((column) => el("th", { scope: "col" }, column)))),
      el("tbody", {}, data.matrix.map((row) => el("tr", { class: row.application === "all" ? "total" : null },
        el("th", { scope: "row" }, row.application), columns.map((column) => matrixCell(row.application, column, row.cells[column]))))))));
}

function breakdownTable() {
  const names = ["", "", "strict success", "reward", "timeouts", "steps", "tokens"];
  const rows = data.breakdown.map((row, index) => el("tr", { class: row.grouping === "all" ? "total" : null },
    el("td", { class: "group" }, index === 0 || data.breakdown[index - 1].grouping !== row.grouping ? row.grouping : ""),
    el("th", { scope: "row" }, row.grouping === "all" ? "" : row.name),
    el("td", {}, row.rate.n === 0 ? "–" : `${percent(row.rate.k / row.rate.n)} · ${row.rate.k}/${row.rate.n} · ${interval(row.rate)}`),
    row.texts.map((text) => el("td", { class: "number" }, text))));
  return el("section", { "aria-label": "By domain, difficulty, variant and tier" }, el("h2", {}, "By domain, difficulty, variant and tier"),
    el("div", { class: "scroll" }, el("table", { class: "measures" },
      el("thead", {}, el("tr", {}, names.map((name, index) => el("th", { scope: "col", class: index > 2 ? "number" : null }, name)))),
      el("tbody", {}, rows))));
}

function failureKinds() {
  const { early_abort: early, heavy_loop: rounds } = data.thresholds;
  return el("section", { "aria-label": "How attempts failed" }, el("h2", {}, "How attempts failed"),
    el("ul", { class: "legend kinds" }, data.failures.map((kind) =>
      el("li", {}, el("button", { type: "button", title: kind.words, onclick: () => showFiltered({ text: kind.label }) },
        kind.label.replaceAll("_", " "), el("b", {}, kind.count))))),
    el("p", { class: "muted" }, `Early: up to ${count(early, "decision", "decisions")}. A loop: ${rounds} rounds or more of equal decisions.`));
}

function overview() {
  return [eyebrow(), el("div", { class: "hero" }, headline(), breakdown()), cards(), data.matrix.length > 1 && matrix(), data.breakdown.length > 1 && breakdownTable(), data.failures.length > 0 && failureKinds(), instanceList()];
}
