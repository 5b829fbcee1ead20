"""Bedside assessment: scored forms, history, care plan."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.nursing_assessment import assess, choices, history, overview, plan, ward
from clinic.applications.nursing_assessment.seed import fill

PATIENT = "/patients/{mrn}"
FORM = f"{PATIENT}/{{tool}}"
PART = f"{PATIENT}/plan/{{domain}}"

APPLICATION = Application(
    name="nursing_assessment",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", ward.home),
        Page("GET", "/ward", ward.show),
        Page("GET", PATIENT, overview.show),
        Page("GET", f"{PATIENT}/plan", plan.home),
        Page("GET", PART, plan.show),
        Page("POST", PART, plan.start),
        Page("POST", f"{PART}/{{id}}/stop", plan.stop),
        Page("GET", FORM, assess.show),
        Page("POST", FORM, assess.save),
        Page("POST", f"{FORM}/discard", assess.discard),
        Page("GET", f"{FORM}/history", history.show),
        Page("POST", f"{FORM}/{{id}}/error", history.strike),
    ),
)
