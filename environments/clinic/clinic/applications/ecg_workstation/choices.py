"""The fixed choices of the product: what is stored, and how it reads on a page."""

from typing import Any

from clinic.applications.ecg_workstation.dipole import LEADS
from clinic.applications.ecg_workstation.intervals import FORMULAS
from clinic.applications.ecg_workstation.paper import GAINS, LAYOUTS, SPEEDS
from clinic.toolkit import words

STATUSES = {"unread": "Unread", "draft": "Draft", "signed": "Signed"}
PRIORITIES = {"stat": "STAT", "urgent": "Urgent", "routine": "Routine"}
COMPARISONS = {
    "unchanged": "No significant change",
    "changed": "Significant change",
    "none": "No previous ECG",
}
GROUPS = {
    "rhythm": "Rhythm",
    "conduction": "Conduction",
    "axis": "Axis and voltage",
    "infarction": "Infarction",
    "repolarization": "Repolarization",
    "technical": "Technical and overall",
}
# Findings that a reader has to tell somebody of at once.
CRITICAL = (
    "stemi_anterior",
    "stemi_inferior",
    "stemi_lateral",
    "av_block_complete",
    "av_block_mobitz_2",
    "ventricular_tachycardia",
)
ROLES = {"reader": "Reading cardiologist", "technician": "ECG technician", "nurse": "Nurse"}
SEXES = {"F": "Female", "M": "Male"}
PANELS = {"analysis": "Analysis", "report": "Report", "previous": "Previous", "alert": "Alert"}

WORDS: dict[str, Any] = {
    "STATUSES": STATUSES,
    "PRIORITIES": PRIORITIES,
    "COMPARISONS": COMPARISONS,
    "FORMULAS": FORMULAS,
    "LAYOUTS": LAYOUTS,
    "SPEEDS": SPEEDS,
    "GAINS": GAINS,
    "LEADS": LEADS,
    "ROLES": ROLES,
    "SEXES": SEXES,
    "PANELS": PANELS,
    "age": words.age,
}


def statements(library: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return all statements of the library by code."""
    return {code: text for group in GROUPS for code, text in library[group].items()}
