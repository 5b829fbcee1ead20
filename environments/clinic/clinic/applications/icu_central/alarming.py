"""Compares what the monitor shows with the limits, and keeps the list of alarms in step."""

import sqlite3
from typing import Any

from clinic import rows
from clinic.applications.icu_central.choices import CRISES, PARAMETERS
from clinic.fixtures import Fixtures

WATCHED = """
    SELECT limits.*, patients.age_class, beds.number AS bed FROM limits
    JOIN patients USING (mrn) JOIN beds USING (mrn)
    WHERE mrn = ? ORDER BY limits.id
"""
RAISED = "SELECT id, kind FROM alarms WHERE mrn = ? AND parameter = ? AND active"


def evaluate(db: sqlite3.Connection, fixtures: Fixtures, mrn: str, at: str) -> None:
    """Raise what is beyond a limit now, and end what no longer is."""
    numerics = db.execute("SELECT * FROM numerics WHERE mrn = ?", (mrn,)).fetchone()
    rules = fixtures.load("icu_central/limits")["crisis"]
    for limit in db.execute(WATCHED, (mrn,)).fetchall():
        value = numerics[limit["parameter"]]
        kind = _breach(limit, value, rules[limit["age_class"]]) if limit["alarm_on"] else None
        raised = db.execute(RAISED, (mrn, limit["parameter"])).fetchall()
        for alarm in raised:
            if alarm["kind"] != kind:
                rows.update(db, "alarms", {"id": alarm["id"]}, active=False)
        if kind is not None and kind not in [alarm["kind"] for alarm in raised]:
            _raise(db, limit, kind, value, at)


def _breach(limit: sqlite3.Row, value: float, crises: dict[str, Any]) -> str | None:
    """Return the kind of alarm that a value means, the most urgent one."""
    parameter = limit["parameter"]
    for kind, rule in crises.items():
        low, high = rule.get("below", value), rule.get("above", value)
        if rule["parameter"] == parameter and not low <= value <= high:
            return kind
    if value < limit["low"]:
        return f"{parameter}_low"
    return f"{parameter}_high" if value > limit["high"] else None


def _raise(db: sqlite3.Connection, limit: sqlite3.Row, kind: str, value: float, at: str) -> None:
    parameter = PARAMETERS[limit["parameter"]]
    label = CRISES.get(kind) or f"{parameter.label} {kind.rpartition('_')[2]}"
    rows.insert(
        db,
        "alarms",
        mrn=limit["mrn"],
        bed=limit["bed"],
        kind=kind,
        label=label,
        parameter=limit["parameter"],
        value=value,
        priority="high" if kind in CRISES else "medium",
        raised_at=at,
        active=True,
    )


def usual_limits(fixtures: Fixtures, age_class: str, profile: str) -> dict[str, list[float]]:
    """Return the limits that the station sets at admission."""
    written = fixtures.load("icu_central/limits")
    limits: dict[str, list[float]] = dict(written["default"][age_class])
    return limits | (written["profile"][profile] if age_class == "adult" else {})


def set_limits(db: sqlite3.Connection, mrn: str, limits: dict[str, list[float]]) -> None:
    """Write the limits of somebody who has none yet."""
    for parameter, (low, high) in limits.items():
        rows.insert(db, "limits", mrn=mrn, parameter=parameter, low=low, high=high)
