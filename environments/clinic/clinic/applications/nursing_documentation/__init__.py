"""Flowsheet charting: vital signs, intake and output, notes, wounds, handover, sign-off of the shift."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.nursing_documentation import (
    choices,
    documents,
    fluids,
    signoff,
    unit,
    vitals,
    wounds,
)
from clinic.applications.nursing_documentation.seed import fill

BED = "/beds/{mrn}"

APPLICATION = Application(
    name="nursing_documentation",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", unit.home),
        Page("GET", "/unit", unit.show),
        Page("GET", f"{BED}/vitals", vitals.show),
        Page("POST", f"{BED}/vitals", vitals.save),
        Page("POST", f"{BED}/vitals/{{id}}/error", vitals.strike),
        Page("POST", f"{BED}/escalations", vitals.escalate),
        Page("GET", f"{BED}/fluids", fluids.show),
        Page("POST", f"{BED}/fluids", fluids.save),
        Page("GET", f"{BED}/fluids/{{id}}", fluids.show_entry),
        Page("POST", f"{BED}/fluids/{{id}}", fluids.correct),
        Page("GET", f"{BED}/wounds", wounds.show),
        Page("POST", f"{BED}/wounds", wounds.save),
        Page("POST", f"{BED}/wounds/{{id}}/error", wounds.strike),
        Page("GET", f"{BED}/signoff", signoff.show),
        Page("POST", f"{BED}/signoff", signoff.sign),
        Page("GET", f"{BED}/{{document}}", documents.show),
        Page("POST", f"{BED}/{{document}}", documents.save),
    ),
)
