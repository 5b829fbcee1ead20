"""The prescription tab: dose, fractions, normalisation."""

from starlette.responses import Response

from clinic.applications.radiation_tps import workspace
from clinic.applications.radiation_tps.choices import NORMS
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.words import number
from clinic.visit import Visit

LARGEST_FRACTION = 30.0


def show(visit: Visit) -> Response:
    """Show the tab."""
    return workspace.render(visit, "prescription")


def save(visit: Visit) -> Response:
    """Keep a prescription; the dose of the plan has to be computed again."""
    if problems := workspace.lock(visit):
        return workspace.render(visit, "prescription", problems)
    problems = Problems()
    dose, fractions = (
        read_number(visit.field("dose"), whole=False),
        read_number(visit.field("fractions"), whole=True),
    )
    norm = visit.field("norm")
    problems.add_if(dose is None or not 1 <= dose <= 100, "dose", "Enter 1 to 100 Gy.")
    problems.add_if(fractions is None or not 1 <= fractions <= 45, "fractions", "Enter 1 to 45.")
    problems.add_if(norm not in NORMS, "norm", "Choose a normalisation.")
    if not problems and dose is not None and fractions is not None and dose / fractions > LARGEST_FRACTION:
        problems.add("dose", f"More than {number(LARGEST_FRACTION)} Gy in one fraction cannot be planned.")
    if problems or dose is None or fractions is None:
        return workspace.render(visit, "prescription", problems)
    workspace.outdate(visit, workspace.plan(visit))
    workspace.change(visit, dose_gy=dose, fractions=int(fractions), norm=norm)
    return workspace.back(
        visit, "prescription", f"Saved: {number(dose)} Gy in {number(fractions)} fractions."
    )
