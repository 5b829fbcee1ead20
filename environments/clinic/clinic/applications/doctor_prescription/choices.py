"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices
from clinic.toolkit import words

_CHOICES = shared_choices("doctor_prescription")
TABS = (
    ("cover", "Cover Sheet", ""),
    ("medications", "Medications", "/medications"),
    ("orders", "Orders", "/orders"),
    ("allergies", "Allergies", "/allergies"),
    ("consents", "Consents", "/consents"),
    ("renewals", "Renewals", "/renewals"),
)
STATUSES = {"active": "Active", "hold": "Hold", "expired": "Expired", "discontinued": "Discontinued"}
SCHEDULES = _CHOICES["schedules"]
TIMES_A_DAY = {"daily": 1.0, "bid": 2.0, "tid": 3.0, "qid": 4.0, "bedtime": 1.0, "weekly": 1 / 7}
ORDER_ACTIONS = {"new": "New", "change": "Change", "discontinue": "Discontinue", "renew": "Renew"}
ORDER_STATUSES = {"unsigned": "UNSIGNED", "signed": "Signed", "withdrawn": "Withdrawn"}
CHANGE_REASONS = _CHOICES["change_reasons"]
STOP_REASONS = _CHOICES["stop_reasons"]
OVERRIDES = {
    "benefit": "Benefit outweighs the risk",
    "replaced": "Earlier medicine is being stopped",
    "tolerated": "Tolerated before",
    "monitoring": "Will be monitored",
}
DENIALS = _CHOICES["denials"]
RENEWAL_STATUSES = {"open": "Open", "accepted": "Accepted", "denied": "Denied"}
SEVERITIES = {"mild": "Mild", "moderate": "Moderate", "severe": "Severe"}
SOURCES = {"historical": "Historical (reported)", "observed": "Observed here"}
REPORTERS = {"patient": "Patient", "family": "Family member", "record": "Outside record"}
CONSENTS = {
    "eprescribing": "Electronic prescribing",
    "history": "Medication history query",
    "opioid": "Opioid treatment agreement",
}
SIGNERS = {
    "patient": "Patient",
    "parent": "Parent",
    "guardian": "Legal guardian",
    "proxy": "Health care proxy",
}
ROLES = {"prescriber": "Prescriber", "nurse": "Nurse", "clerk": "Clerk"}


def sig(dose: float, unit: str, schedule: str) -> str:
    """Write directions the way orders are listed."""
    plural = "S" if dose != 1 else ""
    verb = "INHALE" if unit == "puff" else "TAKE"
    by = "" if unit == "puff" else " BY MOUTH"
    return f"{verb} {words.number(dose)} {unit.upper()}{plural}{by} {SCHEDULES[schedule].upper()}"
