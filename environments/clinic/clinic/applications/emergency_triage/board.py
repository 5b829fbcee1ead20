"""The tracking board."""

import sqlite3

from starlette.responses import Response

from clinic.applications.emergency_triage.choices import STATUSES
from clinic.applications.emergency_triage.flags import flags_of
from clinic.toolkit import workstation
from clinic.toolkit.words import moment
from clinic.toolkit.worklist import chosen, matching
from clinic.visit import Visit

ROWS = """
    SELECT mrn, family_name, given_name, sex, birth_date, bay, arrived_at, complaint, status, esi, disposition,
           users.name AS nurse
    FROM patients LEFT JOIN users ON users.user_id = patients.nurse
    WHERE (:status = 'all' OR status = :status)
    ORDER BY arrived_at
"""


def show(visit: Visit) -> Response:
    """Show the patients of one filter that match the search."""
    status = chosen(visit, "show", STATUSES)
    search = visit.query.get("q", "").strip()
    rows = visit.db.execute(ROWS, {"status": status}).fetchall()
    workstation.show(visit, "board")
    return visit.render(
        "board.html",
        rows=matching(rows, search),
        flags=flags_of(visit),
        waited={row["mrn"]: _minutes(visit, row) for row in rows},
        show=status,
        search=search,
    )


def _minutes(visit: Visit, row: sqlite3.Row) -> int:
    return int((visit.now - moment(row["arrived_at"])).total_seconds() // 60)
