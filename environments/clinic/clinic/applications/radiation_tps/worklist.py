"""The list of patients."""

from starlette.responses import Response

from clinic.toolkit import workstation
from clinic.visit import Visit

PATIENTS = """
    SELECT patients.*, users.name AS physician_name,
           (SELECT count(*) FROM plans WHERE plans.mrn = patients.mrn) AS plan_count
    FROM patients JOIN users ON users.user_id = patients.physician ORDER BY family_name, given_name
"""


def home(visit: Visit) -> Response:
    """Lead to the list."""
    return visit.go("/patients")


def show(visit: Visit) -> Response:
    """Show the patients that match the search."""
    words = visit.query.get("q", "").casefold().replace(",", " ").split()
    found = [
        row
        for row in visit.db.execute(PATIENTS)
        if all(word in f"{row['family_name']} {row['given_name']} {row['mrn']}".casefold() for word in words)
    ]
    workstation.show(visit, "patients")
    return visit.render("patients.html", patients=found, search=visit.query.get("q", ""))
