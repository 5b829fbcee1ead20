"""Emergency department tracking board and triage charting."""

from pathlib import Path

from clinic.application import Application, Page
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
    words=choices.WORDS,
    pages=(
        Page("GET", "/", board.home),
        Page("GET", "/board", board.show),
        Page("GET", CHART, summary.show),
        Page("GET", f"{CHART}/vitals", vitals.show),
        Page("POST", f"{CHART}/vitals", vitals.save),
        Page("POST", f"{CHART}/vitals/{{id}}/error", vitals.mark_in_error),
        Page("GET", f"{CHART}/triage", triage.show),
        Page("POST", f"{CHART}/triage/start", triage.start),
        Page("POST", f"{CHART}/triage/esi", triage.save_esi),
        Page("POST", f"{CHART}/triage/complete", triage.complete),
        Page("GET", f"{CHART}/disposition", disposition.show),
        Page("POST", f"{CHART}/disposition", disposition.save),
        Page("GET", f"{CHART}/allergies", allergies.show),
        Page("POST", f"{CHART}/allergies", allergies.add),
        Page("POST", f"{CHART}/allergies/review", allergies.review),
        Page("POST", f"{CHART}/allergies/none", allergies.declare_none),
        Page("POST", f"{CHART}/allergies/{{id}}/error", allergies.mark_in_error),
        Page("GET", f"{CHART}/wristband", wristband.show),
        Page("POST", f"{CHART}/wristband", wristband.print_band),
    ),
)
