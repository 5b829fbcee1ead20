"""What a pump makes of a dose, worked out apart from the application."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MASS = {"mcg": 1.0, "mg": 1000.0}
LIMITS = ("hard_low", "soft_low", "soft_high", "hard_high")
LIMIT_NAMES = {
    "hard_low": "hard minimum",
    "soft_low": "soft minimum",
    "soft_high": "soft maximum",
    "hard_high": "hard maximum",
}


def millilitres(entry: Mapping[str, Any], weight: float | None) -> float:
    """Return the mL/h that one unit of dose makes for a patient."""
    mass, *per = entry["dosing_unit"].split("/")
    if mass == "mL":
        return 1.0
    strength = entry["amount"] * _MASS.get(entry["amount_unit"], 1.0) / _MASS.get(mass, 1.0)
    kilos = (weight or 1.0) if "kg" in per else 1.0
    minutes = 60.0 if per[-1] == "min" else 1.0
    return float(kilos * minutes * entry["volume_ml"] / strength)


def beyond(entry: Mapping[str, Any], dose: float) -> str | None:
    """Return the outermost limit that a dose is beyond."""
    for name in ("hard_low", "soft_low"):
        if dose < entry[name]:
            return name
    return next((name for name in ("hard_high", "soft_high") if dose > entry[name]), None)


def bag(entry: Mapping[str, Any]) -> str:
    """Return a bag as its label has it."""
    if not entry["amount"]:
        return f"{entry['volume_ml']:g} mL"
    return f"{entry['amount']:,g} {entry['amount_unit']} / {entry['volume_ml']:g} mL"


def letters(drug: str) -> str:
    """Return the soft key under which the display lists a drug."""
    first = drug[0].upper()
    return next(
        group for group in ("A – D", "E – H", "I – M", "N – O", "P – Z") if group[0] <= first <= group[-1]
    )
