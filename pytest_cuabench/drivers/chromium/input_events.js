// Reports a person's input to the driver: that a key was pressed, never which one.
(() => {
  const send = window.cuabenchPerson;
  let turned = -Infinity;
  const record = (kind, event) => { if (event.isTrusted) send(kind, Math.round(event.clientX ?? 0), Math.round(event.clientY ?? 0)); };
  addEventListener("pointerdown", (event) => record("click", event), true);
  addEventListener("keydown", (event) => { if (!event.repeat) record("key", event); }, true);
  addEventListener("wheel", (event) => {
    if (event.timeStamp - turned > 300) record("scroll", event);  // one turn of the wheel is many events
    turned = event.timeStamp;
  }, { capture: true, passive: true });
})();
