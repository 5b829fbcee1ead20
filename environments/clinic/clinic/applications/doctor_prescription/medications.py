"""The medications tab, and the dialog for medicines that others prescribe."""

from starlette.responses import Response

from clinic.applications.doctor_prescription import chart
from clinic.applications.doctor_prescription.choices import REPORTERS, SCHEDULES
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST = 60


def show(visit: Visit) -> Response:
    """Show the tab."""
    return chart.render(visit, "medications", "medications")


def show_outside(visit: Visit) -> Response:
    """Show the dialog for an outside medication."""
    return chart.render(visit, "outside", "medications")


def add_outside(visit: Visit) -> Response:
    """Document what the patient takes on top of what is prescribed here."""
    chart.load(visit)
    names = ("drug", "dose", "schedule", "prescriber", "reported_by")
    entry = {name: visit.field(name) for name in names}
    problems = Problems()
    for name in ("drug", "dose"):
        if not entry[name]:
            problems.add(name, "This is needed.")
    for name in ("drug", "dose", "prescriber"):
        if len(entry[name]) > LONGEST:
            problems.add(name, f"At most {LONGEST} characters.")
    problems.add_if(entry["schedule"] not in SCHEDULES, "schedule", "Choose how often.")
    problems.add_if(entry["reported_by"] not in REPORTERS, "reported_by", "Choose who reported it.")
    if problems:
        return chart.render(visit, "outside", "medications", problems)
    explained = bool(visit.field("explained"))
    chart.insert(visit, "outside_medications", **entry, explained=explained, **chart.stamp(visit))
    return chart.back(visit, "/medications", f"Outside medication documented: {entry['drug']}.")


def mark_in_error(visit: Visit) -> Response:
    """Strike an outside medication through."""
    chart.strike(visit, "outside_medications")
    return chart.back(visit, "/medications", "The outside medication was marked as entered in error.")
