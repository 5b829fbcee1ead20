"""The worklist: recordings of today, or earlier ones."""

from starlette.responses import Response

from clinic.applications.ecg_workstation.choices import STATUSES
from clinic.toolkit import workstation
from clinic.toolkit.worklist import chosen, matching
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


def show(visit: Visit) -> Response:
    """Show the recordings of one filter that match the search."""
    picked = chosen(visit, "show", FILTERS)
    search = visit.query.get("q", "").strip()
    today = visit.now.date().isoformat()
    rows = visit.db.execute(ROWS, {"show": picked, "today": today}).fetchall()
    workstation.show(visit, "worklist")
    return visit.render(
        "worklist.html",
        rows=matching(rows, search, "study_id"),
        filters=FILTERS,
        show=picked,
        search=search,
    )
