"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.applications.infusion_pump import dosing
from clinic.fixtures import shared_choices

concentration, per_ml, band = dosing.concentration, dosing.per_ml_words, dosing.band
duration, mL = dosing.duration, dosing.volume_words
_CHOICES = shared_choices("infusion_pump")
LETTERS = ("A", "B", "C", "D")
CARE_AREAS = {"adult_icu": "Adult ICU", "adult_ward": "Adult ward", "picu": "Paediatric ICU"}
PROFILE = "adult_icu"  # what the pumps of this unit start with
STATUSES = {
    "off": "Off",
    "ready": "Ready",
    "infusing": "Infusing",
    "hold": "On hold",
    "alarm": "Alarm stop",
    "kvo": "KVO",
}
PRIORITIES = {"high": "!!!", "medium": "!!", "low": "!"}
# Alarm conditions with their priority; the marks and colours are those of IEC 60601-1-8.
ALARMS = {
    "air_in_line": ("Air in line", "high"),
    "occlusion": ("Occlusion downstream", "high"),
    "complete": ("Infusion complete, KVO", "medium"),
    "battery": ("On battery, low", "low"),
}
CAUSES = {
    "air_in_line": {"air_removed": "Air removed from line", "set_replaced": "Set replaced and primed"},
    "occlusion": {
        "clamp_opened": "Clamp opened",
        "kink_straightened": "Kink straightened",
        "catheter_flushed": "Catheter flushed",
    },
    "complete": {"new_volume": "New volume set"},
    "battery": {"mains_plugged": "Mains plugged in", "battery_exchanged": "Battery exchanged"},
}
LIMITS = _CHOICES["limits"]
OVERRIDE_REASONS = {
    "confirmed": "Confirmed with prescriber",
    "tolerance": "Patient tolerance",
    "emergency": "Emergency, no time",
    "weaning": "Weaning",
}
QUERY_PROBLEMS = {
    "above_hard_maximum": "Dose above hard maximum",
    "below_hard_minimum": "Dose below hard minimum",
    "above_soft_maximum": "Dose above soft maximum",
    "not_in_library": "Concentration not in library",
}
ORDER_KINDS = {"start": "Start", "change": "Change dose", "stop": "Hold", "bag": "Next bag"}
ORDER_STATUSES = {
    "new": "New",
    "running": "Running",
    "replaced": "Replaced",
    "discontinued": "Discontinued",
}
ROLES = {
    "bedside_nurse": "Bedside nurse",
    "staff_nurse": "Staff nurse",
    "charge_nurse": "Charge nurse",
    "pharmacist": "Pharmacist",
    "physician": "Physician",
}
SECOND_NURSES = frozenset({"bedside_nurse", "staff_nurse", "charge_nurse"})
DRUG_GROUPS = {"a-d": "A – D", "e-h": "E – H", "i-m": "I – M", "n-o": "N – O", "p-z": "P – Z"}
