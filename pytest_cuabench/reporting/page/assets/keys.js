// Keys of the report.

const HELP = [
  ["/", "search"], ["j k, ↓ ↑", "next and previous instance"], ["Enter", "open the instance"], ["← →", "previous and next step"],
  ["Home End", "first and last step"], ["space", "play and pause"], ["f", "full screen"], ["Esc", "back to the list; leave the search"], ["t", "light or dark"], ["?", "this help"],
];

function moveRow(by) {
  const all = () => [...document.querySelectorAll("#list-body a[data-id]")];
  const at = all().indexOf(document.activeElement);
  if (at < 0 ? by < 0 : at + by >= all().length) addWaiting(Infinity);
  const links = all();
  const target = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
  target?.focus();
  target?.closest("tr").scrollIntoView({ block: "nearest" });
}

function inRows() {
  return Boolean(document.activeElement?.closest("#list-body"));
}

function follow(instance) {
  if (instance) go({ i: instance.id });
}

const LIST_KEYS = {
  j: () => moveRow(1),
  k: () => moveRow(-1),
  ArrowDown: () => inRows() && (moveRow(1), true),
  ArrowUp: () => inRows() && (moveRow(-1), true),
};

const PLAYER_KEYS = {
  ArrowLeft: () => showStep(stage.at - 1),
  ArrowRight: () => showStep(stage.at + 1),
  Home: () => showStep(0),
  End: () => showStep(Infinity),
  " ": () => document.querySelector('#stage [aria-label="play"], #stage [aria-label="pause"]')?.click(),
  f: () => document.querySelector('#stage [aria-label="full screen"]')?.click(),
  j: () => follow(neighbours(place()).after),
  k: () => follow(neighbours(place()).before),
  Escape: () => go({}),
};

const KEYS = {
  "/": () => { if (place()) { returning = false; go({}); } focusSearch(); },
  "?": help,
  t: toggleTheme,
};

function focusSearch() {
  const search = document.getElementById("search");
  if (!search) return void (searching = true);
  search.focus();
  search.select();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help")?.open) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.matches("input:not([type=range]), select, textarea")) {
    if (event.key === "Escape") target.blur();
    return;
  }
  if (event.key === " " && target.matches("button, a, summary")) return;
  const known = { ...KEYS, ...(stage ? PLAYER_KEYS : LIST_KEYS) };
  if (!(event.key in known) || (stage && event.key === "Escape" && document.fullscreenElement)) return;
  if (target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
  if (known[event.key]() !== false) event.preventDefault();
});
