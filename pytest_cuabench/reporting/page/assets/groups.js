// Below the headline: the gate, repeated instances, kinds of failure, harm, measures by group, people.

// What the gate decided when the run ended, in its own sentences.
function gate(run) {
  if (!run.gate) return null;
  const tone = { pass: "success", fail: "failure" }[run.gate.decision] || "ungraded";
  return el("div", { class: `gate tone-${tone}`, role: "note", "aria-label": "gate" },
    el("p", {}, icon(tone), el("b", {}, ` Gate: ${run.gate.decision}`)),
    run.gate.decision !== "pass" && el("ul", {}, run.gate.reasons.map((reason) => el("li", {}, said(reason)))));
}

function repeated(run) {
  const variants = Object.keys(run.repeats);
  if (variants.length === 0) return null;
  const rows = variants.flatMap((variant) => run.repeats[variant].map(([measure, figure, counted], place) =>
    el("tr", { class: place === 0 ? (variant === "all" ? "total" : "first") : null },
      el("td", { class: "group" }, place === 0 ? variant : ""), el("th", { scope: "row" }, measure), el("td", {}, figure), el("td", { class: "muted" }, counted))));
  return section("repeated", "Repeated plays",
    scroller("repeated plays", el("table", { class: "measures repeats" },
      el("thead", {}, el("tr", {}, ["variant", "measure", "95 %, clustered by task", "of"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, rows))),
    el("p", { class: "hint" }, "pass@k: at least one of k plays succeeds; pass^k: all k plays succeed."));
}

function failureKinds(run) {
  const kinds = Object.entries(run.failures);
  if (kinds.length === 0) return null;
  const failed = kinds.reduce((sum, [, n]) => sum + n, 0);
  const most = Math.max(...kinds.map(([, n]) => n));
  const { early_abort: early, heavy_loop: rounds } = run.thresholds;
  const bar = (n) => {
    const part = el("i");
    part.style.width = `${100 * n / most}%`;
    return part;
  };
  return section("failures", "How attempts failed",
    el("ul", { class: "kinds" }, kinds.map(([label, n]) => el("li", {},
      button({ title: `${rateWords(wilson(n, failed))} of those that failed`, onclick: () => showFiltered({ failure: label }) },
        el("span", { class: "name" }, spaced(label)), el("b", {}, n), el("span", { class: "meter", "aria-hidden": "true" }, bar(n)),
        el("span", { class: "muted small" }, data.failures[label]))))),
    el("p", { class: "hint" }, `Failure kinds of ${count(failed, "graded instance", "graded instances")} without success, one each. `,
      `Early abort: at most ${count(early, "step", "steps")}. Heavy loop: at least ${rounds} rounds of the same steps.`));
}

function safetyRow(row) {
  const quiet = row.harmed.k === 0;
  const words = `${spaced(row.dimension)}: ${rateWords(row.harmed)} of graded instances`;
  return el("tr", { class: row.dimension === "any" ? "total" : null },
    el("th", { scope: "row" }, row.dimension === "any" ? "any harm" : spaced(row.dimension)),
    data.severities.map((severity) => el("td", { "data-column": severity, class: `number ${row.counts[severity] ? `severity-${severity}` : "zero"}` }, row.counts[severity])),
    el("td", { class: "harmed", "data-column": "harmed" }, row.harmed.n === 0 ? "–" : button({ disabled: quiet, title: words, onclick: () => showFiltered({ harm: row.dimension }) }, unseen(`${spaced(row.dimension)}: `),
      el("span", { class: "cell" }, el("span", { class: "share" }, percent(row.harmed.k / row.harmed.n)), el("span", { class: "of" }, `${row.harmed.k}/${row.harmed.n}`),
        el("span", { class: "ci" }, interval(row.harmed))),
      strip(row.harmed, "violation"))));
}

function safety(run) {
  if (run.rate.n === 0) return null;
  return section("safety", "Safety",
    scroller("harm by dimension and severity", el("table", { class: "safety" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "dimension"),
        data.severities.map((severity) => el("th", { scope: "col", class: "number" }, severity)), el("th", { scope: "col" }, "instances harmed"))),
      el("tbody", {}, run.safety.map(safetyRow)))),
    el("p", { class: "hint" }, "Distinct violations by severity, and the share of graded instances with at least one (95 % Wilson interval)."));
}

function measures(run) {
  if (run.breakdown.length < 2) return null;
  const names = ["grouping", "group", "strict success", "reward", "timeouts", "steps", "tokens"];
  const first = (row, place) => place === 0 || run.breakdown[place - 1].grouping !== row.grouping;
  const rows = run.breakdown.map((row, place) => el("tr", { class: row.grouping === "all" ? "total" : first(row, place) ? "first" : null },
    row.grouping === "all" ? el("th", { scope: "row", colspan: 2 }, "all") :
      [el("td", { class: "group" }, first(row, place) ? row.grouping : ""), el("th", { scope: "row" }, row.name)],
    el("td", {}, row.rate.n === 0 ? "–" : `${percent(row.rate.k / row.rate.n)} · ${row.rate.k}/${row.rate.n} · ${interval(row.rate)}`),
    row.texts.map((text) => el("td", { class: "number" }, text))));
  return section("measures", "By domain, difficulty, variant and tier",
    scroller("measures of each group", el("table", { class: "measures" },
      el("thead", {}, el("tr", {}, names.map((name, place) => el("th", { scope: "col", class: place > 2 ? "number" : null }, name)))),
      el("tbody", {}, rows))),
    el("p", { class: "hint" }, "Reward, steps and tokens are means of graded instances, timeouts the share that ran out of steps or seconds."));
}

function people(run) {
  if (run.people.length === 0) return null;
  return section("people", "How people performed", scroller("how people performed", el("table", { class: "measures" },
    el("thead", {}, el("tr", {}, data.people.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, run.people.map((cells) => el("tr", {}, cells.map((cell) => el("td", {}, cell))))))));
}
