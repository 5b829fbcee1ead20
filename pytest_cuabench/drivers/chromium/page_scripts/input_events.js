// Tells a person's input: that a key was pressed, never which one.
{
  let turned = -Infinity;
  const record = (kind, event) => {
    if (event.isTrusted) tell("input", [kind, Math.round(event.clientX ?? 0), Math.round(event.clientY ?? 0)]);
  };
  listen("pointerdown", (event) => record("click", event));
  listen("keydown", (event) => { if (!event.repeat) record("key", event); });
  listen("wheel", (event) => {
    if (event.timeStamp - turned > 300) record("scroll", event);  // one turn of the wheel is many events
    turned = event.timeStamp;
  }, {passive: true});
}
