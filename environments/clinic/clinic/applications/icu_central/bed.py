"""What all screens of one bed share, the large monitor, and the review of stored events."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic.applications.icu_central import overview
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

PATIENT = """
    SELECT beds.number, mrn, family_name, given_name, sex, birth_date, diagnosis, physician, pacemaker, status,
           age_class, profile, paced, identity_checked, admitted_by, admitted_at
    FROM beds JOIN patients USING (mrn) WHERE beds.number = ?
"""
NUMERICS = "SELECT * FROM numerics WHERE mrn = ?"
LIMITS = """
    SELECT limits.*, users.name AS changer FROM limits LEFT JOIN users ON users.user_id = limits.changed_by
    WHERE mrn = ? ORDER BY limits.id
"""


def load(visit: Visit) -> sqlite3.Row:
    """Return who lies in the bed of the address."""
    return visit.one(PATIENT, (visit.params["number"],))


def render(
    visit: Visit, screen: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a screen of the bed: as it is, with refusals (422), or with a dialog asking to confirm."""
    patient = load(visit)
    workstation.show(visit, screen, patient["mrn"])
    limits = visit.db.execute(LIMITS, (patient["mrn"],)).fetchall()
    return overview.render(
        visit,
        f"{screen}.html",
        **said(visit, problems, warnings),
        patient=patient,
        screen=screen,
        numerics=visit.db.execute(NUMERICS, (patient["mrn"],)).fetchone(),
        limits={row["parameter"]: row for row in limits},
        **context,
    )


def show(visit: Visit) -> Response:
    """Show the monitor of one bed, with its alarms."""
    mine = overview.list_alarms(visit, "all", load(visit)["mrn"])
    return render(visit, "monitor", mine=mine)


def events(visit: Visit) -> Response:
    """Show the stored events, one of them with its strip."""
    mrn = load(visit)["mrn"]
    stored = visit.db.execute("SELECT * FROM events WHERE mrn = ? ORDER BY at DESC", (mrn,)).fetchall()
    wanted = visit.query.get("event", "")
    chosen = next((row for row in stored if str(row["id"]) == wanted), stored[0] if stored else None)
    return render(visit, "events", stored=stored, chosen=chosen)
