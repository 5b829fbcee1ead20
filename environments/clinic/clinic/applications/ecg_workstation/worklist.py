"""The worklist: recordings of today, or earlier ones."""

import sqlite3

from starlette.responses import Response

from clinic.applications.ecg_workstation.choices import STATUSES
from clinic.toolkit import workstation
from clinic.visit import Visit

ROWS = """
    SELECT study_id, mrn, family_name, given_name, sex, birth_date, studies.location, acquired_at, indication,
           priority, status, analysed_at,
           (SELECT count(*) FROM alerts WHERE alerts.study_id = studies.study_id) AS alerts
    FROM studies JOIN patients USING (mrn)
    WHERE CASE :show WHEN 'all' THEN acquired_at >= :today WHEN 'earlier' THEN acquired_at < :today
          ELSE status = :show AND acquired_at >= :today END
    ORDER BY acquired_at DESC
"""
FILTERS = {"all": "All today", **STATUSES, "earlier": "Earlier"}


def home(visit: Visit) -> Response:
    """Lead to the worklist."""
    return visit.go("/worklist")


def show(visit: Visit) -> Response:
    """Show the recordings of one filter that match the search."""
    chosen = visit.query.get("show", "all")
    chosen = chosen if chosen in FILTERS else "all"
    search = visit.query.get("q", "").strip()
    today = visit.now.date().isoformat()
    rows = visit.db.execute(ROWS, {"show": chosen, "today": today}).fetchall()
    workstation.show(visit, "worklist")
    return visit.render(
        "worklist.html",
        rows=[row for row in rows if _matches(row, search)],
        filters=FILTERS,
        show=chosen,
        search=search,
    )


def _matches(row: sqlite3.Row, search: str) -> bool:
    """Match each word of the search against name and numbers."""
    text = f"{row['family_name']} {row['given_name']} {row['mrn']} {row['study_id']}".casefold()
    return all(word in text for word in search.casefold().replace(",", " ").split())
