"""What each task is about on a given seed: who, and with which values."""

from __future__ import annotations

import json
import random
from typing import Any

from pytest_cuabench.evidence import State

from . import dictation, written

Values = dict[str, Any]
Patient = dict[str, Any]


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the workstation."""
    nurse = state.row("users", role="shift_nurse")
    return {"user_id": nurse["user_id"], "password": nurse["password"], "nurse": nurse["name"]}


def view_vitals(state: State, chance: random.Random) -> Values:
    """Read the last temperature that counts: the newest set is struck, the one before has none."""
    patient = _patient(state, "read_vitals")
    rows = sorted(state.rows("vitals", mrn=patient["mrn"]), key=lambda row: row["at"])
    measured = [row["temp_c"] for row in rows if row["temp_c"] is not None and not row["in_error"]]
    struck = next(row["temp_c"] for row in rows if row["in_error"])
    return _about(state, chance, patient, _patient(state, "record_vitals")) | {
        "latest": measured[-1],
        "struck": struck,
        "first": measured[0],
    }


def view_fluid_balance(state: State, chance: random.Random) -> Values:
    """Read the balance of this shift, which is not that of the last one."""
    patient = _patient(state, "read_fluids")
    started = state.row("shift")["started_at"]
    now = [row for row in state.rows("fluids", mrn=patient["mrn"]) if row["at"] >= started]
    before = [row for row in state.rows("fluids", mrn=patient["mrn"]) if row["at"] < started]
    intake = sum(row["volume"] for row in now if row["kind"] in written.INTAKE)
    values = {"balance": _balance(now), "last_shift": _balance(before), "intake": intake}
    return _about(state, chance, patient, _neighbour(state, patient)) | values


def record_vital_signs(state: State, chance: random.Random) -> Values:
    """Chart a dictated set for a patient whose name is like another one's."""
    patient = _patient(state, "record_vitals")
    values = _about(state, chance, patient, _patient(state, "read_vitals"))
    return values | dictation.vital_signs(chance)


def record_io(state: State, chance: random.Random) -> Values:
    """Chart volumes, some of which have to be added up; somebody has the same family name."""
    values = _about(state, chance, _patient(state, "record_io"), _patient(state, "wound"))
    return values | dictation.volumes(chance)


def write_nursing_note(state: State, chance: random.Random) -> Values:
    """Put what happened into condition, intervention and response."""
    patient = _patient(state, "note")
    event = dictation.event(chance, "note", state.clock or "")
    choices = {"focus": event["focus"]}
    documented = event | {"choices": choices, "entries": {}}
    return _about(state, chance, patient, _neighbour(state, patient)) | documented


def create_handoff(state: State, chance: random.Random) -> Values:
    """Sort facts into the four parts of a handover."""
    patient = _patient(state, "handover")
    event = dictation.event(chance, "handover", state.clock or "")
    receivers = [row["name"] for row in state.rows("users") if row["role"] in ("staff_nurse", "charge_nurse")]
    receiver, other = chance.sample(receivers, 2)
    return (
        _about(state, chance, patient, _neighbour(state, patient))
        | event
        | {
            "choices": {"receiver": receiver},
            "entries": {},
            "receiver": receiver,
            "other_receiver": other,
            **event["texts"],
        }
    )


def wound_assessment(state: State, chance: random.Random) -> Values:
    """Stage and measure a wound beside one that is known already."""
    values = _about(state, chance, _patient(state, "wound"), _patient(state, "record_io"))
    return values | dictation.wound(chance)


def identify_deterioration(state: State, chance: random.Random) -> Values:
    """Find who needs help most by the early warning score, and escalate."""
    patient = _patient(state, "deteriorating")
    score = written.news2(_latest(state, patient["mrn"]), patient["spo2_scale"])
    response = written.response(score)
    return _about(state, chance, patient, _patient(state, "read_fluids")) | {
        "news2": score,
        "response": response,
        "response_words": written.RESPONSES[response],
    }


def complete_shift_documentation(state: State, chance: random.Random) -> Values:
    """Chart what is missing for one patient, then sign the shift off."""
    patient = _patient(state, "incomplete")
    values = _about(state, chance, patient, _neighbour(state, patient))
    told = dictation.volumes(chance)
    kept = {kind: told["fluids"][kind] for kind in ("oral", "infusion", "urine")}
    return values | dictation.vital_signs(chance) | told | {"fluids": kept}


def fluid_balance_correction(state: State, chance: random.Random) -> Values:
    """Find the entry that contradicts its measuring slip, and correct it."""
    patient = _patient(state, "wrong_fluid")
    told = json.loads(patient["story"])
    started = state.row("shift")["started_at"]
    now = [row for row in state.rows("fluids", mrn=patient["mrn"]) if row["at"] >= started]
    wrong = state.row("fluids", id=told["entry"])
    balance = _balance(now)
    beside = next(row for row in now if row["kind"] == "urine" and row["id"] != wrong["id"])
    return _about(state, chance, patient, _neighbour(state, patient)) | {
        "entry": wrong["_key"],
        "kind": wrong["kind"],
        "kind_words": written.KINDS[wrong["kind"]],
        "typed": wrong["volume"],
        "time": wrong["at"][11:16],
        "right": told["right"],
        "balance_before": balance,
        "balance": balance + wrong["volume"] - told["right"],
        "beside": {"volume": beside["volume"], "time": beside["at"][11:16]},
        "reason": "Wrong value",
    }


def rapid_response_note(state: State, chance: random.Random) -> Values:
    """Record a call of the critical care team, with the score of the last set."""
    patient = _patient(state, "deteriorating")
    call = dictation.rapid_call(chance, state.clock or "")
    score = written.news2(_latest(state, patient["mrn"]), patient["spo2_scale"])
    choices = {"trigger": "Early warning score", "outcome": call["outcome"]}
    entries = {"news2": str(score), **call["times"]}
    return (
        _about(state, chance, patient, _patient(state, "read_fluids"))
        | call
        | {
            "choices": choices,
            "entries": entries,
            "news2": score,
            "texts": {"actions": call["actions"]},
        }
    )


def _about(state: State, chance: random.Random, patient: Patient, other: Patient) -> Values:
    return login(state, chance) | _identity(patient) | {"other": _identity(other)}


def _balance(rows: list[dict[str, Any]]) -> int:
    return sum(
        row["volume"] * (1 if row["kind"] in written.INTAKE else -1) for row in rows if not row["in_error"]
    )


def _latest(state: State, mrn: str) -> dict[str, Any]:
    return max(state.rows("vitals", mrn=mrn, in_error=False), key=lambda row: (row["at"], row["id"]))


def _patient(state: State, name: str) -> Patient:
    (found,) = (row for row in state.rows("patients") if json.loads(row["story"])["name"] == name)
    return found


def _neighbour(state: State, patient: Patient) -> Patient:
    """Return who lies in the next bed: the slip of a hand."""
    beds = sorted(state.rows("patients"), key=lambda row: row["bed"])
    place = next(index for index, row in enumerate(beds) if row["mrn"] == patient["mrn"])
    return (beds[place + 1 :] + beds[:place])[0]


def _identity(patient: Patient) -> Values:
    return {
        "mrn": patient["mrn"],
        "bed": patient["bed"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
    }
