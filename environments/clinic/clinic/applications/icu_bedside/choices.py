"""The fixed choices of the product: what is stored, and how it reads on a page."""

from dataclasses import dataclass

from clinic.fixtures import shared_choices


@dataclass(frozen=True)
class Parameter:
    """Something that is charted every hour; `trace` names the colour that belongs to it."""

    label: str
    unit: str
    trace: str
    frame: tuple[int, int]
    whole: bool = True


_CHOICES = shared_choices("icu_bedside")
PARAMETERS = {
    "heart_rate": Parameter("HR", "/min", "ecg", (30, 150)),
    "spo2": Parameter("SpO2", "%", "pleth", (75, 100)),
    "abp_mean": Parameter("MAP", "mmHg", "abp", (30, 120)),
    "respiratory_rate": Parameter("RR", "/min", "resp", (0, 40)),
    "temp_c": Parameter("Temp", "°C", "temp", (35, 41), whole=False),
}
WINDOWS = {"4": "4 h", "8": "8 h", "12": "12 h", "24": "24 h"}
PERIODS = {"shift": "This shift", "previous": "Previous shift", "day": "Last 24 h"}
PRIORITIES = {"high": "High", "medium": "Medium", "low": "Low"}
SOURCES = {"monitor": "Monitor", "ventilator": "Ventilator", "pump": "Pump"}
CATEGORIES = {"assessment": "Assessment", "event": "Event", "family": "Family", "handover": "Handover"}
REASONS = _CHOICES["reasons"]
ACTIONS = {"dose": "Dose", "pause": "Paused", "resume": "Resumed"}
TABS = {
    "vitals": "Vitals",
    "fluids": "Fluids",
    "infusions": "Infusions",
    "ventilator": "Ventilator",
    "alarms": "Alarms",
    "notes": "Notes",
    "trends": "Trends",
    "orders": "Orders",
}
ROLES = {"bedside_nurse": "Bedside nurse", "staff_nurse": "Nurse", "physician": "ICU physician"}


def shown(parameter: str, value: float) -> str:
    """Write a measured value as the monitor does."""
    return f"{value:.0f}" if PARAMETERS[parameter].whole else f"{value:.1f}"


def signed(ml: int) -> str:
    """Write a balance with its sign."""
    return f"{ml:+d}".replace("-", "−") if ml else "0"
