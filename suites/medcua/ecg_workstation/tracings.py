"""What is right for each kind of recording, and how the product words it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES

FORMULAS = {"bazett": "Bazett", "fridericia": "Fridericia", "framingham": "Framingham", "hodges": "Hodges"}
COMPARISONS = {"unchanged": "Same", "changed": "Changed", "none": "No previous"}
TERRITORIES = frozenset({"anterior", "inferior", "lateral"})
CRITICAL = frozenset(
    {
        "stemi_anterior",
        "stemi_inferior",
        "stemi_lateral",
        "av_block_complete",
        "av_block_mobitz_2",
        "ventricular_tachycardia",
    }
)


@cache
def _load(name: str) -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "ecg_workstation" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def facts(profile: str) -> Mapping[str, Any]:
    """Return what the fixtures know of a kind of recording."""
    known: Mapping[str, Any] = _load("profiles")[profile]
    return known


@cache
def statements() -> Mapping[str, str]:
    """Return how each statement reads."""
    return {code: text for group in _load("statements").values() for code, text in group.items()}


def words(codes: list[str]) -> str:
    """Return statements as they are listed in a goal."""
    return ", ".join(f"“{statements()[code]}”" for code in codes)


def qtc(qt_ms: float, rate: float, formula: str) -> int:
    """Return the corrected QT interval, computed here once more and not asked of the product."""
    beat = 60 / rate
    if formula == "bazett":
        return round(qt_ms / math.sqrt(beat))
    if formula == "fridericia":
        return round(qt_ms / beat ** (1 / 3))
    return round(qt_ms + 154 * (1 - beat) if formula == "framingham" else qt_ms + 1.75 * (rate - 60))
