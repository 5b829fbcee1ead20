"use strict";
// The planned range on the scout: lines follow the fields, fields follow a dragged line, the DLP follows both.

{
  const NORM = { head: 16, body: 6.8 };
  const number = (field) => (field && /^[0-9]+(\.[0-9]+)?$/.test(field.value.trim()) ? Number(field.value) : NaN);

  const scout = document.querySelector("[data-scout]");
  const plan = document.querySelector("[data-plan]");

  if (scout && plan) {
    const from = Number(scout.dataset.from), to = Number(scout.dataset.to), height = 480;
    const fields = { range_from: plan.elements.range_from, range_to: plan.elements.range_to };
    const box = scout.querySelector("rect"), dlp = plan.querySelector("[data-dlp]");
    const row = (mm) => (mm - from) / (to - from) * (height - 1);
    const draw = () => {
      const places = {};
      Object.entries(fields).forEach(([name, field]) => {
        const line = scout.querySelector(`[data-line=${name}]`), mm = number(field);
        const shown = mm >= from && mm <= to;
        line.setAttribute("visibility", shown ? "visible" : "hidden");
        if (!shown) return;
        places[name] = row(mm);
        line.setAttribute("y1", places[name]);
        line.setAttribute("y2", places[name]);
      });
      const length = places.range_to - places.range_from;
      box.setAttribute("y", length > 0 ? places.range_from : 0);
      box.setAttribute("height", length > 0 ? length : 0);
      const cm = (number(fields.range_to) - number(fields.range_from)) / 10;
      dlp.textContent = cm > 0 ? (Number(dlp.dataset.ctdi) * cm).toFixed(1) : "–";
    };
    let held = null;
    scout.querySelectorAll("[data-line]").forEach((line) => {
      line.addEventListener("pointerdown", (event) => { held = line.dataset.line; scout.setPointerCapture(event.pointerId); event.preventDefault(); });
    });
    scout.addEventListener("pointermove", (event) => {
      if (!held) return;
      const y = event.clientY - scout.getBoundingClientRect().top;
      fields[held].value = Math.round(Math.min(to, Math.max(from, from + y / (height - 1) * (to - from))));
      draw();
    });
    scout.addEventListener("pointerup", () => { held = null; });
    Object.values(fields).forEach((field) => field.addEventListener("input", draw));
    draw();
  }

  // The predicted dose follows the technique before it is saved; the server computes it again.
  const shown = document.querySelector("b[data-ctdi]");
  if (shown) {
    const form = document.querySelector("form.boxes"), meter = document.querySelector("[data-meter]");
    const predict = () => {
      const value = (name) => number(form.elements[name]);
      const mas = value("ma") * value("rotation_s") / value("pitch");
      const dose = NORM[shown.dataset.phantom] * (value("kv") / 120) ** 2.6 * mas / 100;
      shown.textContent = Number.isFinite(dose) ? dose.toFixed(1) : "–";
      if (Number.isFinite(dose)) meter.value = dose;
    };
    form.addEventListener("input", predict);
  }
}
