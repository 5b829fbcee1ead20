"""The worklist: what is ordered for today, on both scanners."""

import sqlite3

from starlette.responses import Response

from clinic.applications.imaging_console.choices import MODALITIES
from clinic.toolkit import workstation
from clinic.toolkit.worklist import chosen, matching
from clinic.visit import Visit

ROWS = """
    SELECT orders.accession, orders.mrn, modality, procedure, scheduled_at, status, referrer, family_name,
           given_name, birth_date, sex, location
    FROM orders JOIN patients USING (mrn)
    WHERE (:modality = 'all' OR modality = :modality)
    ORDER BY scheduled_at, accession
"""


def show(visit: Visit) -> Response:
    """Show the orders of one scanner or of both that match the search."""
    modality = chosen(visit, "modality", MODALITIES)
    search = visit.query.get("q", "").strip()
    found = visit.db.execute(ROWS, {"modality": modality}).fetchall()
    workstation.show(visit, "worklist")
    return visit.render(
        "worklist.html",
        rows=matching(found, search, "accession"),
        duties=duties(visit),
        modality=modality,
        search=search,
    )


def duties(visit: Visit) -> dict[str, sqlite3.Row]:
    """Return who is to be told of problems, by post."""
    query = "SELECT post, user_id, name FROM duties JOIN users ON user_id = user"
    return {row["post"]: row for row in visit.db.execute(query)}
