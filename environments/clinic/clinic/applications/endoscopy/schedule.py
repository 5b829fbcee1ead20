"""The procedures of the day."""

from starlette.responses import Response

from clinic.applications.endoscopy.case import kinds
from clinic.applications.endoscopy.choices import STATUSES
from clinic.toolkit import workstation
from clinic.toolkit.worklist import chosen, matching
from clinic.visit import Visit

ROWS = """
    SELECT case_no, procedures.mrn, family_name, given_name, sex, birth_date, kind, room, scheduled_at, status,
           indication, users.name AS doctor
    FROM procedures JOIN patients USING (mrn) JOIN users ON users.user_id = endoscopist
    WHERE (:status = 'all' OR status = :status)
    ORDER BY scheduled_at, room
"""


def show(visit: Visit) -> Response:
    """Show the procedures of one filter that match the search."""
    status = chosen(visit, "show", STATUSES)
    search = visit.query.get("q", "").strip()
    rows = visit.db.execute(ROWS, {"status": status}).fetchall()
    workstation.show(visit, "schedule")
    return visit.render(
        "schedule.html",
        rows=matching(rows, search, "case_no"),
        kinds=kinds(visit),
        show=status,
        search=search,
    )
