"use strict";
// Keeps the running total and the risk band of a form in step with what is chosen.

const sheet = document.querySelector("[data-way]");

const chosen = () => [...sheet.querySelectorAll("[role=radiogroup][data-item]")].map((row) => {
  const radio = row.querySelector("input:checked");
  return radio ? Number(radio.value) : null;
});

const total = (points) => {
  if (points.includes(null) || (sheet.dataset.way === "testable" && points.includes(0))) return null;
  return sheet.dataset.way === "highest" ? Math.max(...points) : points.reduce((sum, each) => sum + each, 0);
};

const show = () => {
  const points = chosen();
  const open = points.filter((each) => each === null).length;
  const sum = total(points);
  const band = sum === null ? null : JSON.parse(sheet.dataset.bands).filter(([, , lowest]) => lowest <= sum).pop();
  document.getElementById("total").textContent = sum === null ? "–" : String(sum);
  const chip = document.getElementById("band");
  chip.className = `band ${band ? `band-${band[0]}` : "band-open"}`;
  chip.textContent = band ? band[1] : open ? `${open} still open` : "Not testable: no total";
};

if (sheet) {
  sheet.addEventListener("change", show);
  show();
}
