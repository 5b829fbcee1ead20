"""How the product words things, and what the written stories say is right."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_cuabench.library import FIXTURES

SCHEDULES = {
    "daily": "once daily",
    "bid": "twice daily",
    "tid": "three times daily",
    "qid": "four times daily",
    "bedtime": "at bedtime",
    "weekly": "once weekly",
}
CHANGE_REASONS = {
    "not_effective": "Not effective enough",
    "adverse": "Adverse reaction",
    "lab_result": "Laboratory result",
    "wish": "Patient's wish",
}
STOP_REASONS = {
    "adverse": "Adverse reaction",
    "completed": "Treatment completed",
    "not_effective": "Not effective",
    "wish": "Patient's wish",
    "duplicate": "Duplicate therapy",
}
DENIALS = {
    "monitoring": "Monitoring is overdue",
    "early": "Too early, supply should last",
    "stopped": "Medicine was discontinued",
    "controlled": "Controlled substance, new prescription needed",
    "visit": "Patient has to be seen first",
}
SEVERITIES = {"mild": "Mild", "moderate": "Moderate", "severe": "Severe"}
SOURCES = {"historical": "Historical (reported)", "observed": "Observed here"}
REPORTERS = {"patient": "Patient", "family": "Family member", "record": "Outside record"}
CONSENTS = {"eprescribing": "Electronic prescribing"}
SIGNERS = {"patient": "Patient", "parent": "Parent", "guardian": "Legal guardian"}


@cache
def stories() -> Mapping[str, Any]:
    """Return what the fixtures tell."""
    file = FIXTURES / "clinic" / "doctor_prescription" / "plots.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def units(drug: str) -> str:
    """Return what a drug is counted in."""
    return "puffs" if "inhaler" in drug else "capsules" if "capsule" in drug else "tablets"


def amount(dose: float, drug: str) -> str:
    """Return a dose in words."""
    name = units(drug)
    return f"{dose:g} {name if dose != 1 else name[:-1]}"
