// Two pictures of what success takes: how many were solved within so much, and each instance by itself.

const MEASURES = {
  cost: { name: "cost", axis: "cost of an instance, US dollars", words: dollars, read: (result) => result.cost },
  seconds: { name: "time", axis: "time of an instance, seconds", words: duration, read: (result) => result.seconds },
  steps: { name: "steps", axis: "steps", words: (value) => count(value, "step", "steps"), read: (result) => result.steps },
  tokens: { name: "tokens", axis: "tokens of an instance", words: rounded, read: (result) => result.tokens },
};
const POINTS = { success: "circle", failure: "rect", violation: "triangle", budget: "crossRot", other: "rectRot", ungraded: "star" };
let drawn = [];

function measured() {
  const some = (key) => of(view.run - 1).some((instance) => MEASURES[key].read(resultOf(instance)) > 0);
  const known = Object.keys(MEASURES).filter(some);
  return { known, chosen: known.includes(view.measure) ? view.measure : known[0] };
}

function charts(run) {
  const { known, chosen } = measured();
  if (run.rate.n < 3 || !chosen) return null;
  const pick = el("select", { id: "measure", "aria-label": "measure", onchange: () => { view.measure = pick.value; refresh(); drawCharts(); } },
    known.map((key) => el("option", { value: key, selected: key === chosen }, MEASURES[key].name)));
  return section("charts", ["Success against ", pick], el("div", { class: "pair" }, CHARTS.map((chart) =>
    el("figure", { class: "chart" },
      el("figcaption", {}, chart.caption),
      el("div", { class: "canvas" }, el("canvas", { id: chart.name, role: "img", tabindex: "-1" })),
      el("details", {}, el("summary", {}, "The figures as a table"), scroller(chart.caption, el("table", { id: `${chart.name}-table`, class: "plain" })))))));
}

function colours() {
  const probe = document.body.appendChild(el("span", { hidden: true }));
  const read = (value) => {
    probe.style.color = `var(--${value})`;
    return getComputedStyle(probe).color;
  };
  const names = ["ink", "muted", "line", "panel", "success", "failure", "violation", "budget", "other", "ungraded"];
  const found = Object.fromEntries(names.map((name) => [name, read(name)]));
  probe.remove();
  return found;
}

function faded(colour, alpha) {
  return colour.replace(/^rgba?\(([^)]+)\)$/, (_, parts) => `rgba(${parts.split(",").slice(0, 3).join(",")}, ${alpha})`);
}

// A share that grows with what may be spent, with the interval at each point.
function curve(place, measure) {
  const graded_ = of(place).map((instance) => instance.played[place]).filter(graded);
  const values = graded_.filter((result) => result.outcome === "success").map(measure.read).filter((value) => value !== null).sort((a, b) => a - b);
  const points = values.map((x, index) => ({ x, rate: wilson(index + 1, graded_.length) })).filter((point, index) => values[index + 1] !== point.x);
  return points.map((point) => ({ ...point, y: 100 * point.rate.k / point.rate.n }));
}

// Amounts are drawn from zero, so that lengths can be compared.
function amounts(title, tones, values) {
  const type = values.length ? scaleOf(values) : "linear";
  return axis(title, tones, { type, ...(type === "linear" ? { min: 0 } : {}) });
}

function axis(title, tones, more = {}) {
  return { title: { display: true, text: title, color: tones.muted }, grid: { color: tones.line }, border: { color: tones.line },
    ticks: { color: tones.muted, maxRotation: 0, autoSkipPadding: 16, ...more.ticks }, ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "ticks")) };
}

// Over more than two orders of magnitude a linear axis would hide most of the instances.
function scaleOf(values) {
  const known = values.filter((value) => value > 0);
  return known.length === values.length && Math.max(...known) / Math.min(...known) > 100 ? "logarithmic" : "linear";
}

function options(tones, scales, label_, more = {}) {
  return { animation: false, responsive: true, maintainAspectRatio: false, scales,
    plugins: { legend: { display: more.legend, position: "bottom", labels: { color: tones.ink, usePointStyle: true, boxHeight: 7, padding: 14, sort: (a, b) => a.datasetIndex - b.datasetIndex } },
      tooltip: { callbacks: { title: () => "", label: label_ }, displayColors: false } }, ...more.more };
}

const DASHES = [[], [6, 4], [2, 3], [10, 3, 2, 3]];

function labelOf(tone) {
  return { ungraded: "not graded", budget: "out of budget", other: "other failure" }[tone] || tone;
}

function within(measure, point) {
  return `within ${measure.words(point.x)}: ${rateWords(point.rate)}`;
}

