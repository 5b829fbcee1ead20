"""The fixed choices of the product: what is stored, and how it reads on a page."""

SITES = {"head_neck": "Head and neck", "thorax": "Thorax", "pelvis": "Pelvis", "brain": "Brain"}
STATUSES = {
    "contouring": "Contouring",
    "planning": "Planning",
    "review": "In review",
    "approved": "Approved",
    "treatment": "On treatment",
}
NORMS = {"d95": "95 % of PTV", "mean": "PTV mean", "iso80": "80 % isodose"}
TECHNIQUES = {"3DCRT": "3D conformal", "IMRT": "IMRT", "SRS": "SRS"}
ENERGIES = {name: name for name in ("6 MV", "6 MV FFF", "10 MV", "15 MV")}
PRIORITIES = {"off": "Off", "normal": "Normal", "high": "High"}
SOURCES = {"physician": "Physician", "planner": "Planner", "auto": "Auto"}
DOSE_STATES = {"none": "No dose", "current": "Dose current", "outdated": "Dose outdated"}
CHECKLIST = {
    "identity": "Patient and plan identity checked",
    "prescription": "Prescription and beams agree with the directive",
    "goals": "Dose and protocol goals reviewed",
}
SIGNERS = frozenset({"physicist", "physician"})
ROLES = {
    "planner": "Treatment planner",
    "dosimetrist": "Dosimetrist",
    "physicist": "Medical physicist",
    "physician": "Radiation oncologist",
    "therapist": "Radiation therapist",
}
TABS = {
    "overview": "Overview",
    "contours": "Contours",
    "prescription": "Prescription",
    "beams": "Beams",
    "optimise": "Optimise",
    "evaluate": "Evaluate",
    "approval": "Approval",
}


def unit(metric: str) -> str:
    """Return the unit of a figure."""
    return "%" if metric.startswith("V") else "Gy"
