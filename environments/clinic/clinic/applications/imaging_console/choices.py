"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices

_CHOICES = shared_choices("imaging_console")
STATUSES = {
    "scheduled": "Scheduled",
    "registered": "Registered",
    "completed": "Completed",
    "on_hold": "On hold",
    "cancelled": "Cancelled",
}
MODALITIES = {"all": "All", "CT": "CT", "MR": "MR"}
ROLES = {
    "technologist": "Technologist",
    "assistant": "Imaging assistant",
    "radiologist": "Radiologist",
    "physicist": "Medical physicist",
}
IDENTIFIERS = {
    "checked_name": "Full name, said by the patient",
    "checked_birth_date": "Date of birth, said by the patient",
    "checked_mrn": "MRN on the wristband",
    "checked_room": "Room or bed number",
}
PREGNANCY = {"excluded": "Excluded", "possible": "Cannot be excluded", "pregnant": "Pregnant"}
REACTIONS = {"none": "None", "mild": "Mild", "moderate": "Moderate", "severe": "Severe"}
YES_NO = {"yes": "Yes", "no": "No"}
DEVICES = _CHOICES["devices"]
POSITIONS = _CHOICES["positions"]
DIRECTIONS = {"ap": "AP", "lateral": "Lateral"}
VOLTAGES = {value: value for value in ("80", "100", "120", "140")}
ROTATIONS = {value: value for value in ("0.35", "0.5", "0.75", "1.0")}
SLICES = {value: value for value in ("1.0", "2.0", "3.0", "5.0")}
KERNELS = {"smooth": "Smooth", "standard": "Standard", "sharp": "Sharp", "bone": "Bone"}
MODES = {"normal": "Normal", "first_level": "First level"}
DESTINATIONS = {name: name for name in ("Main archive", "Teaching archive", "Workstation 2")}
HOLD_REASONS = {
    "pregnancy": "Possible or confirmed pregnancy",
    "contrast": "Contrast risk",
    "device": "Device not cleared for MR",
    "identity": "Identity not confirmed",
    "condition": "Patient's condition",
}
ARTEFACTS = {"none": "None", "ring": "Ring"}
RESULTS = {"pass": "Pass", "fail": "Fail"}
# Name of the preset: window width and level in HU.
WINDOWS = {
    "Soft tissue": (400, 40),
    "Lung": (1500, -600),
    "Bone": (2000, 400),
    "Brain": (80, 35),
}
