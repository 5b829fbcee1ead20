"""Rate correction of the QT interval."""

import math

FORMULAS = {"bazett": "Bazett", "fridericia": "Fridericia", "framingham": "Framingham", "hodges": "Hodges"}


def corrected(qt_ms: float, rate: float, formula: str) -> int:
    """Return the QTc in milliseconds after one of the four formulas in use."""
    beat = 60 / rate
    values = {
        "bazett": qt_ms / math.sqrt(beat),
        "fridericia": qt_ms / math.pow(beat, 1 / 3),
        "framingham": qt_ms + 154 * (1 - beat),
        "hodges": qt_ms + 1.75 * (rate - 60),
    }
    return round(values[formula])
