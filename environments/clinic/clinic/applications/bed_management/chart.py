"""What all pages about one patient share: who it is, the map beside it, how to answer."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.bed_management import house, suitability
from clinic.applications.bed_management.suitability import Needs
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import NotHere, Visit


def load(visit: Visit, *statuses: str) -> sqlite3.Row:
    """Return the patient of the address, who must have one of some statuses."""
    patient = house.patient(visit)
    if statuses and patient["status"] not in statuses:
        raise NotHere
    return patient


def render(
    visit: Visit, tab: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a page about a patient: as it is, with refusals (422), or asking to confirm."""
    patient = load(visit)
    workstation.show(visit, tab, patient["mrn"])
    return visit.render(
        f"{tab}.html",
        **said(visit, problems, warnings),
        patient=patient,
        tab=tab,
        wards=house.wards(visit.db),
        people=house.by_number(visit.db),
        **context,
    )


def back(visit: Visit, notice: str) -> Response:
    """Return to the patient after something was done."""
    return visit.go(f"/patient/{visit.params['mrn']}", notice)


def chosen_bed(visit: Visit, problems: Problems) -> sqlite3.Row | None:
    """Return the bed that was clicked, unless nobody can be put into it."""
    bed = house.bed(visit.db, visit.field("bed"))
    if bed is None:
        problems.add("bed", "Click an available bed on the map.")
    elif text := suitability.refusal(bed):
        problems.add("bed", text)
    return bed


def start(visit: Visit) -> Problems:
    """Begin a list of refusals with that of the user's role."""
    problem = house.role_problem(visit)
    return Problems({"": problem} if problem else {})


def admit(visit: Visit, needs: Needs, bed: sqlite3.Row, route: str) -> None:
    """Write an admission into a bed."""
    at = clock.text(visit.now)
    house.occupy(visit, needs.mrn, bed["label"])
    house.update(visit, needs.mrn, status="inpatient", admitted_at=at)
    warnings = " ".join(suitability.concerns(needs, bed))
    rows.insert(
        visit.db,
        "admissions",
        mrn=needs.mrn,
        bed=bed["label"],
        route=route,
        warnings=warnings,
        by=visit.user_id,
        at=at,
    )
