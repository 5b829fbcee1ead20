"""Measurements as a colleague calls them out, in the units that the devices at hand show."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

KG_PER_LB = 0.45359237
OXYGEN = {"room_air": "on room air", "nasal_cannula": "with a nasal cannula"}
OXYGEN_CHOICES = {"room_air": "Room air", "nasal_cannula": "Nasal cannula"}


@dataclass(frozen=True, slots=True)
class Dictation:
    """One set of vital signs.

    Attributes:
        spoken: The fields of a goal, such as `{temperature}` for "101.5 °F".
        entry: What to type or choose in the form, by the form's own names.
        expected: What the record must hold, in its units.
    """

    spoken: dict[str, str]
    entry: dict[str, str]
    expected: dict[str, Any]


def dictate(chance: random.Random, ranges: Mapping[str, list[float]], oxygen: str = "room_air") -> Dictation:
    """Draw a full set that is plausible for a presentation; some thermometers show °F."""
    whole = {name: chance.randint(*map(int, ranges[name])) for name in ranges if name != "temp_c"}
    degrees = round(chance.uniform(*ranges["temp_c"]), 1)
    fahrenheit = chance.random() < 0.5
    shown = round(degrees * 1.8 + 32, 1) if fahrenheit else degrees
    unit = "F" if fahrenheit else "C"
    numbers = {name: str(value) for name, value in whole.items()}
    return Dictation(
        spoken={
            **numbers,
            "blood_pressure": f"{whole['systolic']}/{whole['diastolic']}",
            "temperature": f"{shown} °{unit}",
            "oxygen": OXYGEN[oxygen],
        },
        entry={**numbers, "temperature": str(shown), "temperature_unit": unit, "oxygen": oxygen},
        expected={**whole, "temp_c": celsius(shown, unit), "oxygen": oxygen},
    )


def weigh(chance: random.Random, years: int) -> Dictation:
    """Draw a child's weight around what is usual at the age; some scales show pounds."""
    kilograms = round((years + 4) * 2 * chance.uniform(0.9, 1.2), 1)
    unit = chance.choice(("kg", "lb"))
    shown = kilograms if unit == "kg" else round(kilograms / KG_PER_LB, 1)
    stored = round(shown * (KG_PER_LB if unit == "lb" else 1), 1)
    return Dictation(
        spoken={"weight": f"{shown} {unit}"},
        entry={"weight": str(shown), "weight_unit": unit},
        expected={"weight_kg": stored},
    )


def only(dictation: Dictation, names: tuple[str, ...]) -> Dictation:
    """Return a part of a set."""
    return Dictation(
        dictation.spoken,
        {name: dictation.entry[name] for name in names},
        {name: dictation.expected[name] for name in names},
    )


def celsius(shown: float, unit: str) -> float:
    """Return a temperature in °C to one decimal."""
    return round((shown - 32) * 5 / 9 if unit == "F" else shown, 1)


def age(birth_date: str, now: str) -> int:
    """Return completed years at a clinical time."""
    born, today = date.fromisoformat(birth_date), date.fromisoformat(now[:10])
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
