"""The worklist of the day."""

import sqlite3

from starlette.responses import Response

from clinic.applications.ultrasound.choices import STATUSES
from clinic.applications.ultrasound.exam import protocols
from clinic.toolkit import workstation
from clinic.visit import Visit

ROWS = """
    SELECT accession, exams.mrn, family_name, given_name, sex, birth_date, protocol, scheduled_at, priority,
           exams.status, indication, users.name AS referrer
    FROM exams JOIN patients USING (mrn) JOIN users ON users.user_id = referrer
    WHERE (:status = 'all' OR exams.status = :status)
    ORDER BY scheduled_at, accession
"""


def home(visit: Visit) -> Response:
    """Lead to the worklist."""
    return visit.go("/worklist")


def show(visit: Visit) -> Response:
    """Show the exams of one filter that match the search."""
    status = visit.query.get("show", "all")
    status = status if status in STATUSES else "all"
    search = visit.query.get("q", "").strip()
    rows = visit.db.execute(ROWS, {"status": status}).fetchall()
    workstation.show(visit, "worklist")
    return visit.render(
        "worklist.html",
        rows=[row for row in rows if _matches(row, search)],
        protocols=protocols(visit),
        show=status,
        search=search,
    )


def _matches(row: sqlite3.Row, search: str) -> bool:
    """Match each word of the search against name, number and accession."""
    text = f"{row['family_name']} {row['given_name']} {row['mrn']} {row['accession']}".casefold()
    return all(word in text for word in search.casefold().replace(",", " ").split())
