"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.fixtures import shared_choices

_CHOICES = shared_choices("nursing_documentation")
INTAKE = {"oral": "Oral", "infusion": "Infusion", "tube": "Tube feed", "blood": "Blood products"}
OUTPUT = {"urine": "Urine", "drain": "Drain", "stool": "Stool", "vomit": "Vomit"}
KINDS = INTAKE | OUTPUT
OXYGEN = {"air": "Air", "oxygen": "Oxygen"}
CONSCIOUSNESS = {
    "alert": "Alert",
    "confused": "New confusion",
    "voice": "To voice",
    "pain": "To pain",
    "unresponsive": "Unresponsive",
}
SHORT_CONSCIOUSNESS = {"alert": "A", "confused": "C", "voice": "V", "pain": "P", "unresponsive": "U"}
RESPONSES = _CHOICES["responses"]
ERROR_REASONS = {
    name: name for name in ("Wrong value", "Wrong patient", "Wrong kind", "Entered twice", "Wrong time")
}
FOCI = {
    name: name for name in ("Breathing", "Fever", "Mobility", "Nausea", "Pain", "Sleep", "Skin", "Wellbeing")
}
TRIGGERS = {
    name: name
    for name in (
        "Early warning score",
        "Airway in danger",
        "Respiratory arrest",
        "Cardiac arrest",
        "Seizure",
        "Worried about the patient",
    )
}
OUTCOMES = {
    name: name
    for name in (
        "Stays on the unit",
        "Moved to intensive care",
        "Moved to theatre",
        "Treatment limited",
        "Died",
    )
}
STAGES = {
    "stage_1": ("Stage 1", "Unbroken skin, redness that does not blanch"),
    "stage_2": ("Stage 2", "Outer skin layers lost, pink moist bed"),
    "stage_3": ("Stage 3", "Full thickness lost, fat visible"),
    "stage_4": ("Stage 4", "Muscle, tendon or bone exposed or felt"),
    "unstageable": ("Unstageable", "Depth hidden by slough or eschar"),
    "deep_tissue": ("Deep tissue injury", "Deep red or purple, does not blanch"),
}
REGIONS = {
    "head": "Back of the head",
    "left_shoulder": "Left shoulder blade",
    "right_shoulder": "Right shoulder blade",
    "left_elbow": "Left elbow",
    "right_elbow": "Right elbow",
    "sacrum": "Sacrum",
    "left_hip": "Left hip",
    "right_hip": "Right hip",
    "left_ischium": "Left ischium",
    "right_ischium": "Right ischium",
    "left_ankle": "Left ankle",
    "right_ankle": "Right ankle",
    "left_heel": "Left heel",
    "right_heel": "Right heel",
}
EXUDATES = {"none": "None", "small": "Small", "moderate": "Moderate", "large": "Large"}
ROLES = {
    "shift_nurse": "Registered nurse",
    "staff_nurse": "Registered nurse",
    "charge_nurse": "Charge nurse",
    "physician": "Physician",
}
