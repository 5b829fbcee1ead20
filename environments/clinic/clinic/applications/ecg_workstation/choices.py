"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.applications.ecg_workstation import dipole, intervals, paper

LEADS, FORMULAS = dipole.LEADS, intervals.FORMULAS
GAINS, LAYOUTS, SPEEDS = paper.GAINS, paper.LAYOUTS, paper.SPEEDS
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
PANELS = {"analysis": "Analysis", "report": "Report", "previous": "Previous", "alert": "Alert"}


def statements(library: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return all statements of the library by code."""
    return {code: text for group in GROUPS for code, text in library[group].items()}
