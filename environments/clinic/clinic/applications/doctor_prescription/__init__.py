"""Prescribing module of a hospital record: medications, orders, allergies, consents, renewals."""

from pathlib import Path

from clinic.application import Application, Page, form
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
    choices=choices,
    home="/patients",
    pages=(
        Page("GET", "/patients", selection.show),
        Page("GET", CHART, selection.cover),
        *form(f"{CHART}/pharmacy", pharmacies.show, pharmacies.save),
        Page("GET", f"{CHART}/medications", medications.show),
        *form(f"{CHART}/outside", medications.show_outside, medications.add_outside),
        Page("POST", f"{CHART}/outside/{{id}}/error", medications.mark_in_error),
        *form(f"{CHART}/medications/{{id}}/change", orders.show_change, orders.accept_change),
        *form(f"{CHART}/medications/{{id}}/stop", orders.show_stop, orders.accept_stop),
        Page("GET", f"{CHART}/orders", orders.show),
        *form(f"{CHART}/orders/new", orders.show_new, orders.accept_new),
        *form(f"{CHART}/orders/sign", orders.show_sign, orders.sign),
        Page("POST", f"{CHART}/orders/{{id}}/withdraw", orders.withdraw),
        *form(f"{CHART}/allergies", allergies.show, allergies.add),
        Page("POST", f"{CHART}/allergies/{{id}}/error", allergies.mark_in_error),
        Page("GET", f"{CHART}/consents", consents.show),
        *form(f"{CHART}/consents/new", consents.show_new, consents.save),
        Page("POST", f"{CHART}/consents/{{id}}/withdraw", consents.withdraw),
        Page("GET", f"{CHART}/renewals", renewals.show),
        *form(f"{CHART}/renewals/{{id}}", renewals.show_one, renewals.answer),
    ),
)
