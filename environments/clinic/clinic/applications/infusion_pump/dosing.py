"""Doses, rates and limits: what the arithmetic of a pump is."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Row = sqlite3.Row | Mapping[str, Any]

MASS = {"mcg": 1.0, "mg": 1000.0}  # other units (units, mEq, mL) are not converted
OUTWARD = ("hard_low", "soft_low", "soft_high", "hard_high")
BAND_WIDTH = 360.0


def weight_based(entry: Row) -> bool:
    """Tell whether the dose is per kilogram."""
    return "/kg" in entry["dosing_unit"]


def per_ml(entry: Row) -> float:
    """Return how much drug a millilitre holds, in the mass unit of the dose."""
    dose_mass = entry["dosing_unit"].split("/")[0]
    amount: float = entry["amount"] * MASS.get(entry["amount_unit"], 1.0) / MASS.get(dose_mass, 1.0)
    return amount / float(entry["volume_ml"])


def factor(entry: Row) -> float:
    """Return the mL/h that one unit of dose makes, for each kilogram if the dose is per kilogram."""
    if entry["dosing_unit"] == "mL/h":
        return 1.0
    return (60.0 if entry["dosing_unit"].endswith("/min") else 1.0) / per_ml(entry)


def rate_of(entry: Row, dose: float, weight: float) -> float:
    """Return the rate for a dose, to the tenth of a millilitre that the motor knows."""
    return round(dose * factor(entry) * (weight if weight_based(entry) else 1.0), 1)


def dose_of(entry: Row, rate: float, weight: float) -> float:
    """Return the dose that a rate makes, to three digits."""
    return float(f"{rate / factor(entry) / (weight if weight_based(entry) else 1.0):.3g}")


def concentration(entry: Row) -> str:
    """Write what the bag is labelled with."""
    if not entry["amount"]:
        return f"{entry['volume_ml']:g} mL"
    return f"{entry['amount']:,g} {entry['amount_unit']} / {entry['volume_ml']:g} mL"


def per_ml_words(entry: Row) -> str:
    """Write the concentration for each millilitre."""
    if not entry["amount"]:
        return "plain fluid"
    return f"{float(f'{per_ml(entry):.4g}'):,g} {entry['dosing_unit'].split('/')[0]}/mL"


def crossed(entry: Row | None, dose: float | None) -> str | None:
    """Return the outermost limit that a dose is beyond; a dose on the limit is within it, a basic rate has none."""
    if entry is None or dose is None:
        return None
    if dose < entry["hard_low"]:
        return "hard_low"
    if dose > entry["hard_high"]:
        return "hard_high"
    if dose < entry["soft_low"]:
        return "soft_low"
    return "soft_high" if dose > entry["soft_high"] else None


def is_hard(limit: str | None) -> bool:
    """Tell whether nobody may pass this limit."""
    return limit is not None and limit.startswith("hard")


def duration(vtbi: float | None, rate: float | None) -> str:
    """Write how long a volume lasts."""
    if not vtbi or not rate:
        return "– –"
    minutes = round(vtbi / rate * 60)
    return f"{minutes // 60} h {minutes % 60:02d} min"


def volume_words(volume: float | None) -> str:
    """Write a volume."""
    return "– –" if volume is None else f"{volume:g} mL"


@dataclass(frozen=True)
class Band:
    """Where the limits and a dose are on a bar, in pixels; the scale is even between the limits."""

    stops: tuple[float, ...]
    marker: float | None


def band(entry: Row, dose: float | None) -> Band:
    """Lay out the coloured bar of an entry: red, amber, green, amber, red."""
    shares = (0.12, 0.28, 0.72, 0.88)
    stops = tuple(BAND_WIDTH * share for share in shares)
    if dose is None:
        return Band(stops, None)
    edges = (0.0, *(float(entry[name]) for name in OUTWARD), entry["hard_high"] * 1.25)
    places = (0.0, *stops, BAND_WIDTH)
    for low, high, left, right in zip(edges, edges[1:], places, places[1:], strict=False):
        if dose <= high:
            return Band(stops, left + (right - left) * (dose - low) / (high - low))
    return Band(stops, BAND_WIDTH - 2)
