"""Radiotherapy treatment planning: contours, prescription, beams, dose, evaluation, approval."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.radiation_tps import (
    approval,
    beams,
    choices,
    contours,
    dose,
    overview,
    picture,
    prescription,
    worklist,
)
from clinic.applications.radiation_tps.seed import fill

PLAN = "/rt/{mrn}/{plan}"

APPLICATION = Application(
    name="radiation_tps",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", worklist.home),
        Page("GET", "/patients", worklist.show),
        Page("GET", f"{PLAN}/overview", overview.show),
        Page("GET", f"{PLAN}/slice.png", picture.show),
        Page("GET", f"{PLAN}/contours", contours.show),
        Page("POST", f"{PLAN}/contours", contours.run),
        Page("POST", f"{PLAN}/contours/clear", contours.clear),
        Page("GET", f"{PLAN}/prescription", prescription.show),
        Page("POST", f"{PLAN}/prescription", prescription.save),
        Page("GET", f"{PLAN}/beams", beams.show),
        Page("POST", f"{PLAN}/beams", beams.arrange),
        Page("POST", f"{PLAN}/beams/edit", beams.edit),
        Page("GET", f"{PLAN}/optimise", dose.show_optimise),
        Page("POST", f"{PLAN}/optimise", dose.compute),
        Page("GET", f"{PLAN}/evaluate", dose.show_evaluate),
        Page("GET", f"{PLAN}/approval", approval.show),
        Page("POST", f"{PLAN}/approval", approval.approve),
        Page("POST", f"{PLAN}/export", approval.export),
    ),
)
