"""The fixed choices of the product: what is stored, and how it reads on a page."""

from typing import Any

from clinic.toolkit import words

TABS = (
    ("cover", "Cover Sheet", ""),
    ("medications", "Medications", "/medications"),
    ("orders", "Orders", "/orders"),
    ("allergies", "Allergies", "/allergies"),
    ("consents", "Consents", "/consents"),
    ("renewals", "Renewals", "/renewals"),
)
STATUSES = {"active": "Active", "hold": "Hold", "expired": "Expired", "discontinued": "Discontinued"}
SCHEDULES = {
    "daily": "once daily",
    "bid": "twice daily",
    "tid": "three times daily",
    "qid": "four times daily",
    "bedtime": "at bedtime",
    "weekly": "once weekly",
}
TIMES_A_DAY = {"daily": 1.0, "bid": 2.0, "tid": 3.0, "qid": 4.0, "bedtime": 1.0, "weekly": 1 / 7}
ORDER_ACTIONS = {"new": "New", "change": "Change", "discontinue": "Discontinue", "renew": "Renew"}
ORDER_STATUSES = {"unsigned": "UNSIGNED", "signed": "Signed", "withdrawn": "Withdrawn"}
CHANGE_REASONS = {
    "not_effective": "Not effective enough",
    "adverse": "Adverse reaction",
    "lab_result": "Laboratory result",
    "wish": "Patient's wish",
}
STOP_REASONS = {
    "adverse": "Adverse reaction",
    "completed": "Treatment completed",
    "not_effective": "Not effective",
    "wish": "Patient's wish",
    "duplicate": "Duplicate therapy",
}
OVERRIDES = {
    "benefit": "Benefit outweighs the risk",
    "replaced": "Earlier medicine is being stopped",
    "tolerated": "Tolerated before",
    "monitoring": "Will be monitored",
}
DENIALS = {
    "monitoring": "Monitoring is overdue",
    "early": "Too early, supply should last",
    "stopped": "Medicine was discontinued",
    "controlled": "Controlled substance, new prescription needed",
    "visit": "Patient has to be seen first",
}
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
SEXES = {"F": "Female", "M": "Male"}


def sig(dose: float, unit: str, schedule: str) -> str:
    """Write directions the way orders are listed."""
    plural = "S" if dose != 1 else ""
    verb = "INHALE" if unit == "puff" else "TAKE"
    by = "" if unit == "puff" else " BY MOUTH"
    return f"{verb} {words.number(dose)} {unit.upper()}{plural}{by} {SCHEDULES[schedule].upper()}"


WORDS: dict[str, Any] = {
    name: value for name, value in globals().items() if name.isupper() and name != "TIMES_A_DAY"
} | {"age": words.age, "sig": sig}
