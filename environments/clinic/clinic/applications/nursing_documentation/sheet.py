"""What all pages of one patient share: the patient, the beds, who may chart, how to answer."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.visit import NotHere, Visit

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, bed, admitted_at, reason, history, allergies, spo2_scale,
           signed_off_by, signed_off_at, signed_off_incomplete
    FROM patients WHERE mrn = ?
"""
NURSES = frozenset({"shift_nurse", "staff_nurse", "charge_nurse"})


def patient(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    row: sqlite3.Row | None = visit.db.execute(PATIENT, (visit.params["mrn"],)).fetchone()
    if row is None:
        raise NotHere
    return row


def shift(visit: Visit) -> sqlite3.Row:
    """Return the shift that is going on."""
    row: sqlite3.Row = visit.db.execute("SELECT * FROM shift").fetchone()
    return row


def staff(visit: Visit) -> dict[str, str]:
    """Return names by user id."""
    return {row["user_id"]: row["name"] for row in visit.db.execute("SELECT user_id, name FROM users")}


def only_nurses(visit: Visit, problems: Problems) -> None:
    """Add a refusal when this user may not chart."""
    if visit.user is None or visit.user["role"] not in NURSES:
        problems.add("", "Your role may read the sheets; nurses chart in them.")


def render(
    visit: Visit,
    section: str,
    problems: Problems | None = None,
    warnings: list[str] | None = None,
    *,
    template: str | None = None,
    **context: Any,
) -> Response:
    """Answer with a section of a patient's sheet: as it is, with refusals (422), or asking to confirm."""
    found = patient(visit)
    workstation.show(visit, section, found["mrn"])
    return visit.render(
        template or f"{section}.html",
        status=422 if problems else 200,
        patient=found,
        section=section,
        shift=shift(visit),
        staff=staff(visit),
        beds=visit.db.execute("SELECT mrn, bed FROM patients ORDER BY bed").fetchall(),
        problems=problems or Problems(),
        warnings=warnings or [],
        form=visit.form,
        **context,
    )
