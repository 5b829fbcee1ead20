"""Draws a recording on millimetre paper: which lead stands where, and its path at a speed and a gain.

Lengths are pixels of the screen, four for a millimetre, so that the grid is sharp. A path steps by one unit for a
sample and by a tenth of a pixel in height; its group scales it.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from clinic.applications.ecg_workstation.dipole import RATE, Samples, leads
from clinic.applications.ecg_workstation.rhythm import SECONDS
from clinic.applications.ecg_workstation.signal import Signal

MM = 4
WIDTH, HEIGHT = 256 * MM, 145 * MM
PULSE_MV, PULSE_SECONDS, MARGIN = 1.0, 0.2, 1 * MM

SPEEDS = (25, 50)
GAINS = (5, 10, 20)
LAYOUTS = {"standard": "3×4 + II", "six": "6×2", "cabrera": "Cabrera", "rhythm": "Rhythm", "single": "Single"}
_GRIDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "standard": (("I", "aVR", "V1", "V4"), ("II", "aVL", "V2", "V5"), ("III", "aVF", "V3", "V6"), ("II",)),
    "six": (("I", "V1"), ("II", "V2"), ("III", "V3"), ("aVR", "V4"), ("aVL", "V5"), ("aVF", "V6")),
    "cabrera": (("aVL", "V1"), ("I", "V2"), ("−aVR", "V3"), ("II", "V4"), ("aVF", "V5"), ("III", "V6")),
    "rhythm": (("II",), ("V1",), ("V5",)),
}


@dataclass(frozen=True)
class View:
    """How a recording is looked at; `start` is the first second on the paper."""

    speed: int = 25
    gain: int = 10
    layout: str = "standard"
    lead: str = "II"
    start: int = 0


@dataclass(frozen=True)
class Strip:
    """A lead on the paper: its name, the place of its baseline, its path and the scale of that path."""

    name: str
    x: float
    y: float
    path: str
    scale: float


@dataclass(frozen=True)
class Sheet:
    """Everything drawn on one paper; pulses stand before each row."""

    strips: tuple[Strip, ...]
    pulses: tuple[str, ...]


def _trace(samples: Samples, gain: int) -> str:
    """Return a path whose steps are one unit wide."""
    heights = np.rint(samples * (-gain * MM * 10)).astype(int).tolist()
    return f"M0 {heights[0]}l" + " ".join(f"1 {after - before}" for before, after in pairwise(heights))


def _pulse(y: float, speed: int, gain: int) -> str:
    wide, high = PULSE_SECONDS * speed * MM, PULSE_MV * gain * MM
    return f"M0 {y:g}h{wide * 0.1:g}v{-high:g}h{wide * 0.8:g}v{high:g}h{wide * 0.1:g}"


def _samples(recording: dict[str, Samples], name: str, first: float, last: float) -> Samples:
    lead = -recording["aVR"] if name == "−aVR" else recording[name]
    return lead[int(first * RATE) : int(min(last, SECONDS) * RATE)]


def _rows(view: View, short: bool) -> tuple[tuple[str, ...], ...]:
    if view.layout == "single":
        return ((view.lead,),)
    rows = _GRIDS[view.layout]
    return rows[:3] if short and view.layout == "standard" else rows


@lru_cache(maxsize=64)
def draw(signal: Signal, view: View, height: int = HEIGHT, short: bool = False) -> Sheet:
    """Return the sheet of a recording; a short one goes without the rhythm strip."""
    recording, rows = leads(signal), _rows(view, short)
    left = PULSE_SECONDS * view.speed * MM + MARGIN
    seconds = min((WIDTH - left) / (view.speed * MM), SECONDS)
    strips, pulses = [], []
    for number, row in enumerate(rows):
        y = round((number + 0.55) * height / len(rows) / MM) * MM
        pulses.append(_pulse(y, view.speed, view.gain))
        part = seconds / len(row)
        for place, name in enumerate(row):
            first = view.start + place * part
            path = _trace(_samples(recording, name, first, first + part), view.gain)
            strips.append(Strip(name, left + place * part * view.speed * MM, y, path, view.speed * MM / RATE))
    return Sheet(tuple(strips), tuple(pulses))
