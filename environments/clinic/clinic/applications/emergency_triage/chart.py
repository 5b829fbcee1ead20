"""What all tabs of a chart share: the patient, the banner, who may decide, how to answer."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import rows
from clinic.applications.emergency_triage.flags import Flags, flags_of
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.toolkit.words import age_years
from clinic.visit import Visit

ADULT_AT = 18
PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, address, visit_no, bay, arrived_at, arrival_mode,
           complaint, narrative, history, medications, isolation, fall_risk, status, nurse, triage_started_at,
           weight_kg, esi, esi_reason, esi_by, esi_at, triaged_by, triaged_at, disposition, disposition_note,
           disposition_by, disposition_at, no_known_allergies, allergies_reviewed_by, allergies_reviewed_at
    FROM patients WHERE mrn = ?
"""


def load(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    return visit.one(PATIENT, (visit.params["mrn"],))


def is_child(patient: sqlite3.Row, visit: Visit) -> bool:
    """Tell whether paediatric rules apply."""
    return age_years(patient["birth_date"], visit.now.date()) < ADULT_AT


def active_allergies(visit: Visit, mrn: str) -> list[sqlite3.Row]:
    """Return what is on the list and not entered in error."""
    query = "SELECT * FROM allergies WHERE mrn = ? AND NOT in_error ORDER BY id"
    return visit.db.execute(query, (mrn,)).fetchall()


def role_problem(visit: Visit) -> str | None:
    """Return why this user may not make triage decisions, if so."""
    if visit.user is not None and visit.user["role"] == "triage_nurse":
        return None
    return "Your role may view and chart, but triage decisions are made by the triage nurse."


def update(visit: Visit, mrn: str, **values: Any) -> None:
    """Change fields of a patient."""
    rows.update(visit.db, "patients", {"mrn": mrn}, **values)


def render(
    visit: Visit, tab: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a tab of the chart: as it is, with refusals (422), or with a dialog asking to confirm."""
    patient = load(visit)
    workstation.show(visit, tab, patient["mrn"])
    return visit.render(
        f"{tab}.html",
        **said(visit, problems, warnings),
        patient=patient,
        tab=tab,
        child=is_child(patient, visit),
        flags=_flags(visit, patient),
        allergies=active_allergies(visit, patient["mrn"]),
        staff=visit.staff(),
        **context,
    )


def _flags(visit: Visit, patient: sqlite3.Row) -> Flags:
    return flags_of(visit)[patient["mrn"]]
