"""Emergency department tracking board and triage charting."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.emergency_triage import (
    allergies,
    board,
    choices,
    disposition,
    summary,
    triage,
    vitals,
    wristband,
)
from clinic.applications.emergency_triage.seed import fill

CHART = "/chart/{mrn}"

APPLICATION = Application(
    name="emergency_triage",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/board",
    pages=(
        Page("GET", "/board", board.show),
        Page("GET", CHART, summary.show),
        *form(f"{CHART}/vitals", vitals.show, vitals.save),
        Page("POST", f"{CHART}/vitals/{{id}}/error", vitals.mark_in_error),
        Page("GET", f"{CHART}/triage", triage.show),
        Page("POST", f"{CHART}/triage/start", triage.start),
        Page("POST", f"{CHART}/triage/esi", triage.save_esi),
        Page("POST", f"{CHART}/triage/complete", triage.complete),
        *form(f"{CHART}/disposition", disposition.show, disposition.save),
        *form(f"{CHART}/allergies", allergies.show, allergies.add),
        Page("POST", f"{CHART}/allergies/review", allergies.review),
        Page("POST", f"{CHART}/allergies/none", allergies.declare_none),
        Page("POST", f"{CHART}/allergies/{{id}}/error", allergies.mark_in_error),
        *form(f"{CHART}/wristband", wristband.show, wristband.print_band),
    ),
)
