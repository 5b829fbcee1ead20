"""Bedside assessment: scored forms, history, care plan."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.nursing_assessment import assess, choices, history, overview, plan, ward
from clinic.applications.nursing_assessment.seed import fill

PATIENT = "/patients/{mrn}"
FORM = f"{PATIENT}/{{tool}}"
PART = f"{PATIENT}/plan/{{domain}}"

APPLICATION = Application(
    name="nursing_assessment",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/ward",
    pages=(
        Page("GET", "/ward", ward.show),
        Page("GET", PATIENT, overview.show),
        Page("GET", f"{PATIENT}/plan", plan.home),
        *form(PART, plan.show, plan.start),
        Page("POST", f"{PART}/{{id}}/stop", plan.stop),
        *form(FORM, assess.show, assess.save),
        Page("POST", f"{FORM}/discard", assess.discard),
        Page("GET", f"{FORM}/history", history.show),
        Page("POST", f"{FORM}/{{id}}/error", history.strike),
    ),
)
