"""How long this machine may take: an emulated processor is many times slower than the one that limits are meant for."""

from __future__ import annotations

import os
import re

VARIABLE = "CUABENCH_PATIENCE"


def patient(seconds: float) -> float:
    """Return a limit for this machine: the usual one, times what `CUABENCH_PATIENCE` says."""
    said = os.environ.get(VARIABLE, "1")
    return seconds * (int(said) if re.fullmatch(r"[1-9]\d?", said) else 1)
