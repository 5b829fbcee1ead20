"""The fixed choices of the product: what is stored, and how it reads on a page."""

from typing import Any

from clinic.toolkit import words

KINDS = {"medication": "Medication", "observation": "Observation", "care": "Care", "specimen": "Specimen"}
STATES = {
    "overdue": "Overdue",
    "due": "Due",
    "held": "Order not acknowledged",
    "done": "Done",
    "not_done": "Not done",
}
ROUTES = {"oral": "Oral", "subcutaneous": "Subcutaneous", "intravenous": "Intravenous"}
POSITIONS = {"left": "Left side", "right": "Right side", "back": "Back"}
CONTAINERS = {
    "purple": "Purple cap",
    "blue": "Blue cap",
    "yellow": "Yellow cap",
    "grey": "Grey cap",
    "cup": "Sterile cup",
}
LABORATORY_GUIDE = {
    "purple": "blood count, HbA1c",
    "blue": "coagulation",
    "yellow": "electrolytes, liver, CRP",
    "grey": "glucose, lactate",
    "cup": "urine culture",
}
NOT_DONE = {
    "refused": "Patient refused",
    "away": "Patient not on the ward",
    "fasting": "Patient nil by mouth",
    "supply": "Medicine or material not available",
    "held": "Held on prescriber's word",
}
QUERIES = {
    "allergy": "Contradicts an allergy",
    "dose": "Dose or interval unclear",
    "duplicate": "Ordered twice",
    "patient": "Seems meant for another patient",
}
CODES = {"full": "Full code", "no_cpr": "No CPR", "comfort": "Comfort care"}
ISOLATION = {"none": "None", "contact": "Contact", "droplet": "Droplet", "airborne": "Airborne"}
ROLES = {
    "ward_nurse": "Ward nurse",
    "colleague": "Ward nurse",
    "charge_nurse": "Charge nurse",
    "physician": "Physician",
}
CARE_ROLES = {"primary": "Primary nurse", "covering": "Covering nurse"}
SBAR = {
    "situation": "Situation",
    "background": "Background",
    "assessment": "Assessment",
    "recommendation": "Recommendation",
}
SEXES = {"F": "Female", "M": "Male"}

WORDS: dict[str, Any] = {
    "KINDS": KINDS,
    "STATES": STATES,
    "ROUTES": ROUTES,
    "POSITIONS": POSITIONS,
    "CONTAINERS": CONTAINERS,
    "LABORATORY_GUIDE": LABORATORY_GUIDE,
    "NOT_DONE": NOT_DONE,
    "QUERIES": QUERIES,
    "CODES": CODES,
    "ISOLATION": ISOLATION,
    "ROLES": ROLES,
    "CARE_ROLES": CARE_ROLES,
    "SBAR": SBAR,
    "SEXES": SEXES,
    "age": words.age,
}
