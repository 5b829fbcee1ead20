"""The fixed choices of the product: what is stored, and how it reads on a page."""

from typing import Any

from clinic.toolkit import words

LEVELS = {"ward": "Ward", "monitored": "Monitored", "icu": "Intensive care"}
PRECAUTIONS = {"none": "Standard", "contact": "Contact", "droplet": "Droplet", "airborne": "Airborne"}
SPECIALTIES = {
    "medicine": "General medicine",
    "surgery": "Surgery",
    "cardiology": "Cardiology",
    "critical_care": "Critical care",
}
SOURCES = {
    "clinic": "Outpatient clinic",
    "gp": "General practitioner",
    "hospital": "Other hospital",
    "home": "Planned, from home",
}
REASONS = {
    "deterioration": "Clinical deterioration",
    "step_down": "Step-down of care",
    "precautions": "Isolation precautions",
    "specialty": "Transfer to own specialty",
    "same_sex": "Same-sex accommodation",
    "capacity": "Capacity",
}
DESTINATIONS = {
    "home": "Home",
    "community": "Home + care",
    "nursing_home": "Nursing home",
    "rehabilitation": "Rehabilitation",
}
# What a transfer and a discharge must have behind them.
ORDER_SET = {
    "transfer_order": "Transfer order signed",
    "handover": "Nursing handover given",
    "reconciliation": "Medication reconciled",
}
CHECKLIST = {
    "orders": "Discharge orders and summary",
    "medication": "Medication supplied",
    "transport": "Transport arranged",
    "settlement": "Account settled",
}
BAY_KINDS = {"bay": "Bay", "single": "Single room", "negative": "Negative-pressure room"}
STATES = {
    "occupied": "Occupied",
    "available": "Available",
    "reserved": "Reserved",
    "cleaning": "Cleaning",
    "blocked": "Blocked",
}
ROLES = {
    "bed_manager": "Bed manager",
    "charge_nurse": "Charge nurse",
    "consultant": "Consultant",
    "housekeeping": "Housekeeping lead",
}
SEXES = {"F": "Female", "M": "Male"}

WORDS: dict[str, Any] = {
    "LEVELS": LEVELS,
    "PRECAUTIONS": PRECAUTIONS,
    "SPECIALTIES": SPECIALTIES,
    "SOURCES": SOURCES,
    "REASONS": REASONS,
    "DESTINATIONS": DESTINATIONS,
    "ORDER_SET": ORDER_SET,
    "CHECKLIST": CHECKLIST,
    "BAY_KINDS": BAY_KINDS,
    "STATES": STATES,
    "ROLES": ROLES,
    "SEXES": SEXES,
    "age": words.age,
}
