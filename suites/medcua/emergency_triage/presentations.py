"""What is right for each presentation, and how the product words it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES

REASONS = {
    "lifesaving": "Needs immediate life-saving intervention",
    "high_risk": "High-risk presentation",
    "mental_status": "New confusion, lethargy or disorientation",
    "distress": "Severe pain or distress",
    "danger_vitals": "Danger-zone vital signs",
    "two_or_more": "Two or more resources expected",
    "one": "One resource expected",
    "none": "No resources expected",
}
PLACES = {
    "resuscitation": "Resuscitation bay",
    "monitored": "Monitored bed (telemetry)",
    "ward": "Inpatient ward admission",
    "icu": "ICU admission",
    "treatment_room": "Treatment room",
    "fast_track": "Fast track",
    "waiting_room": "Waiting room",
    "discharge": "Discharge from triage",
    "transfer": "Transfer to another facility",
}
# What may justify a level; at level 2 some presentations give further reasons, the first one told best.
_FITTING = {
    1: ("lifesaving",),
    2: ("high_risk",),
    3: ("two_or_more",),
    4: ("one",),
    5: ("none",),
}
_EMERGENT = {
    "altered_mental_status": ("mental_status", "high_risk"),
    "chest_pain_high_risk": ("high_risk", "distress", "danger_vitals"),
    "child_head_injury": ("high_risk", "mental_status"),
    "fever_infection": ("high_risk", "danger_vitals"),
    "stroke_signs": ("high_risk", "mental_status"),
}
# By a word of the narrative: how the reaction is entered, and what an entry must name.
_SWELLING = ("swell", "swoll", "edema")
_SIGNS = {
    "hives": ("Hives", ("hive", "urticaria")),
    "swollen face": ("Swollen face", _SWELLING),
    "lips swell": ("Lip or tongue swelling", _SWELLING),
    "wheez": ("Wheeze", ("wheez",)),
    "rash": ("Rash", ("rash",)),
}


@cache
def _load(name: str) -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "emergency_triage" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def facts(presentation: str) -> Mapping[str, Any]:
    """Return what the fixtures know of a presentation."""
    known: Mapping[str, Any] = _load("presentations")[presentation]
    return known


def recordable_allergies() -> list[list[str]]:
    """Return allergies as patients tell them: substance, reaction, severity."""
    found: list[list[str]] = _load("substances")["recorded"]
    return found


def reasons(presentation: str, level: int) -> tuple[str, ...]:
    """Return what may be given as the reason for a level."""
    return (_EMERGENT.get(presentation) if level == 2 else None) or _FITTING[level]


def told_by_family(patient: Mapping[str, Any]) -> dict[str, Any]:
    """Return the allergy that a child's narrative tells; nobody said how severe it was."""
    named = facts(patient["presentation"])["parent_allergies"]
    narrative = patient["narrative"].casefold()
    (substance,) = (name for name in named if name in narrative)
    found = [(reaction, signs) for word, (reaction, signs) in _SIGNS.items() if word in narrative]
    signs = [sign for _, each in found for sign in each]
    return {"substance": substance, "reaction": found[0][0], "signs": signs, "severity": None}
