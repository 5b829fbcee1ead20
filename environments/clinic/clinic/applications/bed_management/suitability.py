"""Whether somebody may lie in a bed: what cannot be, and what needs a second look."""

import sqlite3
from dataclasses import dataclass

from clinic.applications.bed_management.choices import LEVELS, PRECAUTIONS

RANK = ("ward", "monitored", "icu")
REFUSALS = {
    "occupied": "{} is occupied.",
    "cleaning": "{} is being cleaned. Housekeeping has not released it yet.",
    "blocked": "{} is blocked.",
}


@dataclass(frozen=True)
class Needs:
    """What a placement has to meet; what is not known is None."""

    mrn: str
    sex: str
    level: str | None
    precautions: str | None

    @classmethod
    def of(cls, patient: sqlite3.Row) -> "Needs":
        """Read the needs on file."""
        return cls(patient["mrn"], patient["sex"], patient["level"], patient["precautions"])


def refusal(bed: sqlite3.Row) -> str | None:
    """Return why nobody can be put into the bed now."""
    text = REFUSALS.get(bed["state"])
    return text.format(f"Bed {bed['label']}") if text else None


def concerns(needs: Needs, bed: sqlite3.Row) -> list[str]:
    """Return what speaks against the bed, although it could be given."""
    found = [_sex(needs, bed), _precautions(needs, bed), _level(needs, bed), _reservation(needs, bed)]
    return [text for text in found if text]


def _sex(needs: Needs, bed: sqlite3.Row) -> str | None:
    if bed["kind"] != "bay" or bed["sex"] in (None, needs.sex):
        return None
    who = "women" if bed["sex"] == "F" else "men"
    return f"Bed {bed['label']} is in a bay for {who}: this breaches same-sex accommodation."


def _precautions(needs: Needs, bed: sqlite3.Row) -> str | None:
    if needs.precautions == "airborne" and bed["kind"] != "negative":
        return "Airborne precautions call for a negative-pressure room."
    if needs.precautions in ("contact", "droplet") and bed["kind"] == "bay":
        return f"{PRECAUTIONS[needs.precautions]} precautions call for a single room."
    return None


def _level(needs: Needs, bed: sqlite3.Row) -> str | None:
    if needs.level is None or needs.level == bed["care"]:
        return None
    wanted, given = LEVELS[needs.level].lower(), LEVELS[bed["care"]].lower()
    short = RANK.index(bed["care"]) < RANK.index(needs.level)
    if short or bed["care"] == "icu":
        return f"The level of care needed is {wanted}, the bed offers {given}."
    return None


def _reservation(needs: Needs, bed: sqlite3.Row) -> str | None:
    if bed["reserved_for"] in (None, needs.mrn):
        return None
    return f"Bed {bed['label']} is reserved for {bed['reserved_name']}."
