"""The procedures of the day."""

import sqlite3

from starlette.responses import Response

from clinic.applications.endoscopy.case import kinds
from clinic.applications.endoscopy.choices import STATUSES
from clinic.toolkit import workstation
from clinic.visit import Visit

ROWS = """
    SELECT case_no, procedures.mrn, family_name, given_name, sex, birth_date, kind, room, scheduled_at, status,
           indication, users.name AS doctor
    FROM procedures JOIN patients USING (mrn) JOIN users ON users.user_id = endoscopist
    WHERE (:status = 'all' OR status = :status)
    ORDER BY scheduled_at, room
"""


def home(visit: Visit) -> Response:
    """Lead to the schedule."""
    return visit.go("/schedule")


def show(visit: Visit) -> Response:
    """Show the procedures of one filter that match the search."""
    status = visit.query.get("show", "all")
    status = status if status in STATUSES else "all"
    search = visit.query.get("q", "").strip()
    rows = visit.db.execute(ROWS, {"status": status}).fetchall()
    workstation.show(visit, "schedule")
    return visit.render(
        "schedule.html",
        rows=[row for row in rows if _matches(row, search)],
        kinds=kinds(visit),
        show=status,
        search=search,
    )


def _matches(row: sqlite3.Row, search: str) -> bool:
    """Match each word of the search against name, number and case."""
    text = f"{row['family_name']} {row['given_name']} {row['mrn']} {row['case_no']}".casefold()
    return all(word in text for word in search.casefold().replace(",", " ").split())
