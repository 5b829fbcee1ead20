"""National Early Warning Score 2: the points of each value, which colour its cell."""

from collections.abc import Mapping
from typing import Any

MEASURES = ("respiratory_rate", "spo2", "systolic", "heart_rate", "temp_c")


def points(tables: Mapping[str, Any], row: Mapping[str, Any], scale: int) -> dict[str, int]:
    """Return the points of every value that is there."""
    found = {}
    for name in MEASURES:
        if row[name] is not None:
            found[name] = _look_up(tables[_table(name, row, scale)], row[name])
    if row["oxygen"]:
        found["oxygen"] = tables["oxygen"] if row["oxygen"] == "oxygen" else 0
    if row["consciousness"]:
        found["consciousness"] = tables["not_alert"] if row["consciousness"] != "alert" else 0
    return found


def _table(name: str, row: Mapping[str, Any], scale: int) -> str:
    if name != "spo2" or scale == 1:
        return name
    return f"spo2_scale_2_{row['oxygen'] or 'air'}"


def _look_up(table: list[list[float]], value: float) -> int:
    return next(int(score) for highest, score in table if value <= highest)
