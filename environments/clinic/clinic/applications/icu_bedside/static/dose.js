"use strict";
// Shows the rate that a dose means while it is typed; what counts is computed again when it is saved.
const rate = document.getElementById("rate");
if (rate) {
  const dose = document.getElementById("field-dose");
  const show = () => {
    const value = Number(dose.value);
    rate.textContent = dose.value.trim() && value > 0 ? (value * Number(rate.dataset.perDose)).toFixed(1) : "–";
  };
  dose.addEventListener("input", show);
  show();
}
