// The list of instances: filtered, sorted, and remembered while a person looks at one of them.

const view = { text: "", outcome: "", application: "", difficulty: "", sort: "id", down: false };

const COLUMNS = [
  { key: "outcome", name: "outcome", class: "how", cell: (i) => outcomeBadge(i.outcome) },
  { key: "id", name: "instance", class: "which", cell: whichCell },
  { key: "difficulty", name: "difficulty", rank: (i) => data.difficulties.indexOf(i.difficulty), cell: (i) => i.difficulty },
  { key: "score", name: "score", class: "number", cell: (i) => (i.score === null ? "–" : i.score.toFixed(2)) },
  { key: "reward", name: "reward", class: "number", cell: (i) => signed(i.reward) },
  { key: "steps", name: "steps", class: "number", cell: (i) => i.steps },
  { key: "seconds", name: "time", class: "number", cell: (i) => duration(i.seconds) },
  { key: "cost", name: "cost", class: "number", cell: (i) => dollars(i.cost) },
];

function label(instance) {
  const seed = instance.seed ? ` · seed ${instance.seed}` : "";
  const epoch = instance.epoch ? ` · epoch ${instance.epoch}` : "";
  return `${instance.variant}${seed}${epoch}`;
}

function whichCell(instance) {
  return [
    el("a", { href: hashOf(instance.id) }, el("span", { class: "app" }, `${instance.application} / `), instance.task,
      el("span", { class: "app" }, ` · ${label(instance)}`)),
    instance.outcome !== "success" && el("div", { class: "why", dir: "auto" }, instance.reason),
  ];
}

function matches(instance) {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${instance.id} ${instance.domain} ${instance.agent} ${instance.goal} ${instance.reason} ${instance.failure || ""}`.toLowerCase();
  return ["outcome", "application", "difficulty"].every((key) => !view[key] || instance[key] === view[key])
    && words.every((word) => text.includes(word));
}

function compare(left, right, column) {
  const rank = column.rank || ((instance) => instance[column.key]);
  const [a, b] = [rank(left), rank(right)];
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
  return view.down ? -order : order;
}

function shown() {
  const column = COLUMNS.find((candidate) => candidate.key === view.sort);
  return data.instances.filter(matches).sort((a, b) => compare(a, b, column) || a.id.localeCompare(b.id, "en", { numeric: true }));
}

function picker(key, values) {
  const options = [el("option", { value: "" }, `every ${key}`), ...values.map((value) => el("option", { value }, value.replaceAll("_", " ")))];
  const select = el("select", { "aria-label": key, id: `pick-${key}`, onchange: () => { view[key] = select.value; refresh(); } }, options);
  select.value = view[key];
  return select;
}

function toolbar() {
  const search = el("input", { type: "search", placeholder: "Search instances, goals, reasons", "aria-label": "search", id: "search",
    oninput: () => { view.text = search.value; refresh(); } });
  search.value = view.text;
  return el("div", { class: "tools" }, search,
    picker("outcome", data.outcomes.map((outcome) => outcome.label)),
    picker("application", [...new Set(data.instances.map((instance) => instance.application))]),
    picker("difficulty", data.difficulties),
    el("button", { type: "button", class: "clear small", onclick: () => showFiltered({}) }, "clear"),
    el("output", { id: "shown", "aria-live": "polite" }));
}

function sortBy(key) {
  view.down = view.sort === key && !view.down;
  view.sort = key;
  refresh();
}

function head() {
  return el("tr", {}, COLUMNS.map((column) => {
    const sorted = view.sort === column.key;
    return el("th", { scope: "col", class: column.class, "aria-sort": sorted ? (view.down ? "descending" : "ascending") : null },
      el("button", { type: "button", id: `sort-${column.key}`, onclick: () => sortBy(column.key) }, column.name, sorted && (view.down ? " ↓" : " ↑")));
  }));
}

function row(instance) {
  return el("tr", {}, COLUMNS.map((column) => el("td", { class: column.class, "data-column": column.name }, column.cell(instance))));
}

function refresh() {
  const instances = shown();
  const focused = document.activeElement && document.activeElement.id;
  document.getElementById("list-head").replaceChildren(head());
  document.getElementById("list-body").replaceChildren(...instances.map(row));
  document.getElementById("shown").textContent = `${instances.length} of ${data.instances.length}`;
  document.getElementById("list-empty").hidden = instances.length > 0;
  if (focused && focused.startsWith("sort-")) document.getElementById(focused).focus();
  if (!current()) history.replaceState(null, "", filterHash());
}

function instanceList() {
  return el("section", { id: "instances" }, el("h2", {}, "Instances"), toolbar(),
    el("table", { class: "list" }, el("thead", { id: "list-head" }), el("tbody", { id: "list-body" })),
    el("p", { class: "empty", id: "list-empty", hidden: true }, "Nothing fits this filter."));
}

function showFiltered(filter) {
  Object.assign(view, { text: "", outcome: "", application: "", difficulty: "" }, filter);
  for (const key of ["outcome", "application", "difficulty"]) document.getElementById(`pick-${key}`).value = view[key];
  document.getElementById("search").value = view.text;
  refresh();
  document.getElementById("instances").scrollIntoView();
}
