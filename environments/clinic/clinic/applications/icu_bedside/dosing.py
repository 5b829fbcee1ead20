"""Turns a dose into the rate of a pump, and knows the limits of the drug library."""

import re
import sqlite3
from collections.abc import Mapping
from typing import Any

DOSE = re.compile(r"[0-9]{1,5}(\.[0-9]{1,3})?", re.ASCII)
MINUTES = {"min": 60, "h": 1}
PER_UNIT = {"mcg": 1000, "mg": 1, "units": 1}


def read_dose(text: str) -> float | None:
    """Return the dose typed, of three decimals at most, or None when it is not one."""
    return float(text) if DOSE.fullmatch(text) else None


def rate_ml_h(dose: float, infusion: Mapping[str, Any] | sqlite3.Row, weight_kg: float) -> float:
    """Return the rate in mL/h to one decimal: dose x weight x time, divided by the concentration."""
    mass, *more = infusion["dose_unit"].split("/")
    hourly: float = dose * MINUTES[more[-1]] * (weight_kg if "kg" in more else 1) / PER_UNIT[mass]
    concentration: float = infusion["amount"] / infusion["volume_ml"]
    return round(hourly / concentration, 1)


def hard_problem(dose: float, drug: Mapping[str, Any]) -> str | None:
    """Return why the pump refuses a dose, if it does."""
    if dose <= 0:
        return "Enter a dose above 0, or pause the infusion."
    if dose > drug["hard"]:
        return f"Refused by the pump: the hard limit is {drug['hard']:g} {drug['dose_unit']}."
    return None


def soft_warning(dose: float, drug: Mapping[str, Any]) -> str | None:
    """Return what the pump asks about a dose, if anything."""
    if dose > drug["soft"]:
        return f"{drug['label']} {dose:g} {drug['dose_unit']} is above the soft limit of {drug['soft']:g}."
    return None
