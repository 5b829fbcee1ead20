"""Bedside clinical information screen of an intensive care unit."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.icu_bedside import (
    alarms,
    bedside,
    choices,
    fluids,
    infusions,
    notes,
    observations,
    ventilator,
)
from clinic.applications.icu_bedside.seed import fill

PATIENT = "/patient/{mrn}"

APPLICATION = Application(
    name="icu_bedside",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/unit",
    pages=(
        Page("GET", "/unit", bedside.unit),
        *form(f"{PATIENT}/vitals", observations.show, observations.chart_now),
        Page("POST", f"{PATIENT}/vitals/{{id}}/error", observations.mark_in_error),
        Page("GET", f"{PATIENT}/trends", observations.trends),
        *form(f"{PATIENT}/fluids", fluids.show, fluids.save),
        Page("POST", f"{PATIENT}/fluids/{{id}}/error", fluids.mark_in_error),
        Page("GET", f"{PATIENT}/infusions", infusions.show),
        Page("GET", f"{PATIENT}/infusions/{{id}}", infusions.one),
        Page("POST", f"{PATIENT}/infusions/{{id}}/dose", infusions.set_dose),
        Page("POST", f"{PATIENT}/infusions/{{id}}/pause", infusions.pause),
        Page("POST", f"{PATIENT}/infusions/{{id}}/resume", infusions.resume),
        Page("GET", f"{PATIENT}/ventilator", ventilator.show),
        Page("GET", f"{PATIENT}/alarms", alarms.show),
        Page("POST", f"{PATIENT}/alarms/{{id}}/acknowledge", alarms.acknowledge),
        *form(f"{PATIENT}/notes", notes.show, notes.save),
        Page("POST", f"{PATIENT}/notes/{{id}}/sign", notes.sign),
        Page("POST", f"{PATIENT}/notes/{{id}}/error", notes.mark_in_error),
        Page("GET", f"{PATIENT}/orders", bedside.orders),
    ),
)
