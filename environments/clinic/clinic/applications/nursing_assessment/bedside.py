"""What all pages of one patient share: the patient, the notes, who may chart, how to answer."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic.applications.nursing_assessment import records
from clinic.applications.nursing_assessment.scales import Scale, load
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import NotHere, Visit

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, bed, admitted_at, diagnosis, other_diagnoses, access,
           falls, mobility_order, height_cm
    FROM patients WHERE mrn = ?
"""
NOTES = """
    SELECT notes.*, users.name AS by_name FROM notes JOIN users ON users.user_id = notes.by
    WHERE mrn = ? ORDER BY at DESC, id DESC
"""
NURSES = frozenset({"bedside_nurse", "staff_nurse", "charge_nurse"})


def patient(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    return visit.one(PATIENT, (visit.params["mrn"],))


def scale(visit: Visit) -> Scale:
    """Return the form of the address."""
    found = load(visit.fixtures).get(visit.params["tool"])
    if found is None:
        raise NotHere
    return found


def role_problem(visit: Visit) -> str | None:
    """Return why this user may not chart, if so."""
    if visit.user is not None and visit.user["role"] in NURSES:
        return None
    return "Your role may read this chart; assessments and measures are charted by nurses."


def render(
    visit: Visit,
    template: str,
    screen: str,
    problems: Problems | None = None,
    warnings: Warnings = None,
    **context: Any,
) -> Response:
    """Answer with a page of a patient: as it is, with refusals (422), or with a dialog asking to confirm."""
    found = patient(visit)
    workstation.show(visit, screen, found["mrn"])
    return visit.render(
        template,
        **said(visit, problems, warnings),
        patient=found,
        screen=screen,
        scales=load(visit.fixtures),
        due={each.scale.key: each for each in records.due(visit, found)},
        notes=visit.db.execute(NOTES, (found["mrn"],)).fetchall(),
        **context,
    )
