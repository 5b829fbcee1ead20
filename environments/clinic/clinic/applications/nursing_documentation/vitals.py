"""The vital signs sheet: a column for each set, the newest beside the column to type into; escalation."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_documentation import news2, sheet
from clinic.applications.nursing_documentation.choices import (
    CONSCIOUSNESS,
    OXYGEN,
    RESPONSES,
)
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.toolkit.words import number
from clinic.visit import Visit

COLUMNS = 8
SETS = """
    SELECT vitals.*, users.name AS by_name FROM vitals JOIN users ON users.user_id = vitals.by
    WHERE mrn = ? ORDER BY at DESC, vitals.id DESC LIMIT ?
"""
# Column, label, unit, whole numbers only.
MEASURES = (
    ("temp_c", "Temperature", "°C", False),
    ("heart_rate", "Pulse", "/min", True),
    ("respiratory_rate", "Respiratory rate", "/min", True),
    ("systolic", "Systolic BP", "mmHg", True),
    ("diastolic", "Diastolic BP", "mmHg", True),
    ("spo2", "SpO2", "%", True),
    ("oxygen_flow", "Oxygen flow", "L/min", False),
    ("pain", "Pain", "0-10", True),
)


def show(visit: Visit) -> Response:
    """Show the sheet."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    patient = sheet.patient(visit)
    sets = visit.db.execute(SETS, (patient["mrn"], COLUMNS)).fetchall()[::-1]
    escalations = visit.db.execute(
        "SELECT * FROM escalations WHERE mrn = ? ORDER BY id DESC LIMIT 3", (patient["mrn"],)
    ).fetchall()
    return sheet.render(
        visit,
        "vitals",
        problems,
        warnings,
        sets=[(row, coloured(visit, patient, row)) for row in sets],
        measures=MEASURES,
        escalations=escalations,
        striking=visit.query.get("strike", ""),
        asked=visit.path,
    )


def coloured(visit: Visit, patient: sqlite3.Row, row: sqlite3.Row) -> dict[str, int]:
    """Return the early warning points of each value of a set."""
    tables = visit.fixtures.load("nursing_documentation/news2")
    return news2.points(tables, dict(row), patient["spo2_scale"])


def save(visit: Visit) -> Response:
    """Store a set, unless it is impossible, or unusual and not confirmed."""
    patient = sheet.patient(visit)
    problems = Problems()
    sheet.only_nurses(visit, problems)
    values = _read(visit, problems)
    if problems:
        return _render(visit, problems)
    odd = _odd(visit, values)
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=odd)
    at = clock.text(visit.now)
    rows.insert(visit.db, "vitals", mrn=patient["mrn"], at=at, by=visit.user_id, warned=bool(odd), **values)
    return visit.go(f"/beds/{patient['mrn']}/vitals", f"Vital signs of {visit.now:%H:%M} saved.")


def _read(visit: Visit, problems: Problems) -> dict[str, Any]:
    possible = visit.fixtures.load("nursing_documentation/limits")["possible"]
    values: dict[str, Any] = {}
    for name, label, _, whole in MEASURES:
        text = visit.field(name)
        value = values[name] = read_number(text, whole) if text else None
        low, high = possible[name]
        if text and value is None:
            problems.add(name, f"{label}: enter a {'whole ' if whole else ''}number.")
        elif value is not None and not low <= value <= high:
            problems.add(name, f"{label}: not possible, enter {low:g} to {high:g}.")
    for name, label, known in (
        ("oxygen", "Oxygen", OXYGEN),
        ("consciousness", "Consciousness", CONSCIOUSNESS),
    ):
        values[name] = visit.field(name) or None
        if values[name] is not None and values[name] not in known:
            problems.add(name, f"{label}: choose one of the options.")
    if values["systolic"] and values["diastolic"] and values["systolic"] <= values["diastolic"]:
        problems.add("diastolic", "Diastolic BP: must be below the systolic value.")
    if values["oxygen_flow"] and values["oxygen"] != "oxygen":
        problems.add("oxygen_flow", "Oxygen flow: choose “Oxygen” to enter a flow.")
    if all(value is None for value in values.values()) and not problems:
        problems.add("", "Nothing to save: enter at least one value.")
    return values


def _odd(visit: Visit, values: Mapping[str, Any]) -> list[str]:
    usual = visit.fixtures.load("nursing_documentation/limits")["usual"]
    return [
        f"{label} {number(values[name])} {unit}"
        for name, label, unit, _ in MEASURES
        if name in usual and values[name] is not None and not usual[name][0] <= values[name] <= usual[name][1]
    ]


def strike(visit: Visit) -> Response:
    """Strike a set through; it stays on the sheet."""
    problems = sheet.strike(visit, "vitals")
    return (
        _render(visit, problems)
        if problems
        else visit.go(f"/beds/{visit.params['mrn']}/vitals", "The set was struck.")
    )


def escalate(visit: Visit) -> Response:
    """Record the early warning score with the response that was started."""
    mrn = sheet.patient(visit)["mrn"]
    problems = Problems()
    sheet.only_nurses(visit, problems)
    score, response = read_number(visit.field("news2"), whole=True), visit.field("response")
    problems.add_if(score is None or not 0 <= score <= 20, "news2", "NEWS2: enter the total, 0 to 20.")
    problems.add_if(response not in RESPONSES, "response", "Choose the response.")
    if problems or score is None:
        return _render(visit, problems)
    odd = score >= 5 and response in ("routine", "nurse")
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=[f"NEWS2 {score:g} with “{RESPONSES[response]}”"])
    rows.insert(
        visit.db,
        "escalations",
        mrn=mrn,
        at=clock.text(visit.now),
        by=visit.user_id,
        news2=score,
        response=response,
        warned=odd,
    )
    return visit.go(f"/beds/{mrn}/vitals", f"Escalation recorded: NEWS2 {score:g}, {RESPONSES[response]}.")


def latest(visit: Visit, mrn: str) -> sqlite3.Row | None:
    """Return the newest set that is not struck."""
    query = "SELECT * FROM vitals WHERE mrn = ? AND NOT in_error ORDER BY at DESC, id DESC LIMIT 1"
    row: sqlite3.Row | None = visit.db.execute(query, (mrn,)).fetchone()
    return row
