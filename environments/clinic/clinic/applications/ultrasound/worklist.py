"""The worklist of the day."""

from starlette.responses import Response

from clinic.applications.ultrasound.choices import STATUSES
from clinic.applications.ultrasound.exam import protocols
from clinic.toolkit import workstation
from clinic.toolkit.worklist import chosen, matching
from clinic.visit import Visit

ROWS = """
    SELECT accession, exams.mrn, family_name, given_name, sex, birth_date, protocol, scheduled_at, priority,
           exams.status, indication, users.name AS referrer
    FROM exams JOIN patients USING (mrn) JOIN users ON users.user_id = referrer
    WHERE (:status = 'all' OR exams.status = :status)
    ORDER BY scheduled_at, accession
"""


def show(visit: Visit) -> Response:
    """Show the exams of one filter that match the search."""
    status = chosen(visit, "show", STATUSES)
    search = visit.query.get("q", "").strip()
    rows = visit.db.execute(ROWS, {"status": status}).fetchall()
    workstation.show(visit, "worklist")
    return visit.render(
        "worklist.html",
        rows=matching(rows, search, "accession"),
        protocols=protocols(visit),
        show=status,
        search=search,
    )
