"""What the fixtures of the world write down: early warning points, ranges, and what nurses are told to chart."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES

CONSCIOUSNESS = {"alert": "Alert", "confused": "New confusion"}
OXYGEN = {"air": "Air", "oxygen": "Oxygen"}
KINDS = {"oral": "Oral", "infusion": "Infusion", "urine": "Urine", "drain": "Drain", "vomit": "Vomit"}
INTAKE = ("oral", "infusion", "tube", "blood")
RESPONSES = {
    "routine": "Routine monitoring",
    "nurse": "Review by the registered nurse",
    "urgent": "Urgent review by the ward physician",
    "emergency": "Emergency call to the critical care team",
}
STAGES = {
    "stage_2": "Stage 2",
    "stage_3": "Stage 3",
    "stage_4": "Stage 4",
    "unstageable": "Unstageable",
}
REGIONS = {
    f"{side.lower()}_{part}": f"{side} {part}"
    for side in ("Left", "Right")
    for part in ("hip", "heel", "ankle", "elbow")
}
EXUDATES = {"small": "Small", "moderate": "Moderate", "large": "Large"}


@cache
def load(name: str) -> Mapping[str, Any]:
    """Return a fixture of the application."""
    file = FIXTURES / "clinic" / "nursing_documentation" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def ranges(look: str) -> Mapping[str, list[float]]:
    """Return what somebody's vital signs lie between."""
    found: Mapping[str, list[float]] = load("unit")[look]
    return found


def news2(row: Mapping[str, Any], scale: int) -> int:
    """Return the early warning score of a full set."""
    tables = load("news2")
    saturation = "spo2" if scale == 1 else f"spo2_scale_2_{row['oxygen']}"
    pairs = [(tables[saturation], row["spo2"])]
    pairs += [(tables[name], row[name]) for name in ("respiratory_rate", "systolic", "heart_rate", "temp_c")]
    score = sum(next(points for highest, points in table if value <= highest) for table, value in pairs)
    score += tables["oxygen"] if row["oxygen"] == "oxygen" else 0
    return int(score + (tables["not_alert"] if row["consciousness"] != "alert" else 0))


def response(score: int) -> str:
    """Return what the score calls for; a single parameter of three points is not looked at below five."""
    return "emergency" if score >= 7 else "urgent" if score >= 5 else "nurse" if score else "routine"