// All charts, in their order: adding one is adding an entry. `read` returns the data of the chart, which the others take:
// `draw` makes the library's configuration, `alt` a sentence for those who do not see it, `columns` and `rows` its table.
const CHARTS = [
  {
    name: "solved",
    caption: "Share of graded instances solved within a limit",
    read: (measure) => data.runs.map((run, place) => ({ run, place, points: curve(place, measure) })).filter(({ place }) => !several || of(place).length > 0),
    alt(measure, runs) {
      const own = runs.find(({ place }) => place === view.run - 1)?.points ?? [];
      if (own.length === 0) return "Nothing was solved.";
      return `Solved within the ${measure.name} of half of them: ${within(measure, own[Math.floor((own.length - 1) / 2)])}; at the end: ${within(measure, own[own.length - 1])}.`;
    },
    columns: (measure) => ["run", `${measure.name}, at most`, "solved"],
    rows: (measure, runs) => runs.flatMap(({ run, points }) => quarters(points).map((point) => [run.name, measure.words(point.x), rateWords(point.rate)])),
    draw(measure, runs, tones) {
      const lines = [tones.success, tones.failure, tones.budget, tones.violation];
      const all = runs.flatMap(({ points }) => points.map((point) => point.x));
      const zero = all.length === 0 || scaleOf(all) === "linear"; // nothing is solved for nothing
      const sets = runs.map(({ run, place, points }) => ({ label: visible(run.name),
        data: zero && points.length > 0 ? [{ x: 0, y: 0, rate: wilson(0, run.rate.n) }, ...points] : points,
        stepped: "before", borderColor: lines[place % 4], backgroundColor: lines[place % 4],
        borderDash: DASHES[place % 4], borderWidth: 2, pointRadius: 0, pointHitRadius: 12, pointHoverRadius: 4 }));
      const scales = { x: amounts(measure.axis, tones, all), y: axis("solved, %", tones, { min: 0, max: 100 }) };
      return { type: "line", data: { datasets: sets }, options: options(tones, scales, (item) => within(measure, item.raw),
        { legend: several, more: { interaction: { mode: "nearest", axis: "x", intersect: false } } }) };
    },
  },
  {
    name: "scatter",
    caption: "All instances; click one to open it",
    read(measure) {
      const other = beside(measure);
      const groups = Object.keys(POINTS).map((tone) => ({ tone, points: [] }));
      for (const instance of of(view.run - 1)) {
        const result = resultOf(instance);
        const [x, y] = [measure.read(result), other.read(result)];
        const group = groups.find(({ tone }) => tone === toneOf(result.outcome));
        if (group && x !== null && y !== null) group.points.push({ x, y, instance });
      }
      return groups.filter(({ points }) => points.length > 0);
    },
    alt(measure, groups) {
      const total = groups.reduce((sum, { points }) => sum + points.length, 0);
      const parts = groups.map(({ tone, points }) => `${points.length} ${labelOf(tone)}`).join(", ");
      return `${total} instances by ${measure.name} and ${beside(measure).name}: ${parts}. The list of instances has the same figures.`;
    },
    columns: (measure) => ["outcome", "instances", `median ${measure.name}`, `median ${beside(measure).name}`],
    rows: (measure, groups) => groups.map(({ tone, points }) =>
      [labelOf(tone), points.length, measure.words(middle(points.map(({ x }) => x))), beside(measure).words(middle(points.map(({ y }) => y)))]),
    draw(measure, groups, tones) {
      const other = beside(measure);
      const sets = groups.map(({ tone, points }) => ({ label: labelOf(tone), data: points, pointStyle: POINTS[tone], borderColor: tones[tone],
        backgroundColor: faded(tones[tone], 0.45), borderWidth: tone === "budget" || tone === "ungraded" ? 1.5 : 1,
        order: tone === "success" ? 2 : 1, radius: innerWidth < 760 ? 3 : 4.5, hoverRadius: 7 }));
      const points = sets.flatMap((set) => set.data);
      const words = (item) => [visible(item.raw.instance.id), `${spaced(resultOf(item.raw.instance).outcome)}, ${measure.words(item.raw.x)}, ${other.words(item.raw.y)}`];
      const scales = { x: amounts(measure.axis, tones, points.map(({ x }) => x)), y: amounts(other.axis, tones, points.map(({ y }) => y)) };
      return { type: "scatter", data: { datasets: sets }, options: options(tones, scales, words, { legend: true, more: {
        onClick: (event, [hit]) => hit && go({ i: sets[hit.datasetIndex].data[hit.index].instance.id }),
        onHover: (event, hits) => { event.native.target.style.cursor = hits.length > 0 ? "pointer" : ""; } } }) };
    },
  },
];

// The second axis of the scatter.
function beside(measure) {
  return measure === MEASURES.seconds ? MEASURES.steps : MEASURES.seconds;
}

function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

// The points of a curve at which a quarter, half, three quarters and all of what it reaches are reached.
function quarters(points) {
  const places = [0.25, 0.5, 0.75, 1].map((part) => Math.ceil(points.length * part) - 1);
  return [...new Set(places)].filter((place) => place >= 0).map((place) => points[place]);
}

function fillTable(chart, measure, found) {
  const row = (tag, cells) => el("tr", {}, cells.map((cell) => el(tag, tag === "th" ? { scope: "col" } : {}, cell)));
  document.getElementById(`${chart.name}-table`).replaceChildren(
    el("thead", {}, row("th", chart.columns(measure))),
    el("tbody", {}, chart.rows(measure, found).map((cells) => row("td", cells))));
}

// The library follows the rest of the page, so that the list is there before it.
async function drawCharts() {
  await parsed;
  drawn.forEach((chart) => chart.destroy());
  drawn = [];
  if (!document.getElementById("charts")) return;
  const tones = colours();
  const measure = MEASURES[measured().chosen];
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  drawn = CHARTS.map((chart) => {
    const found = chart.read(measure);
    document.getElementById(chart.name).setAttribute("aria-label", chart.alt(measure, found));
    fillTable(chart, measure, found);
    return new Chart(chart.name, chart.draw(measure, found, tones));
  });
}
