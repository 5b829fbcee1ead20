"use strict";
// The numeric keypad, and the arithmetic between dose and rate while somebody types.

const fields = [...document.querySelectorAll("[data-keypad]")];
let current = fields.find((field) => field.value === "") || fields[0];
fields.forEach((field) => field.addEventListener("focus", () => { current = field; }));

document.querySelectorAll("[data-key]").forEach((key) => key.addEventListener("click", () => {
  if (!current) return;
  current.value = key.dataset.key === "clear" ? "" : current.value + key.dataset.key;
  current.dispatchEvent(new Event("input", { bubbles: true }));
  current.focus();
}));

document.querySelectorAll("[data-dosing]").forEach((group) => {
  const dose = group.querySelector("[name=dose]");
  const rate = group.querySelector("[name=rate]");
  const weight = document.querySelector("[name=weight]");
  const leading = group.querySelector("[data-leading]");
  if (!dose) return;
  const factor = () => Number(group.dataset.factor) * Number(weight ? weight.value : group.dataset.kilos);
  const follow = () => {
    const [from, to] = leading.value === "rate" ? [rate, dose] : [dose, rate];
    const value = Number(from.value);
    const known = from.value.trim() !== "" && Number.isFinite(value) && factor() > 0;
    if (!known) to.value = "";
    else to.value = leading.value === "rate" ? String(Number((value / factor()).toPrecision(3))) : (value * factor()).toFixed(1);
  };
  dose.addEventListener("input", () => { leading.value = "dose"; follow(); });
  rate.addEventListener("input", () => { leading.value = "rate"; follow(); });
  if (weight) weight.addEventListener("input", follow);
});
