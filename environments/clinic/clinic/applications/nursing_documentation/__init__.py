"""Flowsheet charting: vital signs, intake and output, notes, wounds, handover, sign-off of the shift."""

from pathlib import Path

from clinic.application import Application, Page, form
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
    choices=choices,
    home="/unit",
    pages=(
        Page("GET", "/unit", unit.show),
        *form(f"{BED}/vitals", vitals.show, vitals.save),
        Page("POST", f"{BED}/vitals/{{id}}/error", vitals.strike),
        Page("POST", f"{BED}/escalations", vitals.escalate),
        *form(f"{BED}/fluids", fluids.show, fluids.save),
        *form(f"{BED}/fluids/{{id}}", fluids.show_entry, fluids.correct),
        *form(f"{BED}/wounds", wounds.show, wounds.save),
        Page("POST", f"{BED}/wounds/{{id}}/error", wounds.strike),
        *form(f"{BED}/signoff", signoff.show, signoff.sign),
        *form(f"{BED}/{{document}}", documents.show, documents.save),
    ),
)
