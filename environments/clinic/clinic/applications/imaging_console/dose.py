"""Dose as the console predicts it.

CTDIvol = n(phantom) x (kV / 120)^2.6 x mA x rotation / pitch / 100, where n is the weighted CTDI of 100 mAs
at 120 kV in the 16 cm (head) or 32 cm (body) phantom; DLP = CTDIvol x length.
Both n and the exponent are typical published values.
"""

from collections.abc import Mapping
from typing import Any

MGY_PER_100_MAS = {"head": 16.0, "body": 6.8}
PHANTOM_CM = {"head": 16, "body": 32}
VOLTAGE_EXPONENT = 2.6
TUBE_KW = 80


def ctdi_mgy(phantom: str, technique: Mapping[str, Any]) -> float:
    """Return CTDIvol in mGy."""
    effective_mas = technique["ma"] * technique["rotation_s"] / technique["pitch"]
    voltage = (technique["kv"] / 120) ** VOLTAGE_EXPONENT
    return round(float(MGY_PER_100_MAS[phantom] * voltage * effective_mas / 100), 2)


def dlp_mgy_cm(ctdi: float, from_mm: int, to_mm: int) -> float:
    """Return the dose-length product of a range."""
    return round(ctdi * (to_mm - from_mm) / 10, 1)


def tube_kw(kv: int, ma: int) -> float:
    """Return the power that the tube would have to give."""
    return kv * ma / 1000
