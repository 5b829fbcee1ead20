"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices
from clinic.toolkit import words

_CHOICES = shared_choices("outpatient_pharmacy")
STATUSES = {
    "pending": "Verification",
    "held": "On hold",
    "verified": "To be filled",
    "ready": "Pick-up",
    "sold": "Picked up",
}
QUEUES = [("All", "/queue"), *((shown, f"/queue?show={key}") for key, shown in STATUSES.items())]
PRIORITIES = {"waiting": "WAITING", "today": "Today", "later": "Later"}
FREQUENCIES = _CHOICES["frequencies"]
TIMES_A_DAY = {"daily": 1, "bid": 2, "tid": 3, "qid": 4, "bedtime": 1}
SEVERITIES = {
    "contraindicated": "Contraindicated",
    "major": "Major",
    "moderate": "Moderate",
    "minor": "Minor",
}
KINDS = {
    "interaction": "Drug interaction",
    "allergy": "Allergy",
    "duplicate": "Duplicate therapy",
    "dose": "Dose for weight",
}
ACTIONS = {"override": "Overridden", "modify": "Order modified", "reject": "Rejected, prescriber contacted"}
OVERRIDE_REASONS = {
    "monitoring": "Monitoring is arranged",
    "tolerated": "Taken together before without problems",
    "consulted": "Prescriber was consulted and confirms",
    "irrelevant": "Not relevant for this patient",
}
REJECT_REASONS = {
    "interaction": "Drug interaction",
    "allergy": "Allergy or cross-sensitivity",
    "duplicate": "Duplicate therapy",
    "dose": "Dose outside the usual range",
}
REASONS = OVERRIDE_REASONS | REJECT_REASONS
EDIT_REASONS = _CHOICES["edit_reasons"]
IDENTIFIERS = _CHOICES["identifiers"]
POINTS = _CHOICES["points"]
COUNSELLING = {"given": "Given", "declined": "Declined by patient"}
TEACH_BACK = {"able": "Can repeat it", "unable": "Cannot repeat it"}
ROLES = {"pharmacist": "Pharmacist", "technician": "Technician", "cashier": "Cashier"}


def units(number: float, unit: str) -> str:
    """Write an amount with its unit, in the plural where English wants it."""
    plural = "s" if number != 1 and unit != "mL" else ""
    return f"{words.number(number)} {unit}{plural}"


def directions(dose: float, unit: str, frequency: str) -> str:
    """Write what stands on the label."""
    verb = "Give" if unit == "mL" else "Take"
    return f"{verb} {units(dose, unit)} by mouth {FREQUENCIES[frequency]}"
