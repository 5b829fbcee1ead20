"""The list that patients are chosen from."""

from starlette.responses import Response

from clinic.applications.doctor_prescription import chart
from clinic.toolkit import workstation
from clinic.toolkit.worklist import matching
from clinic.visit import Visit

ROWS = "SELECT mrn, family_name, given_name, sex, birth_date, seen_at, reason FROM patients ORDER BY seen_at"


def show(visit: Visit) -> Response:
    """Show today's patients that match the search."""
    search = visit.query.get("q", "").strip()
    workstation.show(visit, "patients")
    found = matching(visit.db.execute(ROWS), search)
    return visit.render("patients.html", rows=found, search=search)


def cover(visit: Visit) -> Response:
    """Show the cover sheet."""
    return chart.render(
        visit,
        "cover",
        "cover",
        problems_listed=chart.listed(visit, "problems", "since DESC"),
        labs=chart.listed(visit, "labs", "taken_on DESC"),
        consents=chart.listed(visit, "consents"),
        requests=[row for row in chart.listed(visit, "renewals") if row["status"] == "open"],
    )
