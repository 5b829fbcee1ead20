"""Radiotherapy treatment planning: contours, prescription, beams, dose, evaluation, approval."""

from pathlib import Path

from clinic.application import Application, Page, form
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
    choices=choices,
    home="/patients",
    pages=(
        Page("GET", "/patients", worklist.show),
        Page("GET", f"{PLAN}/overview", overview.show),
        Page("GET", f"{PLAN}/slice.png", picture.show),
        *form(f"{PLAN}/contours", contours.show, contours.run),
        Page("POST", f"{PLAN}/contours/clear", contours.clear),
        *form(f"{PLAN}/prescription", prescription.show, prescription.save),
        *form(f"{PLAN}/beams", beams.show, beams.arrange),
        Page("POST", f"{PLAN}/beams/edit", beams.edit),
        *form(f"{PLAN}/optimise", dose.show_optimise, dose.compute),
        Page("GET", f"{PLAN}/evaluate", dose.show_evaluate),
        *form(f"{PLAN}/approval", approval.show, approval.approve),
        Page("POST", f"{PLAN}/export", approval.export),
    ),
)
