"""The fixed choices of the product: what is stored, and how it reads on a page."""

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
