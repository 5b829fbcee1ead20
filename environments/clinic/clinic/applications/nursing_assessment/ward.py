"""The ward view: a card for each bed with the state of every form."""

from starlette.responses import Response

from clinic.applications.nursing_assessment import records
from clinic.toolkit import workstation
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show all beds."""
    workstation.show(visit, "ward")
    patients = visit.db.execute(
        "SELECT mrn, family_name, given_name, sex, birth_date, bed, diagnosis, admitted_at FROM patients ORDER BY bed"
    ).fetchall()
    cards = [(patient, records.due(visit, patient)) for patient in patients]
    return visit.render("ward.html", cards=cards)
