// What is on the page follows from the address, and only from it.

let listScroll = 0;
let rendered = null;
let latest = 0;
let searching = false;
let returning = true;

const SECTIONS = { comparison: "Runs", repeated: "Repeats", matrix: "Matrix", charts: "Charts", failures: "Failures", safety: "Safety", instances: "Instances" };

function drawSections() {
  const there = Object.keys(SECTIONS).filter((name) => document.getElementById(name));
  document.getElementById("sections").replaceChildren(...(stage ? [] : there.map((name) =>
    button({ onclick: () => document.getElementById(name).scrollIntoView() }, SECTIONS[name]))));
}

async function render() {
  pause();
  readAddress();
  const number = ++latest;
  const instance = place();
  const main = document.getElementById("main");
  const name = instance ? instance.id : "list";
  if (rendered === "list" && name !== "list") listScroll = window.scrollY;
  if (instance) {
    const found = await detail(instance).catch((error) => ({ problem: error }));
    if (number !== latest) return; // somebody has gone on
    if (found.problem) {
      main.replaceChildren(crumbs(instance), titleOf(instance), el("p", {}, `Cannot read the record of this instance: ${found.problem.message}`));
      stage = null;
    } else {
      stage = found;
      main.replaceChildren(...found.nodes.filter(Boolean));
      if (found.attempt.frames.length > 0) found.show(found.at);
    }
  } else {
    stage = null;
    main.replaceChildren(...overview().filter(Boolean));
    refresh();
    drawCharts();
  }
  drawSections();
  document.title = instance ? `${instance.id} · ${focused().name}` : `${data.runs.map((run) => run.name).join(" vs ")} · pytest-cuabench`;
  if (rendered !== null && rendered !== name) arrive(instance);
  rendered = name;
}

// Where a person finds themselves after having gone somewhere.
function arrive(instance) {
  if (instance) {
    window.scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
    return;
  }
  addWaiting(Infinity);
  window.scrollTo(0, listScroll);
  const left = [...document.querySelectorAll("#list-body a[data-id]")].find((link) => link.dataset.id === rendered);
  if (searching) focusSearch();
  else if (returning) left?.focus({ preventScroll: true });
  [searching, returning] = [false, true];
}

document.getElementById("app").replaceChildren(topBar(), el("main", { id: "main", tabindex: "-1" }), helpDialog());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawCharts());
document.addEventListener("theme", () => drawCharts());
if (kept()) setTheme(kept());
window.addEventListener("hashchange", render);
render();
