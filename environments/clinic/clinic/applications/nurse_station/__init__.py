"""A ward nurse's station: shift tasks, orders, medication with its checks, specimens, handover."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.nurse_station import charting, choices, ordering, overview, patient
from clinic.applications.nurse_station.seed import fill

PATIENT, TASK = "/patient/{mrn}", "/task/{id}"

APPLICATION = Application(
    name="nurse_station",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", overview.home),
        Page("GET", "/overview", overview.show),
        Page("GET", "/assignments", overview.assignments),
        Page("POST", "/assignments", overview.establish),
        Page("GET", "/orders", ordering.show),
        Page("POST", "/orders", ordering.acknowledge),
        Page("GET", "/orders/{id}/query", ordering.ask),
        Page("POST", "/orders/{id}/query", ordering.query),
        Page("GET", PATIENT, patient.timeline),
        Page("GET", f"{PATIENT}/snapshot", patient.snapshot),
        Page("GET", f"{PATIENT}/record", patient.record),
        Page("GET", f"{PATIENT}/orders", ordering.of_patient),
        Page("GET", f"{PATIENT}/handover", patient.handover),
        Page("POST", f"{PATIENT}/handover", patient.hand_over),
        Page("POST", f"{PATIENT}/call", overview.answer_call),
        Page("GET", TASK, charting.show),
        Page("POST", f"{TASK}/done", charting.done),
        Page("POST", f"{TASK}/not-done", charting.not_done),
        Page("POST", f"{TASK}/undo", charting.undo),
    ),
)
