"""Signing the shift off: a checklist of what has to be charted, and the signature."""

from dataclasses import dataclass
from datetime import timedelta

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_documentation import sheet
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.toolkit.words import moment
from clinic.visit import Visit

VITALS_WITHIN = timedelta(hours=4)


@dataclass(frozen=True)
class Point:
    """A line of the checklist."""

    label: str
    section: str
    done: bool


def checklist(visit: Visit, mrn: str) -> list[Point]:
    """Return what has to be there before the shift is signed off."""
    started = sheet.shift(visit)["started_at"]
    recent = clock.text(max(visit.now - VITALS_WITHIN, moment(started)))
    return [
        Point(
            "Vital signs within the last 4 hours",
            "vitals",
            _any(visit, "vitals", mrn, recent, "NOT in_error"),
        ),
        Point(
            "Intake in this shift",
            "fluids",
            _fluids(visit, mrn, started, "'oral', 'infusion', 'tube', 'blood'"),
        ),
        Point(
            "Output in this shift",
            "fluids",
            _fluids(visit, mrn, started, "'urine', 'drain', 'stool', 'vomit'"),
        ),
        Point(
            "Signed nursing note in this shift",
            "notes",
            _any(visit, "notes", mrn, started, "status = 'signed'"),
        ),
        Point(
            "Signed handover in this shift",
            "handover",
            _any(visit, "handovers", mrn, started, "status = 'signed'"),
        ),
    ]


def _any(visit: Visit, table: str, mrn: str, since: str, condition: str) -> bool:
    query = f"SELECT 1 FROM {table} WHERE mrn = ? AND at >= ? AND {condition}"  # noqa: S608 - fixed texts
    return visit.db.execute(query, (mrn, since)).fetchone() is not None


def _fluids(visit: Visit, mrn: str, since: str, kinds: str) -> bool:
    return _any(visit, "fluids", mrn, since, f"NOT in_error AND kind IN ({kinds})")


def show(visit: Visit) -> Response:
    """Show the checklist."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    points = checklist(visit, sheet.patient(visit)["mrn"])
    return sheet.render(visit, "signoff", problems, warnings, points=points)


def sign(visit: Visit) -> Response:
    """Sign the shift off once; with points open only after a confirmation."""
    patient = sheet.patient(visit)
    problems = Problems()
    sheet.only_nurses(visit, problems)
    problems.add_if(patient["signed_off_at"], "", "The shift is signed off already.")
    if problems:
        return _render(visit, problems)
    missing = [point.label for point in checklist(visit, patient["mrn"]) if not point.done]
    if missing and not visit.field("confirmed"):
        return _render(visit, warnings=missing)
    rows.update(
        visit.db,
        "patients",
        {"mrn": patient["mrn"]},
        signed_off_by=visit.user_id,
        signed_off_at=clock.text(visit.now),
        signed_off_incomplete=bool(missing),
    )
    return visit.go(f"/beds/{patient['mrn']}/signoff", "Shift signed off.")
