"""The list that patients are chosen from."""

import sqlite3

from starlette.responses import Response

from clinic.applications.doctor_prescription import chart
from clinic.toolkit import workstation
from clinic.visit import Visit

ROWS = "SELECT mrn, family_name, given_name, sex, birth_date, seen_at, reason FROM patients ORDER BY seen_at"


def home(visit: Visit) -> Response:
    """Lead to the list."""
    return visit.go("/patients")


def show(visit: Visit) -> Response:
    """Show today's patients that match the search."""
    search = visit.query.get("q", "").strip()
    workstation.show(visit, "patients")
    found = [row for row in visit.db.execute(ROWS) if _matches(row, search)]
    return visit.render("patients.html", rows=found, search=search)


def _matches(row: sqlite3.Row, search: str) -> bool:
    """Match each word of the search against name and number."""
    text = f"{row['family_name']} {row['given_name']} {row['mrn']}".casefold()
    return all(word in text for word in search.casefold().replace(",", " ").split())


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
