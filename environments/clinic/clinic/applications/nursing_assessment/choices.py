"""The fixed choices of the product: what is stored, and how it reads on a page."""

from typing import Any

from clinic.toolkit import words

REASONS = {
    "routine": "Routine",
    "admission": "Admission",
    "change": "Change in condition",
    "post_fall": "After a fall",
}
ERROR_REASONS = {
    name: name for name in ("Wrong patient", "Wrong score", "Entered twice", "Not assessed in person")
}
MOBILITY_ORDERS = {"free": "Up as able", "with_help": "Up with one person", "bed_rest": "Strict bed rest"}
ROLES = {
    "bedside_nurse": "Registered nurse",
    "staff_nurse": "Registered nurse",
    "charge_nurse": "Charge nurse",
    "physician": "Physician",
}
SEXES = {"F": "Female", "M": "Male"}

WORDS: dict[str, Any] = {
    "REASONS": REASONS,
    "ERROR_REASONS": ERROR_REASONS,
    "MOBILITY_ORDERS": MOBILITY_ORDERS,
    "ROLES": ROLES,
    "SEXES": SEXES,
    "age": words.age,
}
