"""Makes three days of trends that end with what the monitor shows now."""

import random
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import Any

from clinic import clock, rows
from clinic.applications.icu_central.choices import PARAMETERS

STEP_MINUTES = 15
SAMPLES = 72 * 60 // STEP_MINUTES + 1
NOISE = {"heart_rate": 5, "spo2": 1, "respiratory_rate": 2, "abp_mean": 5, "temp_c": 0.2}
DRIFT = {"spo2": (97, 98), "heart_rate": (80, 86), "respiratory_rate": (15, 17)}
# What happened to `past_episode`: in each span of hours before now, how far a parameter went.
EPISODES = {
    "spo2": {(5, 11): (91, 92), (13, 23): (87, 89), (26, 70): (80, 84)},
    "heart_rate": {(5, 11): (112, 118), (13, 23): (124, 132), (26, 70): (140, 150)},
    "abp_mean": {(5, 11): (64, 67), (13, 23): (57, 61), (26, 70): (47, 53)},
}


def write(
    db: sqlite3.Connection, stream: random.Random, story: str, facts: dict[str, Any], mrn: str, now: datetime
) -> None:
    """Write a series for every parameter of one patient."""
    numerics = db.execute("SELECT * FROM numerics WHERE mrn = ?", (mrn,)).fetchone()
    for parameter in PARAMETERS:
        current = numerics[parameter]
        usual = facts.get("before", {}).get(parameter)
        values = _steady(stream, parameter, stream.uniform(*usual) if usual else current, current)
        if story == "drift" and parameter in DRIFT:
            _drift(stream, values, stream.randint(*DRIFT[parameter]), NOISE[parameter])
        if story == "past_episode" and parameter in EPISODES:
            _episodes(stream, values, EPISODES[parameter])
        if usual:
            values[-2] = (values[-3] + current) / 2
        values[-1] = current
        rows.insert(
            db,
            "trends",
            mrn=mrn,
            parameter=parameter,
            last_at=clock.text(now),
            step_minutes=STEP_MINUTES,
            samples=",".join(map(_writer(parameter), values)),
        )


def _writer(parameter: str) -> Callable[[float], str]:
    return "{:.0f}".format if PARAMETERS[parameter].whole else "{:.1f}".format


def _steady(stream: random.Random, parameter: str, usual: float, current: float) -> list[float]:
    """Wander around a level, never far from it."""
    width, off = NOISE[parameter], 0.0
    ceiling = 100 if parameter == "spo2" else 400
    values: list[float] = []
    for _ in range(SAMPLES):
        off = max(-width, min(width, off * 0.8 + stream.uniform(-width, width) * 0.5))
        values.append(min(ceiling, usual + off))
    return values


def _drift(stream: random.Random, values: list[float], start: float, width: float) -> None:
    """Let a parameter go steadily from one level to where it is now, over the last twelve hours."""
    span = 12 * 60 // STEP_MINUTES
    end = values[-1]
    for place in range(SAMPLES - span - 1):
        values[place] = start + (values[place] - end) * 0.5
    for place in range(span + 1):
        noise = stream.uniform(-width, width) * 0.3 if 0 < place < span else 0.0
        values[SAMPLES - span - 1 + place] = start + (end - start) * place / span + noise


def _episodes(
    stream: random.Random, values: list[float], plan: dict[tuple[int, int], tuple[int, int]]
) -> None:
    """Put short episodes into the series, each further out and further off than the one after it."""
    for (nearest, farthest), (low, high) in plan.items():
        place = SAMPLES - 1 - stream.randint(nearest * 4, farthest * 4)
        peak = stream.randint(low, high)
        values[place] = peak
        for beside in (place - 1, place + 1):
            values[beside] = (values[beside] + peak) / 2
