"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices

_CHOICES = shared_choices("emergency_triage")
STATUSES = {
    "waiting": "Waiting",
    "in_triage": "In triage",
    "triaged": "Triaged",
    "in_treatment": "In treatment",
    "left": "Left without being seen",
}
ESI_LEVELS = {
    1: ("Resuscitation", "Needs a life-saving measure at once"),
    2: ("Emergent", "High risk, newly confused, or in severe pain or distress"),
    3: ("Urgent", "Stable, needs two or more kinds of resources"),
    4: ("Less urgent", "Stable, needs one kind of resource"),
    5: ("Non-urgent", "Stable, needs an examination only"),
}
ESI_REASONS = _CHOICES["esi_reasons"]
DISPOSITIONS = _CHOICES["dispositions"]
SHORT_DISPOSITIONS = {
    "resuscitation": "Resus",
    "monitored": "Monitored",
    "ward": "Inpatient",
    "icu": "ICU",
    "treatment_room": "Treat. room",
    "fast_track": "Fast track",
    "waiting_room": "Wait. room",
    "discharge": "Discharge",
    "transfer": "Transfer",
}
OXYGEN = {
    "room_air": "Room air",
    "nasal_cannula": "Nasal cannula",
    "simple_mask": "Simple mask",
    "venturi": "Venturi mask",
    "non_rebreather": "Non-rebreather mask",
    "high_flow": "High-flow nasal oxygen",
    "bag_mask": "Bag-valve mask",
}
SEVERITIES = {"mild": "Mild", "moderate": "Moderate", "severe": "Severe", "unknown": "Unknown"}
PRINTERS = {name: name for name in ("Triage 1", "Triage 2", "Registration")}
REPRINT_REASONS = {
    name: name for name in ("Band damaged", "Band lost", "Details corrected", "Print unreadable")
}
ROLES = {
    "triage_nurse": "Triage nurse",
    "staff_nurse": "Staff nurse",
    "charge_nurse": "Charge nurse",
    "physician": "Physician",
    "registrar": "Registrar",
}
