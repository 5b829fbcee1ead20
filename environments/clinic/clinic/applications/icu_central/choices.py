"""The fixed choices of the product: what is stored, and how it reads on a page."""

from dataclasses import dataclass

from clinic.fixtures import shared_choices


@dataclass(frozen=True)
class Parameter:
    """Something the monitor measures and can alarm on; `trace` names the colour that belongs to it."""

    label: str
    unit: str
    trace: str
    whole: bool = True


_CHOICES = shared_choices("icu_central")
PARAMETERS = {
    "heart_rate": Parameter("HR", "/min", "ecg"),
    "spo2": Parameter("SpO2", "%", "pleth"),
    "respiratory_rate": Parameter("RR", "/min", "resp"),
    "abp_mean": Parameter("ABP mean", "mmHg", "abp"),
    "temp_c": Parameter("Temp", "°C", "temp", whole=False),
}
PRIORITIES = {"high": "High", "medium": "Medium", "low": "Low"}
RANKS = {"high": 0, "medium": 1, "low": 2}
CRISES = {
    "desaturation": "Desaturation",
    "extreme_bradycardia": "Extreme bradycardia",
    "extreme_tachycardia": "Extreme tachycardia",
    "extreme_hypotension": "Extreme hypotension",
}
AGE_CLASSES = {"adult": "Adult", "pediatric": "Paediatric", "neonatal": "Neonatal"}
PROFILES = {"general": "General", "cardiac": "Cardiac", "respiratory": "Respiratory", "neuro": "Neuro"}
DURATIONS = {"1": "1 min", "2": "2 min", "3": "3 min", "5": "5 min", "10": "10 min", "off": "Until resumed"}
SILENCE_REASONS = {
    "suctioning": "Suctioning",
    "blood_sampling": "Blood sampling",
    "turning": "Turning or washing",
    "examination": "Examination at the bedside",
    "known_artefact": "Artefact, cause known",
}
RECIPIENTS = _CHOICES["recipients"]
DESTINATIONS = {
    "ward": "Ward",
    "step_down": "Step-down unit",
    "theatre": "Theatre",
    "transferred": "Other hospital",
    "deceased": "Deceased",
}
WINDOWS = {"4": "4 h", "12": "12 h", "24": "24 h", "72": "72 h"}
ALARM_FILTERS = {
    "all": "All",
    "active": "Active",
    "unacknowledged": "Unacknowledged",
    "high": "High",
    "medium": "Medium",
    "low": "Low",
}
ROLES = {
    "monitor_nurse": "Monitor nurse",
    "staff_nurse": "Bedside nurse",
    "charge_nurse": "Charge nurse",
    "physician": "ICU physician",
    "therapist": "Respiratory therapist",
}


def shown(parameter: str, value: float | None) -> str:
    """Write a measured value as the monitor does."""
    if value is None:
        return "–"
    return f"{value:.0f}" if PARAMETERS[parameter].whole else f"{value:.1f}"
