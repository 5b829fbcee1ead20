"""Reads and judges a set of vital signs: impossible values are refused, unusual ones asked about."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clinic.applications.emergency_triage.choices import OXYGEN
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.words import age_years, number
from clinic.visit import Visit

KG_PER_LB = 0.45359237


@dataclass(frozen=True)
class Measure:
    """A field of the entry form; `stored` is the column that limits are about."""

    name: str
    label: str
    unit: str
    whole: bool = True
    stored: str = ""

    @property
    def column(self) -> str:
        """The canonical column."""
        return self.stored or self.name


MEASURES = (
    Measure("heart_rate", "Heart rate", "/min"),
    Measure("systolic", "Systolic BP", "mmHg"),
    Measure("diastolic", "Diastolic BP", "mmHg"),
    Measure("spo2", "SpO2", "%"),
    Measure("temperature", "Temperature", "°C", whole=False, stored="temp_c"),
    Measure("respiratory_rate", "Respiratory rate", "/min"),
    Measure("gcs", "GCS", "3-15"),
    Measure("pain", "Pain score", "0-10"),
    Measure("weight", "Weight", "kg", whole=False, stored="weight_kg"),
)


def celsius(value: float, unit: str) -> float:
    """Return a temperature in °C to one decimal."""
    return round((value - 32) * 5 / 9 if unit == "F" else value, 1)


def kilograms(value: float, unit: str) -> float:
    """Return a weight in kg to one decimal."""
    return round(value * KG_PER_LB if unit == "lb" else value, 1)


def read(visit: Visit, problems: Problems) -> dict[str, Any]:
    """Return the columns of the set as entered; anything wrong is added to the problems."""
    values: dict[str, Any] = {measure.name: _entered(visit, measure, problems) for measure in MEASURES}
    units = {
        "temperature": _choice(visit, "temperature_unit", "C", ("C", "F"), problems),
        "weight": _choice(visit, "weight_unit", "kg", ("kg", "lb"), problems),
    }
    oxygen = visit.field("oxygen") or None
    problems.add_if(oxygen is not None and oxygen not in OXYGEN, "oxygen", "Choose from the list.")
    if all(value is None for value in values.values()) and not problems:
        problems.add("", "Nothing to save: enter at least one measurement.")
    for name, unit in units.items():
        values[f"{name}_unit"] = unit if values[name] is not None else None
    temperature, weight = values["temperature"], values["weight"]
    values["temp_c"] = None if temperature is None else celsius(temperature, units["temperature"])
    values["weight_kg"] = None if weight is None else kilograms(weight, units["weight"])
    possible = visit.fixtures.load("emergency_triage/vital_limits")["possible"]
    _refuse_impossible(values, units, possible, problems)
    return values | {"oxygen": oxygen}


def _choice(visit: Visit, name: str, default: str, allowed: tuple[str, ...], problems: Problems) -> str:
    given = visit.field(name) or default
    if given not in allowed:
        problems.add(name.removesuffix("_unit"), "Choose one of the units shown.")
        return default
    return given


def _entered(visit: Visit, measure: Measure, problems: Problems) -> float | None:
    text = visit.field(measure.name)
    if not text:
        return None
    value = read_number(text, measure.whole)
    if value is None:
        problems.add(
            measure.name, "Enter a whole number." if measure.whole else "Enter a number, for example 36.8."
        )
    return value


def _refuse_impossible(
    values: dict[str, Any], units: Mapping[str, str], possible: dict[str, Any], problems: Problems
) -> None:
    for measure in MEASURES:
        value = values[measure.column]
        low, high = possible[measure.column]
        if value is not None and not low <= value <= high:
            problems.add(measure.name, _limits_text(measure, units.get(measure.name), low, high))
    high_bp, low_bp = values["systolic"], values["diastolic"]
    if high_bp is not None and low_bp is not None and high_bp <= low_bp:
        problems.add("diastolic", "Must be below the systolic value.")


def _limits_text(measure: Measure, unit: str | None, low: float, high: float) -> str:
    if unit == "F":
        return f"Not possible in °F: enter {low * 1.8 + 32:.0f} to {high * 1.8 + 32:.0f}, or check the unit."
    if unit == "C":
        return f"Not possible in °C: enter {low:g} to {high:g}, or check the unit."
    if unit == "lb":
        return f"Not possible: enter {low / KG_PER_LB:.1f} to {high / KG_PER_LB:.0f} lb."
    return f"Not possible: enter {low:g} to {high:g}."


def unusual(visit: Visit, patient: sqlite3.Row, values: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each value that is possible but odd at the patient's age."""
    limits = visit.fixtures.load("emergency_triage/vital_limits")
    years = age_years(patient["birth_date"], visit.now.date())
    band = next(band for band in limits["usual"] if years < band["under_years"])
    usual = limits["usual_always"] | band
    return [
        _oddity(measure, values)
        for measure in MEASURES
        if _odd(values[measure.column], usual.get(measure.column))
    ]


def _odd(value: float | None, usual: list[float] | None) -> bool:
    return value is not None and usual is not None and not usual[0] <= value <= usual[1]


def _oddity(measure: Measure, values: Mapping[str, Any]) -> str:
    unit = measure.unit
    if measure.name == "temperature":
        unit = f"°{values['temperature_unit']}"
    elif measure.name == "weight":
        unit = values["weight_unit"]
    return f"{measure.label} {number(values[measure.name])} {unit}"
