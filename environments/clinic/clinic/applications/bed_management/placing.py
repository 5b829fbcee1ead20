"""The page of a patient, giving a bed to somebody who waits, and direct admission."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.bed_management import chart, house, suitability
from clinic.applications.bed_management.choices import LEVELS, PRECAUTIONS, SOURCES
from clinic.applications.bed_management.suitability import Needs
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

LONGEST_STAY = 180
LONGEST_DIAGNOSIS = 80


def show(visit: Visit) -> Response:
    """Show the patient: with the map to choose from when a bed is asked for."""
    patient = chart.load(visit)
    return chart.render(visit, "place" if patient["status"] == "waiting" else "overview")


def place(visit: Visit) -> Response:
    """Give a bed to somebody on the worklist."""
    patient = chart.load(visit, "waiting")
    problems = chart.start(visit)
    bed = chart.chosen_bed(visit, problems)
    if problems or bed is None:
        return chart.render(visit, "place", problems)
    needs = Needs.of(patient)
    odd = suitability.concerns(needs, bed)
    if odd and not visit.field("confirmed"):
        return chart.render(visit, "place", warnings=odd)
    chart.admit(visit, needs, bed, "request")
    done = {"status": "placed", "placed_by": visit.user_id, "placed_at": clock.text(visit.now)}
    rows.update(visit.db, "requests", {"id": patient["request"]}, **done)
    return chart.back(visit, f"Bed {bed['label']} given.")


def ask(visit: Visit) -> Response:
    """Show the form of a direct admission."""
    chart.load(visit, "registered")
    return _form(visit)


def _form(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    query = "SELECT user_id, name FROM users WHERE role = 'consultant' ORDER BY name"
    consultants = {row["user_id"]: f"Dr {row['name']}" for row in visit.db.execute(query)}
    return chart.render(visit, "admit", problems, warnings, consultants=consultants)


def admit(visit: Visit) -> Response:
    """Admit somebody who did not come over the worklist."""
    patient = chart.load(visit, "registered")
    problems = chart.start(visit)
    values = _read(visit, problems)
    bed = chart.chosen_bed(visit, problems)
    if problems or bed is None:
        return _form(visit, problems)
    needs = Needs(patient["mrn"], patient["sex"], values["level"], values["precautions"])
    odd = suitability.concerns(needs, bed)
    if odd and not visit.field("confirmed"):
        return _form(visit, warnings=odd)
    chart.admit(visit, needs, bed, "direct")
    house.update(visit, patient["mrn"], **values)
    return chart.back(visit, f"Admitted to bed {bed['label']}.")


def _read(visit: Visit, problems: Problems) -> dict[str, Any]:
    """Read the form of a direct admission."""
    diagnosis, stay = visit.field("diagnosis"), visit.field("stay_days")
    if not diagnosis or len(diagnosis) > LONGEST_DIAGNOSIS:
        problems.add("diagnosis", f"Enter a diagnosis of at most {LONGEST_DIAGNOSIS} characters.")
    days = read_number(stay, whole=True) if stay else None
    if stay and (days is None or not 1 <= days <= LONGEST_STAY):
        problems.add("stay_days", f"Enter 1 to {LONGEST_STAY} days.")
    offered = {
        "source": SOURCES,
        "consultant": _consultants(visit),
        "level": LEVELS,
        "precautions": PRECAUTIONS,
    }
    for name, options in offered.items():
        if visit.field(name) not in options:
            problems.add(name, "Choose one.")
    return {name: visit.field(name) for name in offered} | {"diagnosis": diagnosis, "stay_days": days}


def _consultants(visit: Visit) -> list[str]:
    found: list[sqlite3.Row] = visit.db.execute(
        "SELECT user_id FROM users WHERE role = 'consultant'"
    ).fetchall()
    return [row["user_id"] for row in found]
