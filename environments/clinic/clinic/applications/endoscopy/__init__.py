"""Endoscopy documentation: schedule, pre-assessment, time-out, pictures, findings and the signed report."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.endoscopy import assessment, case, choices, images, procedure, report, schedule
from clinic.applications.endoscopy.seed import fill

CASE = "/case/{case_no}"

APPLICATION = Application(
    name="endoscopy",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/schedule",
    pages=(
        Page("GET", "/schedule", schedule.show),
        Page("GET", CASE, case.enter),
        *form(f"{CASE}/assessment", assessment.show, assessment.save),
        Page("GET", f"{CASE}/procedure", procedure.show),
        Page("POST", f"{CASE}/start", procedure.start),
        Page("POST", f"{CASE}/course", procedure.save),
        Page("POST", f"{CASE}/findings", procedure.add_finding),
        Page("POST", f"{CASE}/findings/{{id}}", procedure.change_finding),
        Page("POST", f"{CASE}/findings/{{id}}/error", procedure.strike_finding),
        Page("GET", f"{CASE}/live.png", images.live_picture),
        *form(f"{CASE}/images", images.show, images.capture),
        Page("GET", f"{CASE}/images/{{number}}.png", images.stored_picture),
        *form(f"{CASE}/images/{{number}}", images.show, images.label),
        *form(f"{CASE}/report", report.show, report.sign),
    ),
)
