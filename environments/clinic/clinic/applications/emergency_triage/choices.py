"""The fixed choices of the product: what is stored, and how it reads on a page."""

from typing import Any

from clinic.toolkit import words

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
ESI_REASONS = {
    "lifesaving": "Needs immediate life-saving intervention",
    "high_risk": "High-risk presentation",
    "mental_status": "New confusion, lethargy or disorientation",
    "distress": "Severe pain or distress",
    "danger_vitals": "Danger-zone vital signs",
    "two_or_more": "Two or more resources expected",
    "one": "One resource expected",
    "none": "No resources expected",
}
DISPOSITIONS = {
    "resuscitation": "Resuscitation bay",
    "monitored": "Monitored bed (telemetry)",
    "ward": "Inpatient ward admission",
    "icu": "ICU admission",
    "treatment_room": "Treatment room",
    "fast_track": "Fast track",
    "waiting_room": "Waiting room",
    "discharge": "Discharge from triage",
    "transfer": "Transfer to another facility",
}
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
SEXES = {"F": "Female", "M": "Male"}

WORDS: dict[str, Any] = {
    "STATUSES": STATUSES,
    "ESI_LEVELS": ESI_LEVELS,
    "ESI_REASONS": ESI_REASONS,
    "DISPOSITIONS": DISPOSITIONS,
    "SHORT_DISPOSITIONS": SHORT_DISPOSITIONS,
    "OXYGEN": OXYGEN,
    "SEVERITIES": SEVERITIES,
    "PRINTERS": PRINTERS,
    "REPRINT_REASONS": REPRINT_REASONS,
    "ROLES": ROLES,
    "SEXES": SEXES,
    "age": words.age,
}
