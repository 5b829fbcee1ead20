"""What all pages of one patient share: the patient, the beds, who may chart, how to answer."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic.applications.nursing_documentation.choices import ERROR_REASONS
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, bed, admitted_at, reason, history, allergies, spo2_scale,
           signed_off_by, signed_off_at, signed_off_incomplete
    FROM patients WHERE mrn = ?
"""
NURSES = frozenset({"shift_nurse", "staff_nurse", "charge_nurse"})


def patient(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    return visit.one(PATIENT, (visit.params["mrn"],))


def shift(visit: Visit) -> sqlite3.Row:
    """Return the shift that is going on."""
    row: sqlite3.Row = visit.db.execute("SELECT * FROM shift").fetchone()
    return row


def only_nurses(visit: Visit, problems: Problems) -> None:
    """Add a refusal when this user may not chart."""
    if visit.user is None or visit.user["role"] not in NURSES:
        problems.add("", "Your role may read the sheets; nurses chart in them.")


def strike(visit: Visit, table: str) -> Problems:
    """Strike an entry of the patient through for the reason given, and return what speaks against it."""
    problems = Problems()
    only_nurses(visit, problems)
    reason, mrn = visit.field("error_reason"), patient(visit)["mrn"]
    problems.add_if(reason not in ERROR_REASONS, "error_reason", "Choose the reason.")
    if not problems:
        mark = {"in_error": True, "error_reason": reason, "error_by": visit.user_id}
        visit.change(table, {"id": visit.params["id"], "mrn": mrn, "in_error": False}, **mark)
    return problems


def render(
    visit: Visit,
    section: str,
    problems: Problems | None = None,
    warnings: Warnings = None,
    *,
    template: str | None = None,
    **context: Any,
) -> Response:
    """Answer with a section of a patient's sheet: as it is, with refusals (422), or asking to confirm."""
    found = patient(visit)
    workstation.show(visit, section, found["mrn"])
    return visit.render(
        template or f"{section}.html",
        **said(visit, problems, warnings),
        patient=found,
        section=section,
        shift=shift(visit),
        staff=visit.staff(),
        beds=visit.db.execute("SELECT mrn, bed FROM patients ORDER BY bed").fetchall(),
        **context,
    )
