// A person plays: input on the newest picture becomes actions, which the session reads and performs.

const CLICK_MS = 250; // clicks within this time are one double or triple click
const DRAG_PIXELS = 5; // of the screen; shorter ways are clicks
const WHEEL_MS = 150; // turns of the wheel within this time are one action
const NOTCH = 100; // pixels of a notch
const MODIFIER_KEYS = { Control: "ctrl", Shift: "shift", Alt: "alt", Meta: "super" };
const POINTER_BUTTONS = ["left", "middle", "right"];
const NAMED_KEYS = { " ": "space" };

function takeOverButtons(episode) {
  if (!current.run.take_over) return [];
  const command = (words, name) => button({ class: "command", onclick: () => send(name, episode.key) }, words);
  if (episode.state === "taken") return [command("Give back", "give"), command("End", "end")];
  return [button({ class: "command", onclick: () => askTakeOver(episode) }, "Take over")];
}

function askTakeOver(episode) {
  const told = "The agent waits before its next step. As soon as you act, the attempt is recorded as human help: it counts in no rate.";
  const dialog = el("dialog", { class: "ask", "aria-labelledby": "ask-title" }, el("h2", { id: "ask-title" }, "Take over this episode?"), el("p", {}, told),
    el("form", { method: "dialog", class: "commands" }, el("button", {}, "cancel"),
      el("button", { onclick: () => send("take", episode.key) }, "Take over")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function heldKeys(event) {
  return [event.ctrlKey && "ctrl", event.altKey && "alt", event.shiftKey && "shift", event.metaKey && "super"].filter(Boolean);
}

// The picture stays the same node, so that the keyboard stays on it; `drawDesk` only changes what it shows.
function drawDesk(episode, stage) {
  let desk = stage.querySelector(".desk");
  if (!desk) {
    desk = newDesk(episode.key);
    stage.replaceChildren(desk);
    desk.querySelector("img").focus({ preventScroll: true });
  }
  const picture = desk.querySelector("img");
  const source = sourceOf({ folder: FOLDER }, episode);
  if (source && picture.getAttribute("src") !== source) picture.src = source;
  tellProblem(episode.problem || "");
}

function newDesk(key) {
  const act = (action) => send("act", key, action);
  const picture = el("img", { alt: "The screen: click, drag, scroll and type on it", tabindex: "0", draggable: "false" });
  const text = el("input", { type: "text", id: "desk-text", autocomplete: "off" });
  const form = el("form", { class: "desk-text" }, el("label", { for: "desk-text" }, "Text"), text, el("button", { class: "command" }, "Type"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value) act({ kind: "type", text: text.value });
    text.value = "";
  });
  onPointer(picture, act);
  onWheel(picture, act);
  picture.addEventListener("keydown", (event) => onKey(event, act));
  return el("div", { class: "desk" }, el("div", { class: "screen" }, picture), form,
    el("p", { class: "muted" }, "Click the picture, then use mouse and keyboard on it. Longer texts go into the field below it."));
}

function placeOn(picture, event) {
  const box = picture.getBoundingClientRect();
  const scaled = (at, start, length, whole) => Math.max(0, Math.min(whole - 1, Math.floor((at - start) * whole / length)));
  return [scaled(event.clientX, box.left, box.width, picture.naturalWidth), scaled(event.clientY, box.top, box.height, picture.naturalHeight)];
}

function onPointer(picture, act) {
  let from = null;
  let waiting = null; // a click to which another one may be added
  const flush = () => {
    if (waiting) act(waiting.action);
    clearTimeout(waiting?.timer);
    waiting = null;
  };
  picture.addEventListener("contextmenu", (event) => event.preventDefault());
  picture.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    picture.focus({ preventScroll: true });
    if (!picture.naturalWidth || !POINTER_BUTTONS[event.button]) return;
    picture.setPointerCapture(event.pointerId);
    from = { at: placeOn(picture, event), button: POINTER_BUTTONS[event.button], modifiers: heldKeys(event) };
  });
  picture.addEventListener("pointerup", (event) => {
    if (!from) return;
    const { at, button: which, modifiers } = from;
    const to = placeOn(picture, event);
    from = null;
    if (Math.hypot(to[0] - at[0], to[1] - at[1]) >= DRAG_PIXELS) {
      flush();
      return void act({ kind: "drag", path: [at, to], button: which, modifiers });
    }
    const near = waiting && waiting.action.button === which && Math.hypot(waiting.action.x - at[0], waiting.action.y - at[1]) < DRAG_PIXELS;
    const count = near ? waiting.action.count + 1 : 1;
    if (near) clearTimeout(waiting.timer);
    else flush();
    waiting = { action: { kind: "click", x: at[0], y: at[1], button: which, count, modifiers }, timer: setTimeout(flush, CLICK_MS) };
    if (count === 3) flush();
  });
  picture.addEventListener("pointercancel", () => { from = null; });
}

function onWheel(picture, act) {
  let turned = null;
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (!picture.naturalWidth) return;
    const [x, y] = placeOn(picture, event);
    const unit = event.deltaMode === 0 ? 1 : NOTCH;
    if (!turned) {
      turned = { x, y, dx: 0, dy: 0 };
      setTimeout(() => {
        const notches = (pixels) => Math.max(-100, Math.min(100, Math.sign(pixels) * Math.ceil(Math.abs(pixels) / NOTCH)));
        const { dx, dy, ...place } = turned;
        turned = null;
        if (dx || dy) act({ kind: "scroll", ...place, dx: notches(dx), dy: notches(dy) });
      }, WHEEL_MS);
    }
    turned.dx += event.deltaX * unit;
    turned.dy += event.deltaY * unit;
  }, { passive: false });
}

function onKey(event, act) {
  event.stopPropagation(); // the page's own keys
  if (event.isComposing || MODIFIER_KEYS[event.key]) return;
  event.preventDefault();
  const held = heldKeys(event).filter((key) => key !== "shift" || event.key.length > 1);
  if (event.key.length === 1 && held.length === 0) act({ kind: "type", text: event.key });
  else act({ kind: "key", keys: [...held, NAMED_KEYS[event.key] || event.key] });
}
