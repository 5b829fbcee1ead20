"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices

_CHOICES = shared_choices("bed_management")
LEVELS = {"ward": "Ward", "monitored": "Monitored", "icu": "Intensive care"}
PRECAUTIONS = {"none": "Standard", "contact": "Contact", "droplet": "Droplet", "airborne": "Airborne"}
SPECIALTIES = {
    "medicine": "General medicine",
    "surgery": "Surgery",
    "cardiology": "Cardiology",
    "critical_care": "Critical care",
}
SOURCES = _CHOICES["sources"]
REASONS = _CHOICES["reasons"]
DESTINATIONS = _CHOICES["destinations"]
# What a transfer and a discharge must have behind them.
ORDER_SET = _CHOICES["order_set"]
CHECKLIST = _CHOICES["checklist"]
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
