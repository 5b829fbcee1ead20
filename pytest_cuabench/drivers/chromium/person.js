// Tells the driver what a person does: that a key was pressed, never which one.
(() => {
  const tell = window.cuabenchPerson;
  let turned = -Infinity;
  const told = (kind, event) => { if (event.isTrusted) tell(kind, Math.round(event.clientX ?? 0), Math.round(event.clientY ?? 0)); };
  addEventListener("pointerdown", (event) => told("click", event), true);
  addEventListener("keydown", (event) => { if (!event.repeat) told("key", event); }, true);
  addEventListener("wheel", (event) => {
    if (event.timeStamp - turned > 300) told("scroll", event);  // one turn of the wheel is many events
    turned = event.timeStamp;
  }, { capture: true, passive: true });
})();
