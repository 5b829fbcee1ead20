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
  const figure = (name, words) => el("figure", { class: "chart" }, el("figcaption", {}, words), el("div", { class: "canvas" }, el("canvas", { id: name, role: "img", tabindex: "-1" })));
  return section("charts", ["Success against ", pick],
    el("div", { class: "pair" },
      figure("solved", "Share of graded instances solved within a limit"),
      figure("scatter", "All instances; click one to open it")));
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

function drawSolved(measure, tones) {
  const lines = [tones.success, tones.failure, tones.budget, tones.violation];
  const runs = data.runs.map((run, place) => ({ run, place })).filter(({ place }) => !several || of(place).length > 0);
  const sets = runs.map(({ run, place }) => ({ label: visible(run.name), data: curve(place, measure), stepped: "before", borderColor: lines[place % 4], backgroundColor: lines[place % 4],
    borderDash: DASHES[place % 4], borderWidth: 2, pointRadius: 0, pointHitRadius: 12, pointHoverRadius: 4 }));
  const all = sets.flatMap((set) => set.data.map((point) => point.x));
  if (all.length === 0 || scaleOf(all) === "linear") { // nothing is solved for nothing
    sets.forEach((set, place) => { if (set.data.length > 0) set.data.unshift({ x: 0, y: 0, rate: wilson(0, runs[place].run.rate.n) }); });
  }
  const words = (item) => `within ${measure.words(item.raw.x)}: ${rateWords(item.raw.rate)}`;
  const own = curve(view.run - 1, measure);
  document.getElementById("solved").setAttribute("aria-label", own.length === 0 ? "Nothing was solved." :
    `Solved within the ${measure.name} of half of them: ${words({ raw: own[Math.floor((own.length - 1) / 2)] })}; at the end: ${words({ raw: own[own.length - 1] })}.`);
  return new Chart("solved", { type: "line", data: { datasets: sets }, options: options(tones, {
    x: amounts(measure.axis, tones, all),
    y: axis("solved, %", tones, { min: 0, max: 100 }) }, words, { legend: several, more: { interaction: { mode: "nearest", axis: "x", intersect: false } } }) });
}

function drawScatter(measure, tones) {
  const other = measure === MEASURES.seconds ? MEASURES.steps : MEASURES.seconds;
  const groups = {};
  for (const instance of of(view.run - 1)) {
    const result = resultOf(instance);
    const [x, y] = [measure.read(result), other.read(result)];
    if (x !== null && y !== null) (groups[toneOf(result.outcome)] ||= []).push({ x, y, instance });
  }
  const names = Object.keys(POINTS).filter((tone) => groups[tone]);
  const sets = names.map((tone) => ({ label: { ungraded: "not graded", budget: "out of budget", other: "other failure" }[tone] || tone, data: groups[tone], pointStyle: POINTS[tone], borderColor: tones[tone],
    backgroundColor: faded(tones[tone], 0.45), borderWidth: tone === "budget" || tone === "ungraded" ? 1.5 : 1,
    order: tone === "success" ? 2 : 1, radius: innerWidth < 760 ? 3 : 4.5, hoverRadius: 7 }));
  const points = sets.flatMap((set) => set.data);
  const words = (item) => [visible(item.raw.instance.id), `${spaced(resultOf(item.raw.instance).outcome)}, ${measure.words(item.raw.x)}, ${other.words(item.raw.y)}`];
  document.getElementById("scatter").setAttribute("aria-label", `${points.length} instances by ${measure.name} and ${other.name}: ${sets.map((set) => `${set.data.length} ${set.label}`).join(", ")}. The list of instances has the same figures.`);
  return new Chart("scatter", { type: "scatter", data: { datasets: sets }, options: options(tones, {
    x: amounts(measure.axis, tones, points.map((point) => point.x)),
    y: amounts(other.axis, tones, points.map((point) => point.y)) }, words, { legend: true, more: {
    onClick: (event, [hit]) => hit && go({ i: sets[hit.datasetIndex].data[hit.index].instance.id }),
    onHover: (event, hits) => { event.native.target.style.cursor = hits.length > 0 ? "pointer" : ""; } } }) });
}

// The library follows the rest of the page, so that the list is there before it.
async function drawCharts() {
  await parsed;
  drawn.forEach((chart) => chart.destroy());
  drawn = [];
  if (!document.getElementById("solved")) return;
  const tones = colours();
  const measure = MEASURES[measured().chosen];
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  drawn = [drawSolved(measure, tones), drawScatter(measure, tones)];
}
