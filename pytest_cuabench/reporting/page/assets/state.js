// What is looked at. All of it stands in the address, so that a link shows the same to somebody else:
// `#outcome=failure&domain=ICU` a filter, `#i=<instance>&a=<attempt>&s=<step>` a place, `run=2` the second run.

const data = JSON.parse(document.getElementById("data").textContent);
const several = data.runs.length > 1;

const FILTERS = ["outcome", "failure", "harm", "domain", "application", "difficulty", "variant", "change"];
const DEFAULTS = {
  text: "", ...Object.fromEntries(FILTERS.map((key) => [key, ""])),
  run: String(several ? 2 : 1), rows: "domain", measure: "", sort: "id",
  i: "", a: "", s: "",
};
const view = { ...DEFAULTS };

function address(changes = {}) {
  const place = { ...view, i: "", a: "", s: "", ...changes };
  const said = Object.keys(DEFAULTS).filter((key) => String(place[key]) !== DEFAULTS[key]);
  return `#${new URLSearchParams(said.map((key) => [key, place[key]]))}`;
}

function readAddress() {
  const query = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(DEFAULTS)) view[key] = query.get(key) ?? DEFAULTS[key];
  if (!data.runs[view.run - 1]) view.run = DEFAULTS.run;
}

let later = null;

// Browsers refuse too many changes of the address in a row, such as those of somebody who types.
function keepAddress() {
  clearTimeout(later);
  later = setTimeout(() => history.replaceState(null, "", address({ i: view.i, a: view.a, s: view.s })), 120);
}

function go(changes) {
  clearTimeout(later);
  location.hash = address(changes);
}

// Instances

function focused() {
  return data.runs[view.run - 1];
}

function resultOf(instance) {
  return instance.played[view.run - 1];
}

function graded(result) {
  return Boolean(result) && data.outcomes[result.outcome].graded;
}

// What became of an instance between the first run and another: nothing is said of what either did not grade.
function changeOf(instance, run = view.run - 1) {
  const [before, after] = [instance.played[0], instance.played[run]];
  if (!graded(before) || !graded(after)) return "not compared";
  const [was, is] = [before.outcome === "success", after.outcome === "success"];
  return was === is ? (is ? "both" : "neither") : is ? "gained" : "lost";
}

const READ = {
  outcome: (instance) => resultOf(instance).outcome,
  failure: (instance) => resultOf(instance).failure,
  change: (instance) => changeOf(instance),
};

function fits(instance, key) {
  if (!view[key]) return true;
  if (key === "harm") {
    const { harm } = resultOf(instance);
    return view.harm === "any" ? harm.length > 0 : harm.includes(view.harm);
  }
  return (READ[key] || ((each) => each[key]))(instance) === view[key];
}

function textOf(instance) {
  const result = resultOf(instance);
  return [instance.id, instance.domain, result.agent, instance.goal, result.reason, result.failure, result.outcome, ...result.harm].join(" ").toLowerCase();
}

function matches(instance) {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  return FILTERS.every((key) => fits(instance, key)) && (words.length === 0 || words.every((word) => textOf(instance).includes(word)));
}

function of(run) {
  return data.instances.filter((instance) => instance.played[run]);
}

const alphabet = new Intl.Collator("en", { numeric: true });

function order(left, right, rank, down) {
  const [a, b] = [rank(left), rank(right)];
  if (a === null || b === null) return (a === null) - (b === null);
  const found = typeof a === "string" ? alphabet.compare(a, b) : a - b;
  return down ? -found : found;
}

function shown() {
  const down = view.sort.startsWith("-");
  const column = columns().find((candidate) => candidate.key === view.sort.replace("-", "")) || columns()[1];
  return of(view.run - 1).filter(matches)
    .sort((a, b) => order(a, b, column.rank, down) || alphabet.compare(a.id, b.id));
}

// Steps, unpacked when they are asked for

const parsed = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve);
  else resolve();
});
const unpacked = new Map();

async function unpack(name) {
  await parsed;
  const bytes = Uint8Array.from(atob(document.getElementById(name).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

function episodeOf(instance, run = view.run - 1) {
  const name = `piece-${run}-${instance.played[run].piece}`;
  if (!unpacked.has(name)) unpacked.set(name, unpack(name));
  return unpacked.get(name);
}
