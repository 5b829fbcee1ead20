"""The list of patients."""

from starlette.responses import Response

from clinic.toolkit import workstation
from clinic.toolkit.worklist import matching
from clinic.visit import Visit

PATIENTS = """
    SELECT patients.*, users.name AS physician_name,
           (SELECT count(*) FROM plans WHERE plans.mrn = patients.mrn) AS plan_count
    FROM patients JOIN users ON users.user_id = patients.physician ORDER BY family_name, given_name
"""


def show(visit: Visit) -> Response:
    """Show the patients that match the search."""
    search = visit.query.get("q", "")
    found = matching(visit.db.execute(PATIENTS), search)
    workstation.show(visit, "patients")
    return visit.render("patients.html", patients=found, search=search)
