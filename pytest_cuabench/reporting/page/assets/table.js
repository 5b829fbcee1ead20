// The list of instances: filtered, sorted, and remembered while a person looks at one of them.

const FIRST_ROWS = 60; // what a tall screen shows; the others follow when the page is there already
const MORE_ROWS = 150;

const NARROW = new Set(["difficulty", "score", "cost"]); // what gives way to the outcomes of other runs

function columns() {
  const value = (key) => (instance) => resultOf(instance)[key];
  const others = data.runs.map((run, place) => ({ key: `run${place + 1}`, name: run.name, class: "how", place,
    rank: (instance) => instance.played[place]?.outcome ?? null, cell: (instance) => (instance.played[place] ? outcomeBadge(instance.played[place].outcome) : "–") }));
  const all = [
    { key: "outcome", name: several ? focused().name : "outcome", class: "how", rank: value("outcome"), cell: (i) => outcomeBadge(resultOf(i).outcome) },
    { key: "id", name: "instance", class: "which", rank: (i) => i.id, cell: whichCell },
    ...others.filter((column) => several && column.place !== view.run - 1),
    { key: "difficulty", name: "difficulty", class: "level", rank: (i) => data.difficulties.indexOf(i.difficulty), cell: (i) => i.difficulty },
    { key: "score", name: "score", class: "number", rank: value("score"), cell: (i) => resultOf(i).score?.toFixed(2) ?? "–" },
    { key: "reward", name: "reward", class: "number", rank: value("reward"), cell: (i) => signed(resultOf(i).reward) },
    { key: "steps", name: "steps", class: "number", rank: value("steps"), cell: (i) => resultOf(i).steps },
    { key: "seconds", name: "time", class: "number time", rank: value("seconds"), cell: (i) => duration(resultOf(i).seconds) },
    { key: "cost", name: "cost", class: "number", rank: value("cost"), cell: (i) => dollars(resultOf(i).cost) },
  ];
  return several ? all.filter((column) => !NARROW.has(column.key)) : all;
}

function label(instance) {
  const seed = instance.seed ? ` · seed ${instance.seed}` : "";
  const epoch = instance.epoch ? ` · epoch ${instance.epoch}` : "";
  return `${instance.variant}${seed}${epoch}`;
}

function whichCell(instance) {
  const { outcome, reason } = resultOf(instance);
  return [
    el("a", { href: address({ i: instance.id }), "data-id": instance.id }, el("span", { class: "app" }, `${instance.application} / `), instance.task,
      el("span", { class: "app" }, ` · ${label(instance)}`)),
    outcome !== "success" && el("div", { class: "why", dir: "auto", title: visible(reason) }, reason),
  ];
}

const NAMES = { harm: "harm", failure: "failure", change: "change", application: "application" };

function valuesOf(key) {
  if (key === "outcome") return Object.keys(data.outcomes).filter((label) => focused().outcomes[label]);
  if (key === "difficulty") return data.difficulties;
  return [...new Set(of(view.run - 1).map((instance) => instance[key]))].sort(alphabet.compare);
}

function picker(key) {
  const values = valuesOf(key);
  if (view[key] && !values.includes(view[key])) values.push(view[key]);
  const options = [el("option", { value: "" }, `every ${key}`), ...values.map((value) => el("option", { value }, key === "outcome" ? spaced(value) : value))];
  const select = el("select", { "aria-label": key, id: `pick-${key}`, onchange: () => { view[key] = select.value; refresh(); } }, options);
  select.value = view[key];
  return select;
}

function toolbar() {
  const search = el("input", { type: "search", placeholder: "Search instances, goals, reasons", "aria-label": "search", id: "search", autocomplete: "off", spellcheck: "false",
    oninput: () => { view.text = search.value; refresh(); } });
  search.value = view.text;
  return el("div", { class: "tools", role: "search" }, search, ["outcome", "domain", "application", "difficulty", "variant"].map(picker));
}

// What the filter leaves: how many, and the rate among them with its interval.
function standing(instances) {
  const rate = wilson(instances.filter((i) => resultOf(i).outcome === "success").length, instances.filter((i) => graded(resultOf(i))).length);
  const active = [...FILTERS, "text"].filter((key) => view[key]);
  const drop = (key) => button({ class: "chip", title: "leave out this filter", onclick: () => showFiltered({ ...view, [key]: "" }, false) },
    `${NAMES[key] ? `${NAMES[key]}: ` : ""}${key === "text" ? `“${view.text}”` : spaced(view[key])}`, el("span", { "aria-hidden": "true" }, " ×"));
  return [
    el("b", { id: "count" }, `${instances.length} of ${of(view.run - 1).length}`),
    instances.length > 0 && el("span", {}, `success ${rateWords(rate)}`),
    active.map(drop),
    active.length > 1 && button({ class: "link", onclick: () => showFiltered({}, false) }, "clear"),
  ];
}

function sortBy(key) {
  view.sort = view.sort === key ? `-${key}` : key;
  refresh();
}

function head() {
  return el("tr", {}, columns().map((column) => {
    const sorted = view.sort.replace("-", "") === column.key;
    const down = view.sort.startsWith("-");
    return el("th", { scope: "col", class: column.class, "aria-sort": sorted ? (down ? "descending" : "ascending") : null },
      button({ id: `sort-${column.key}`, onclick: () => sortBy(column.key) }, column.name, sorted && (down ? " ↓" : " ↑")));
  }));
}

let waiting = []; // instances whose rows are still to be made
let turn = null;

function addRows(instances) {
  const shape = columns();
  document.getElementById("list-body")?.append(...instances.map((instance) =>
    el("tr", {}, shape.map((column) => el("td", { class: column.class, "data-column": column.name }, column.cell(instance))))));
}

function addWaiting(limit = MORE_ROWS) {
  clearTimeout(turn);
  addRows(waiting.splice(0, limit));
  if (waiting.length > 0) turn = setTimeout(addWaiting, 0);
}

function refresh() {
  const instances = shown();
  const focus = document.activeElement?.id;
  document.getElementById("list-head").replaceChildren(head());
  document.getElementById("list-body").replaceChildren();
  waiting = instances.slice();
  clearTimeout(turn);
  addWaiting(FIRST_ROWS);
  document.getElementById("shown").replaceChildren(...standing(instances).flat().filter(Boolean));
  document.getElementById("list-empty").hidden = instances.length > 0;
  if (focus?.startsWith("sort-")) document.getElementById(focus).focus();
  keepAddress();
}

function instanceList() {
  return section("instances", "Instances", toolbar(),
    el("p", { class: "standing", id: "shown", "aria-live": "polite" }),
    el("table", { class: "list" }, el("thead", { id: "list-head" }), el("tbody", { id: "list-body" })),
    el("p", { class: "empty", id: "list-empty", hidden: true }, "Nothing fits this filter."));
}

function showFiltered(filter, scroll = true) {
  const run = view.run;
  Object.assign(view, Object.fromEntries(["text", ...FILTERS].map((key) => [key, ""])), filter);
  if (view.run !== run) {
    history.replaceState(null, "", address());
    render();
  } else {
    document.querySelector("#instances .tools").replaceWith(toolbar());
    refresh();
  }
  if (scroll) document.getElementById("instances").scrollIntoView();
}

window.addEventListener("beforeprint", () => addWaiting(Infinity));
