"""The discharge page: checklist, destination, and the bed going to cleaning."""

from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.bed_management import chart, house
from clinic.applications.bed_management.choices import CHECKLIST, DESTINATIONS
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the page."""
    chart.load(visit, "inpatient")
    return chart.render(visit, "discharge")


def save(visit: Visit) -> Response:
    """Discharge a patient; what is not ticked has to be confirmed."""
    patient = chart.load(visit, "inpatient")
    problems = chart.start(visit)
    problems.add_if(patient["orders_at"] is None, "", "No discharge order has been written for this patient.")
    problems.add_if(visit.field("destination") not in DESTINATIONS, "destination", "Choose a destination.")
    if problems:
        return chart.render(visit, "discharge", problems)
    open_items = [f"Not confirmed: {label}." for name, label in CHECKLIST.items() if not visit.field(name)]
    if open_items and not visit.field("confirmed"):
        return chart.render(visit, "discharge", warnings=open_items)
    ticked: dict[str, Any] = {name: bool(visit.field(name)) for name in CHECKLIST}
    house.vacate(visit, patient["bed"])
    house.update(visit, patient["mrn"], status="discharged")
    rows.insert(
        visit.db,
        "discharges",
        mrn=patient["mrn"],
        bed=patient["bed"],
        destination=visit.field("destination"),
        **ticked,
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    return chart.back(visit, f"Discharged. Bed {patient['bed']} goes to cleaning.")
