"""The unit sheet: a line for each bed."""

import sqlite3
from dataclasses import dataclass

from starlette.responses import Response

from clinic.applications.nursing_documentation import fluids, sheet, signoff, vitals
from clinic.toolkit import workstation
from clinic.toolkit.words import moment
from clinic.visit import Visit

BEDS = """
    SELECT mrn, bed, family_name, given_name, sex, birth_date, spo2_scale, signed_off_at FROM patients ORDER BY bed
"""


@dataclass(frozen=True)
class Line:
    """One bed on the unit sheet."""

    patient: sqlite3.Row
    latest: sqlite3.Row | None
    points: dict[str, int]
    totals: fluids.Totals
    open_points: int


def show(visit: Visit) -> Response:
    """Show all beds."""
    workstation.show(visit, "unit")
    shift = sheet.shift(visit)
    patients = visit.db.execute(BEDS).fetchall()
    return visit.render("unit.html", lines=[_line(visit, shift, row) for row in patients], shift=shift)


def _line(visit: Visit, shift: sqlite3.Row, patient: sqlite3.Row) -> Line:
    mrn = patient["mrn"]
    latest = vitals.latest(visit, mrn)
    points = vitals.coloured(visit, patient, latest) if latest else {}
    totals = fluids.total(fluids.entries(visit, mrn), moment(shift["started_at"]))
    missing = [point for point in signoff.checklist(visit, mrn) if not point.done]
    return Line(patient, latest, points, totals, len(missing))
