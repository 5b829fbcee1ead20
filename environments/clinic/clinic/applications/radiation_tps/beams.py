"""The beams tab: arranging fields around the patient, and editing one."""

import sqlite3

from starlette.responses import Response

from clinic import rows
from clinic.applications.radiation_tps import workspace
from clinic.applications.radiation_tps.choices import ENERGIES, TECHNIQUES
from clinic.toolkit.entry import Problems, read_number
from clinic.visit import Visit

ANGLES = {"gantry": (0, 359.9), "collimator": (0, 359.9), "couch": (0, 359.9), "weight": (0.1, 10)}
MOST_FIELDS = 13


def show(visit: Visit) -> Response:
    """Show the tab."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    edited = visit.query.get("beam") or visit.field("number")
    return workspace.render(visit, "beams", problems, edited=edited)


def arrange(visit: Visit) -> Response:
    """Put equally spaced fields in the place of those there are."""
    if problems := workspace.lock(visit):
        return _render(visit, problems)
    problems = Problems()
    count = _number(visit, problems, "count", 1, MOST_FIELDS, whole=True)
    first = _number(visit, problems, "first", *ANGLES["gantry"])
    collimator = _number(visit, problems, "collimator", *ANGLES["collimator"])
    energy, technique = visit.field("energy"), visit.field("technique")
    problems.add_if(energy not in ENERGIES, "energy", "Choose an energy.")
    problems.add_if(technique not in TECHNIQUES, "technique", "Choose a technique.")
    if problems or count is None or first is None:
        return _render(visit, problems)
    plan = workspace.plan(visit)
    workspace.outdate(visit, plan)
    visit.db.execute("DELETE FROM beams WHERE mrn = ? AND plan = ?", (plan["mrn"], plan["plan"]))
    for index in range(int(count)):
        gantry = round((first + index * 360 / count) % 360, 1)
        angles = {"gantry": gantry, "collimator": collimator, "couch": 0.0}
        _add(visit, plan, index + 1, energy=energy, weight=1.0, **angles)
    workspace.change(visit, technique=technique)
    return workspace.back(visit, "beams", f"{count:g} beams arranged.")


def _add(visit: Visit, plan: sqlite3.Row, number: int, **values: object) -> None:
    rows.insert(visit.db, "beams", mrn=plan["mrn"], plan=plan["plan"], number=number, **values)


def edit(visit: Visit) -> Response:
    """Change one field."""
    if problems := workspace.lock(visit):
        return _render(visit, problems)
    plan, problems = workspace.plan(visit), Problems()
    asked = visit.field("number")
    place = {"mrn": plan["mrn"], "plan": plan["plan"], "number": int(asked) if asked.isdecimal() else 0}
    values: dict[str, object] = {
        name: _number(visit, problems, name, low, high) for name, (low, high) in ANGLES.items()
    }
    problems.add_if(visit.field("energy") not in ENERGIES, "energy", "Choose an energy.")
    if problems:
        return _render(visit, problems)
    workspace.outdate(visit, plan)
    visit.change("beams", place, **values, energy=visit.field("energy"))
    return workspace.back(visit, "beams", f"Beam {asked} saved.")


def _number(
    visit: Visit, problems: Problems, name: str, low: float, high: float, whole: bool = False
) -> float | None:
    value = read_number(visit.field(name), whole)
    if value is None or not low <= value <= high:
        problems.add(name, f"Enter {low:g} to {high:g}.")
        return None
    return value
