"""Prescribing module of a hospital record: medications, orders, allergies, consents, renewals."""

from pathlib import Path

from clinic.application import Application, Page
from clinic.applications.doctor_prescription import (
    allergies,
    choices,
    consents,
    medications,
    orders,
    pharmacies,
    renewals,
    selection,
)
from clinic.applications.doctor_prescription.seed import fill

CHART = "/p/{mrn}"

APPLICATION = Application(
    name="doctor_prescription",
    folder=Path(__file__).parent,
    seed=fill,
    words=choices.WORDS,
    pages=(
        Page("GET", "/", selection.home),
        Page("GET", "/patients", selection.show),
        Page("GET", CHART, selection.cover),
        Page("GET", f"{CHART}/pharmacy", pharmacies.show),
        Page("POST", f"{CHART}/pharmacy", pharmacies.save),
        Page("GET", f"{CHART}/medications", medications.show),
        Page("GET", f"{CHART}/outside", medications.show_outside),
        Page("POST", f"{CHART}/outside", medications.add_outside),
        Page("POST", f"{CHART}/outside/{{id}}/error", medications.mark_in_error),
        Page("GET", f"{CHART}/medications/{{id}}/change", orders.show_change),
        Page("POST", f"{CHART}/medications/{{id}}/change", orders.accept_change),
        Page("GET", f"{CHART}/medications/{{id}}/stop", orders.show_stop),
        Page("POST", f"{CHART}/medications/{{id}}/stop", orders.accept_stop),
        Page("GET", f"{CHART}/orders", orders.show),
        Page("GET", f"{CHART}/orders/new", orders.show_new),
        Page("POST", f"{CHART}/orders/new", orders.accept_new),
        Page("GET", f"{CHART}/orders/sign", orders.show_sign),
        Page("POST", f"{CHART}/orders/sign", orders.sign),
        Page("POST", f"{CHART}/orders/{{id}}/withdraw", orders.withdraw),
        Page("GET", f"{CHART}/allergies", allergies.show),
        Page("POST", f"{CHART}/allergies", allergies.add),
        Page("POST", f"{CHART}/allergies/{{id}}/error", allergies.mark_in_error),
        Page("GET", f"{CHART}/consents", consents.show),
        Page("GET", f"{CHART}/consents/new", consents.show_new),
        Page("POST", f"{CHART}/consents/new", consents.save),
        Page("POST", f"{CHART}/consents/{{id}}/withdraw", consents.withdraw),
        Page("GET", f"{CHART}/renewals", renewals.show),
        Page("GET", f"{CHART}/renewals/{{id}}", renewals.show_one),
        Page("POST", f"{CHART}/renewals/{{id}}", renewals.answer),
    ),
)
