"""The allergies tab."""

from starlette.responses import Response

from clinic import rows
from clinic.applications.doctor_prescription import chart
from clinic.applications.doctor_prescription.choices import SEVERITIES, SOURCES
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST = 60


def show(visit: Visit) -> Response:
    """Show the tab."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    offered = visit.fixtures.load("doctor_prescription/plots")["allergy"]
    return chart.render(
        visit,
        "allergies",
        "allergies",
        problems,
        every=chart.listed(visit, "allergies"),
        substances=offered["substances"],
        reactions=offered["reactions"],
    )


def add(visit: Visit) -> Response:
    """Put a substance on the list."""
    patient = chart.load(visit)
    names = ("substance", "reaction", "severity", "source")
    entry = {name: visit.field(name) for name in names}
    problems = Problems()
    for name in ("substance", "reaction"):
        if not entry[name] or len(entry[name]) > LONGEST:
            problems.add(name, f"Enter or choose one, at most {LONGEST} characters.")
    problems.add_if(entry["severity"] not in SEVERITIES, "severity", "Choose a severity.")
    problems.add_if(entry["source"] not in SOURCES, "source", "Choose where this is known from.")
    known = {row["substance"].casefold() for row in chart.listed(visit, "allergies") if not row["in_error"]}
    problems.add_if(entry["substance"].casefold() in known, "substance", "Already on the list.")
    if problems:
        return _render(visit, problems)
    chart.insert(visit, "allergies", **entry, **chart.stamp(visit))
    rows.update(visit.db, "patients", {"mrn": patient["mrn"]}, no_known_allergies=False)
    return chart.back(visit, "/allergies", f"Allergy added: {entry['substance']}.")


def mark_in_error(visit: Visit) -> Response:
    """Strike an entry through."""
    chart.strike(visit, "allergies")
    return chart.back(visit, "/allergies", "The allergy was marked as entered in error.")
