"""What the ward's written data know, and how the product words its choices."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from pytest_cuabench.evidence import State
from pytest_cuabench.library import FIXTURES

ROUTES = {"oral": "Oral", "subcutaneous": "Subcutaneous", "intravenous": "Intravenous"}
POSITIONS = {"left": "Left side", "right": "Right side", "back": "Back"}
CONTAINERS = {
    "purple": "Purple cap",
    "blue": "Blue cap",
    "yellow": "Yellow cap",
    "grey": "Grey cap",
    "cup": "Sterile cup",
}
NOT_DONE = {
    "refused": "Patient refused",
    "away": "Patient not on the ward",
    "fasting": "Patient nil by mouth",
    "supply": "Medicine or material not available",
    "held": "Held on prescriber's word",
}
QUERIES = {
    "allergy": "Contradicts an allergy",
    "dose": "Dose or interval unclear",
    "duplicate": "Ordered twice",
    "patient": "Seems meant for another patient",
}
CODES = {"full": "Full code", "no_cpr": "No CPR", "comfort": "Comfort care"}
ISOLATION = {"none": "None", "contact": "Contact", "droplet": "Droplet", "airborne": "Airborne"}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@cache
def _written() -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "nurse_station" / "ward.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def container(test: str) -> str:
    """Return what the laboratory wants a test in."""
    return str(_written()["tests"][test])


def day(iso: str) -> str:
    """Write a date as the pages do."""
    when = date.fromisoformat(iso)
    return f"{when.day:02d} {_MONTHS[when.month - 1]} {when.year}"


def overdue(state: State, mrn: str) -> list[dict[str, Any]]:
    """Return a patient's tasks that should have been done by now."""
    new = {row["id"] for row in state.rows("orders") if row["status"] != "acknowledged"}
    open_tasks = state.rows("tasks", mrn=mrn, status="due")
    return [row for row in open_tasks if row["order_id"] not in new and row["due_at"] < (state.clock or "")]
