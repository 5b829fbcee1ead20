// Tells which input the page leaves to the browser, when all its handlers have run: what it has prevented is its own.
{
  const {CHORDS, WINDOW} = SETTINGS, report = (part) => tell("part", part);
  const unless = (kind, act) => listen(kind, (event) => {
    if (event.isTrusted) later(() => { if (!event.defaultPrevented) act(event); });
  }, {passive: true});

  const held = {Control: "ctrl", Alt: "alt", Shift: "shift", Meta: "meta"};
  const chord = (event) => [
    ...Object.keys(held).filter((name) => event.getModifierState(name)).map((name) => held[name]), event.key.toLowerCase().replace("arrow", ""),
  ].join("+");
  unless("keydown", (event) => {
    const pressed = chord(event), part = CHORDS[pressed];
    if (pressed === "ctrl+u" && event.target.isContentEditable) return;  // it underlines
    if (part) report(part);
  });
  unless("contextmenu", () => report("context menu"));
  unless("wheel", (event) => { if (event.ctrlKey) report("zoom"); });
  said("part", report);

  // The scripts of this browser do not run in a frame that runs none.
  listen("blur", () => later(() => {
    const frame = get(document, "activeElement");
    const silent = frame instanceof HTMLIFrameElement && frame.hasAttribute("sandbox") && !frame.sandbox.contains("allow-scripts");
    if (silent) report("sandboxed frame");
  }));

  if (!WINDOW) listen("keydown", (event) => {
    if (event.key !== "Escape" || !event.isTrusted || !get(document, "fullscreenElement")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    call(document, "exitFullscreen");
  });
}
