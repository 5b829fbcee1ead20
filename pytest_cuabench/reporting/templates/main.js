// Addresses and keys. `#i=<instance>&a=<attempt>&s=<step>` names a place, `#outcome=...` a filter.

function hashOf(id, attempt, at) {
  const query = new URLSearchParams({ i: id });
  if (attempt !== undefined) query.set("a", attempt + 1);
  if (at !== undefined) query.set("s", at + 1);
  return `#${query}`;
}

function filterHash() {
  const query = new URLSearchParams();
  for (const key of ["text", "outcome", "application", "difficulty"]) if (view[key]) query.set(key, view[key]);
  return `#${query}`;
}

function number(text, fallback, last) {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? fallback : Math.max(0, Math.min(last, value - 1));
}

function current() {
  const query = new URLSearchParams(location.hash.slice(1));
  const instance = data.instances.find((candidate) => candidate.id === query.get("i"));
  if (!instance) return null;
  const last = instance.attempts.length - 1;
  const attempt = number(query.get("a"), last, last);
  return { instance, attempt, at: number(query.get("s"), 0, Math.max(0, instance.attempts[attempt].frames.length - 1)) };
}

function readFilter() {
  const query = new URLSearchParams(location.hash.slice(1));
  for (const key of ["text", "outcome", "application", "difficulty"]) if (query.has(key)) view[key] = query.get(key);
}

let listScroll = 0;
let rendered = null;

function render() {
  pause();
  const place = current();
  if (rendered === "list") listScroll = window.scrollY;
  const main = document.getElementById("main");
  if (place) {
    main.replaceChildren(...detail(place));
  } else {
    readFilter();
    main.replaceChildren(...overview().filter(Boolean));
    refresh();
  }
  document.title = place ? `${place.instance.id} · ${data.run}` : `${data.run} · pytest-cuabench`;
  const name = place ? place.instance.id : "list";
  if (rendered !== null && rendered !== name) window.scrollTo(0, place ? 0 : listScroll);
  rendered = name;
}

const KEYS = {
  ArrowLeft: (place) => goTo(place.at - 1),
  ArrowRight: (place) => goTo(place.at + 1),
  Home: () => goTo(0),
  End: () => goTo(Infinity),
  " ": () => document.querySelector('#stage [aria-label="play"], #stage [aria-label="pause"]')?.click(),
  j: (place) => follow(neighbours(place.instance).after),
  k: (place) => follow(neighbours(place.instance).before),
  Escape: () => { location.hash = filterHash(); },
};

function follow(instance) {
  if (instance) location.hash = hashOf(instance.id);
}

document.addEventListener("keydown", (event) => {
  const place = current();
  const busy = event.target instanceof Element && event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
  const pressed = event.key === " " && event.target instanceof Element && event.target.matches("button, a");
  if (!place || busy || pressed || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key](place);
});

window.addEventListener("hashchange", render);
render();
