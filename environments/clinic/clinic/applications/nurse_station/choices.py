"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices

_CHOICES = shared_choices("nurse_station")
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
CONTAINERS = _CHOICES["containers"]
LABORATORY_GUIDE = {
    "purple": "blood count, HbA1c",
    "blue": "coagulation",
    "yellow": "electrolytes, liver, CRP",
    "grey": "glucose, lactate",
    "cup": "urine culture",
}
NOT_DONE = _CHOICES["not_done"]
QUERIES = _CHOICES["queries"]
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
