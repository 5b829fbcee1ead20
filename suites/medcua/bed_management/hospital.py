"""How the wards are laid out, which beds meet a need, and how the product words its choices."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from pytest_cuabench.evidence import State
from pytest_cuabench.library import FIXTURES

STATES = ("occupied", "available", "reserved", "cleaning", "blocked")
LEVELS = {"ward": "Ward", "monitored": "Monitored", "icu": "Intensive care"}
PRECAUTIONS = {"none": "Standard", "contact": "Contact", "droplet": "Droplet", "airborne": "Airborne"}
SOURCES = {
    "clinic": "Outpatient clinic",
    "gp": "General practitioner",
    "hospital": "Other hospital",
    "home": "Planned, from home",
}
REASONS = {
    "deterioration": "Clinical deterioration",
    "step_down": "Step-down of care",
    "precautions": "Isolation precautions",
    "specialty": "Transfer to own specialty",
    "same_sex": "Same-sex accommodation",
    "capacity": "Capacity",
}
DESTINATIONS = {
    "home": "Home",
    "community": "Home + care",
    "nursing_home": "Nursing home",
    "rehabilitation": "Rehabilitation",
}
ORDER_SET = {
    "transfer_order": "Transfer order signed",
    "handover": "Nursing handover given",
    "reconciliation": "Medication reconciled",
}
CHECKLIST = {
    "orders": "Discharge orders and summary",
    "medication": "Medication supplied",
    "transport": "Transport arranged",
    "settlement": "Account settled",
}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@cache
def _cases() -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "bed_management" / "cases.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def facts(case: str) -> dict[str, Any]:
    """Return what the fixtures know of a case."""
    return dict(_cases()[case])


def day(iso: str) -> str:
    """Write a date as the pages do."""
    when = date.fromisoformat(iso)
    return f"{when.day:02d} {_MONTHS[when.month - 1]} {when.year}"


def percent(occupied: int, open_beds: int) -> int:
    """Return a share as a whole per cent, halves rounded up."""
    return (200 * occupied + open_beds) // (2 * open_beds)


def bed(state: State, label: str) -> dict[str, Any]:
    """Return a bed with what its bay adds."""
    found = state.row("beds", label=label)
    bay = state.row("bays", id=found["bay"])
    return {**found, "ward": bay["ward"], "kind": bay["kind"], "sex": bay["sex"], "state": _state(found)}


def _state(row: Mapping[str, Any]) -> str:
    if row["mrn"] is not None:
        return "occupied"
    if row["condition"] != "ready":
        return str(row["condition"])
    return "available" if row["reserved_for"] is None else "reserved"


def beds(state: State, ward: str) -> list[dict[str, Any]]:
    """Return the beds of a ward by number."""
    labels = sorted(row["label"] for row in state.rows("beds"))
    every = [bed(state, label) for label in labels]
    return [each for each in every if each["ward"] == ward]


def empty(state: State, ward: str, kind: str) -> list[dict[str, Any]]:
    """Return the available beds of a ward in rooms of one kind."""
    return [each for each in beds(state, ward) if (each["state"], each["kind"]) == ("available", kind)]


def ward_of(state: State, specialty: str) -> str:
    """Return the code of the ward of a specialty."""
    return str(state.row("wards", specialty=specialty)["code"])


def fitting(state: State, specialty: str, sex: str, precautions: str) -> list[str]:
    """Return the available beds of the ward that meet sex and precautions, bays first."""
    ward = ward_of(state, specialty)
    rooms = {kind: empty(state, ward, kind) for kind in ("bay", "single", "negative")}
    if precautions == "airborne":
        found = rooms["negative"]
    elif precautions == "none":
        found = [*(each for each in rooms["bay"] if each["sex"] == sex), *rooms["single"], *rooms["negative"]]
    else:
        found = [*rooms["single"], *rooms["negative"]]
    return [each["label"] for each in found]


def opposite(state: State, label: str) -> str:
    """Return an available bed on the same ward in the bay for the other sex."""
    own = bed(state, label)
    return next(each["label"] for each in empty(state, own["ward"], "bay") if each["sex"] != own["sex"])
