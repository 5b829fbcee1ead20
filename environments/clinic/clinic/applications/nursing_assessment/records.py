"""Reads what was assessed, and when the next assessment is due."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from clinic.applications.nursing_assessment.scales import Scale, load
from clinic.toolkit.words import moment
from clinic.visit import Visit

SOON = timedelta(hours=2)
FIRST_WITHIN = timedelta(hours=8)  # of the admission, for a form that was never filled in


@dataclass(frozen=True)
class Due:
    """A form of one patient on the ward view."""

    scale: Scale
    last: sqlite3.Row | None
    at: datetime | None
    state: str


def entries(visit: Visit, scale: Scale, mrn: str) -> list[sqlite3.Row]:
    """Return all assessments with a form, the newest first, drafts and struck ones included."""
    return visit.db.execute(
        f"SELECT entry.*, users.name AS by_name FROM {scale.key} AS entry "  # noqa: S608 - a known table
        "JOIN users ON users.user_id = entry.by WHERE mrn = ? ORDER BY at DESC, id DESC",
        (mrn,),
    ).fetchall()


def standing(rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """Return those that count: signed, and not struck."""
    return [row for row in rows if row["status"] == "signed" and not row["in_error"]]


def latest(visit: Visit, scale: Scale, mrn: str) -> sqlite3.Row | None:
    """Return the newest assessment that counts."""
    return next(iter(standing(entries(visit, scale, mrn))), None)


def own_draft(visit: Visit, scale: Scale, mrn: str) -> sqlite3.Row | None:
    """Return the draft that this user left open."""
    rows = entries(visit, scale, mrn)
    return next((row for row in rows if row["status"] == "draft" and row["by"] == visit.user_id), None)


def due(visit: Visit, patient: sqlite3.Row) -> list[Due]:
    """Return the state of every form for a patient."""
    query = "SELECT tool, every_hours FROM schedules WHERE mrn = ?"
    hours = {row["tool"]: row["every_hours"] for row in visit.db.execute(query, (patient["mrn"],))}
    return [_due(visit, scale, patient, hours.get(scale.key)) for scale in load(visit.fixtures).values()]


def _due(visit: Visit, scale: Scale, patient: sqlite3.Row, hours: int | None) -> Due:
    last = latest(visit, scale, patient["mrn"])
    if hours is None:
        return Due(scale, last, None, "none")
    at = (
        moment(last["at"]) + timedelta(hours=hours) if last else moment(patient["admitted_at"]) + FIRST_WITHIN
    )
    state = "overdue" if at < visit.now else "soon" if at < visit.now + SOON else "done"
    return Due(scale, last, at, state)
