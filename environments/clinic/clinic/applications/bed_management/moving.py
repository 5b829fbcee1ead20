"""Transfers to another bed, and two patients changing beds."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.bed_management import chart, house, suitability
from clinic.applications.bed_management.choices import ORDER_SET, REASONS
from clinic.applications.bed_management.suitability import Needs
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def show_transfer(visit: Visit) -> Response:
    """Show the transfer page."""
    chart.load(visit, "inpatient")
    return chart.render(visit, "transfer")


def show_swap(visit: Visit) -> Response:
    """Show the swap page."""
    chart.load(visit, "inpatient")
    return chart.render(visit, "swap")


def transfer(visit: Visit) -> Response:
    """Move a patient into an empty bed; the one left behind goes to cleaning."""
    patient = chart.load(visit, "inpatient")
    problems = _start(visit)
    bed = chart.chosen_bed(visit, problems)
    if problems or bed is None:
        return chart.render(visit, "transfer", problems)
    odd = suitability.concerns(Needs.of(patient), bed)
    if (odd or _missing(visit)) and not visit.field("confirmed"):
        return chart.render(visit, "transfer", warnings=[*odd, *_missing(visit)])
    house.vacate(visit, patient["bed"])
    house.occupy(visit, patient["mrn"], bed["label"])
    _log(visit, "transfer", patient, bed, odd)
    return chart.back(visit, f"Transferred from {patient['bed']} to {bed['label']}.")


def swap(visit: Visit) -> Response:
    """Let two inpatients change beds."""
    patient = chart.load(visit, "inpatient")
    problems = _start(visit)
    here, there = house.bed(visit.db, patient["bed"]), house.bed(visit.db, visit.field("bed"))
    if there is None or there["state"] != "occupied" or there["mrn"] == patient["mrn"]:
        problems.add("bed", "Click the occupied bed to change with.")
    if problems or here is None or there is None:
        return chart.render(visit, "swap", problems)
    other = house.by_number(visit.db)[there["mrn"]]
    odd, turned = suitability.concerns(Needs.of(patient), there), suitability.concerns(Needs.of(other), here)
    if (odd or turned or _missing(visit)) and not visit.field("confirmed"):
        return chart.render(visit, "swap", warnings=[*odd, *turned, *_missing(visit)])
    for bed in (here, there):
        rows.update(visit.db, "beds", {"label": bed["label"]}, mrn=None)
    house.occupy(visit, patient["mrn"], there["label"])
    house.occupy(visit, other["mrn"], here["label"])
    _log(visit, "swap", patient, there, odd)
    _log(visit, "swap", other, here, turned)
    return chart.back(visit, f"{patient['bed']} and {other['bed']} changed patients.")


def _start(visit: Visit) -> Problems:
    problems = chart.start(visit)
    problems.add_if(visit.field("reason") not in REASONS, "reason", "Choose a reason.")
    return problems


def _missing(visit: Visit) -> list[str]:
    """Return what of the order set was not ticked."""
    return [f"Not confirmed: {label}." for name, label in ORDER_SET.items() if not visit.field(name)]


def _log(visit: Visit, kind: str, patient: sqlite3.Row, bed: sqlite3.Row, odd: list[str]) -> None:
    ticked: dict[str, Any] = {name: bool(visit.field(name)) for name in ORDER_SET}
    rows.insert(
        visit.db,
        "transfers",
        mrn=patient["mrn"],
        kind=kind,
        from_bed=patient["bed"],
        to_bed=bed["label"],
        reason=visit.field("reason"),
        **ticked,
        warnings=" ".join(odd),
        by=visit.user_id,
        at=clock.text(visit.now),
    )
