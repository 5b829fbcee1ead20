"""What several applications know of people and dates, as values of a case."""

from __future__ import annotations

from datetime import date

from pytest_cuabench import Evidence, State, Values, Write
from pytest_cuabench.task.evidence import Row

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def user_of(state: State, role: str, called: str = "nurse") -> Values:
    """Return what the user of a role signs in with, and the name, as the value `called`."""
    user = state.row("users", role=role)
    return {"user_id": user["user_id"], "password": user["password"], called: user["name"]}


def patient_of(state: State, story: str) -> Row:
    """Return the patient of a story."""
    return state.row("patients", story=story)


def identity(patient: Row) -> Values:
    """Return who a patient is, and the link that opens the record."""
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
    }


def identity_in_bed(patient: Row) -> Values:
    """Return who a patient is and where, and the link that opens the record."""
    return {
        "mrn": patient["mrn"],
        "bed": patient["bed"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
    }


def date_words(iso: str) -> str:
    """Return a date as the pages write it."""
    when = date.fromisoformat(iso)
    return f"{when.day:02d} {_MONTHS[when.month - 1]} {when.year}"


def acknowledgements(evidence: Evidence) -> list[Write]:
    """Return every acknowledgement of an alarm, in order."""
    return [
        write
        for write in evidence.journal
        if write.collection == "alarms" and write.op == "update" and "acknowledged_at" in write.fields
    ]
