"""A ward nurse's station: shift tasks, orders, medication with its checks, specimens, handover."""

from pathlib import Path

from clinic.application import Application, Page, form
from clinic.applications.nurse_station import charting, choices, ordering, overview, patient
from clinic.applications.nurse_station.seed import fill

PATIENT, TASK = "/patient/{mrn}", "/task/{id}"

APPLICATION = Application(
    name="nurse_station",
    folder=Path(__file__).parent,
    seed=fill,
    choices=choices,
    home="/overview",
    pages=(
        Page("GET", "/overview", overview.show),
        *form("/assignments", overview.assignments, overview.establish),
        *form("/orders", ordering.show, ordering.acknowledge),
        *form("/orders/{id}/query", ordering.ask, ordering.query),
        Page("GET", PATIENT, patient.timeline),
        Page("GET", f"{PATIENT}/snapshot", patient.snapshot),
        Page("GET", f"{PATIENT}/record", patient.record),
        Page("GET", f"{PATIENT}/orders", ordering.of_patient),
        *form(f"{PATIENT}/handover", patient.handover, patient.hand_over),
        Page("POST", f"{PATIENT}/call", overview.answer_call),
        Page("GET", TASK, charting.show),
        Page("POST", f"{TASK}/done", charting.done),
        Page("POST", f"{TASK}/not-done", charting.not_done),
        Page("POST", f"{TASK}/undo", charting.undo),
    ),
)
