"""DICOM JSON: what an archive tells of studies, series and instances, element by element."""

from __future__ import annotations

from typing import Any

Elements = dict[str, dict[str, Any]]


def el(vr: str, *values: Any) -> dict[str, Any]:
    """Return an element."""
    return {"vr": vr, "Value": list(values)} if values else {"vr": vr}


def code(value: str, scheme: str, meaning: str) -> Elements:
    """Return a coded concept."""
    return {"00080100": el("SH", value), "00080102": el("SH", scheme), "00080104": el("LO", meaning)}
