"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices

_CHOICES = shared_choices("endoscopy")
STATUSES = {
    "scheduled": "Scheduled",
    "in_progress": "In progress",
    "completed": "To report",
    "reported": "Reported",
    "cancelled": "Cancelled",
}
ASA = {
    "1": "1 Healthy",
    "2": "2 Mild disease",
    "3": "3 Severe disease",
    "4": "4 Constant threat to life",
    "5": "5 Moribund",
}
ANTITHROMBOTICS = {"none": "None taken", "stopped": "Stopped as advised", "taken": "Still taken"}
CAECUM = {"reached": "Reached", "not_reached": "Not reached"}
SCORES = {str(score): str(score) for score in range(4)}
SEGMENTS_SCORED = _CHOICES["segments_scored"]
PARIS = {name: name for name in ("0-Ip", "0-Is", "0-IIa", "0-IIb", "0-IIc", "0-III")}
METHODS = {
    "cold_forceps": "Cold forceps",
    "cold_snare": "Cold snare",
    "hot_snare": "Hot snare",
    "emr_whole": "EMR, one piece",
    "emr_pieces": "EMR, piecemeal",
    "none": "Left in place",
}
RECOMMENDATIONS = _CHOICES["recommendations"]
POLICY = (
    ("repeat", "A segment with a preparation score of 0 or 1: lesions may have been missed."),
    ("scar", "A lesion of 20 mm or more was removed in pieces."),
    ("three_years", "A lesion of 10 mm or more was removed, or five or more lesions of any size."),
    ("screening", "Nothing found, or one to four lesions under 10 mm removed."),
)
ROLES = {
    "endoscopist": "Endoscopist",
    "other_endoscopist": "Endoscopist",
    "endoscopy_nurse": "Endoscopy nurse",
    "clerk": "Booking desk",
}
