"""What each task is about on a given seed: who, and with which values.

A *job* is what is to be done for one patient: who it is, which levels, reasons and places are right, what is
called out (`entry` as the form takes it, `expected` as the record must hold it) and what is told of allergies.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from . import presentations
from .dictation import Dictation, age, dictate, only, weigh

Values = dict[str, Any]


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the workstation."""
    nurse = state.row("users", role="triage_nurse")
    return {"user_id": nurse["user_id"], "password": nurse["password"], "nurse": nurse["name"]}


def view_queue(state: State, chance: random.Random) -> Values:
    """Count who is waiting."""
    rows = state.rows("patients")
    statuses = [row["status"] for row in rows]
    bystander = next(row for row in rows if row["status"] == "waiting")
    counts = {name: statuses.count(name) for name in set(statuses)}
    return login(state, chance) | {
        "waiting": counts["waiting"],
        "not_triaged": counts["waiting"] + counts["in_triage"],
        "in_department": len(rows),
        "other": _identity(bystander),
    }


def open_patient(state: State, chance: random.Random) -> Values:
    """Find the one in triage with chest pain, who has a namesake."""
    patient = _patient(state, "chest_pain")
    (namesake,) = _others(state, patient, family_name=patient["family_name"])
    waiting = _patient(state, "chest_pain_high_risk")
    return _about(state, chance, patient, namesake) | {"waiting_link": _identity(waiting)["link"]}


def read_vitals(state: State, chance: random.Random) -> Values:
    """Find the latest valid set among several of this visit."""
    patient = _patient(state, "palpitations")
    sets = state.rows("vitals", mrn=patient["mrn"], visit_no=patient["visit_no"])
    valid = [row for row in sets if not row["in_error"]]
    names = ("heart_rate", "systolic", "diastolic", "spo2", "temp_c", "respiratory_rate", "taken_at")
    readings = {
        "latest": max(valid, key=_taken),
        "first": min(valid, key=_taken),
        "struck": next(row for row in sets if row["in_error"]),
    }
    other = _neighbour(state, patient)
    return _about(state, chance, patient, other) | {
        kind: {name: row[name] for name in names} for kind, row in readings.items()
    }


def record_vitals(state: State, chance: random.Random) -> Values:
    """Chart a dictated set for a patient whose name is like another one's."""
    patient = _patient(state, "abdominal_pain")
    other = _patient(state, "back_pain")
    dictated = dictate(chance, presentations.facts("abdominal_pain")["vitals"])
    return _about(state, chance, patient, other) | _called_out(dictated)


def assign_esi(state: State, chance: random.Random) -> Values:
    """Judge the acuity of somebody newly confused."""
    patient = _patient(state, "altered_mental_status")
    return _about(state, chance, patient, _neighbour(state, patient))


def assign_disposition(state: State, chance: random.Random) -> Values:
    """Choose where a triaged patient goes; the confusable one is the other who was triaged."""
    patient = _patient(state, "dyspnea")
    return _about(state, chance, patient, _patient(state, "palpitations"))


def print_wristband(state: State, chance: random.Random) -> Values:
    """Print the band that is missing, on a given printer."""
    patient = _patient(state, "ankle_injury")
    printers = chance.sample(("Triage 1", "Triage 2", "Registration"), 2)
    names = {"printer": printers[0], "other_printer": printers[1]}
    return _about(state, chance, patient, _neighbour(state, patient)) | names


def full_triage_workflow(state: State, chance: random.Random) -> Values:
    """Take an adult with fever through the whole of triage."""
    patient = _patient(state, "fever_infection")
    allergies = _asked(state, chance, patient, may_tell=True)
    printer = {"printer": chance.choice(("Triage 1", "Triage 2"))}
    return _triage(state, chance, patient, _neighbour(state, patient)) | allergies | printer


def critical_patient_triage(state: State, chance: random.Random) -> Values:
    """Triage a high-risk chest pain while another chest pain is in triage already."""
    patient = _patient(state, "chest_pain_high_risk")
    oxygen = chance.choice(("room_air", "nasal_cannula"))
    values = _triage(state, chance, patient, _patient(state, "chest_pain"), oxygen)
    return values | _asked(state, chance, patient, may_tell=False)


def pediatric_triage(state: State, chance: random.Random) -> Values:
    """Triage the only waiting child: weight, and the allergy that the family told."""
    waiting = state.rows("patients", status="waiting")
    (patient,) = (row for row in waiting if row["presentation"] in ("child_vomiting", "child_head_injury"))
    weight = weigh(chance, age(patient["birth_date"], state.clock or ""))
    values = _triage(state, chance, patient, _neighbour(state, patient))
    return values | {
        **weight.spoken,
        "entry": values["entry"] | weight.entry,
        "expected": values["expected"] | weight.expected,
        "told": presentations.told_by_family(patient),
        "on_list": False,
    }


def multi_patient_triage(state: State, chance: random.Random) -> Values:
    """Triage three waiting patients, the most urgent first."""
    groups = (("stroke_signs",), ("renal_colic", "hand_laceration"), ("minor_rash", "suture_removal"))
    patients = [_waiting(state, group) for group in groups]
    jobs = [_short_job(state, chance, patient) for patient in patients]
    named = chance.sample(jobs, len(jobs))
    bystander = _neighbour(state, *patients)
    return login(state, chance) | {
        "jobs": jobs,
        "other": _identity(bystander),
        "readings": "; ".join(job["reading"] for job in named),
        "levels": ", then ".join(f"{job['name']} ESI {job['level']} ({job['reason_words']})" for job in jobs),
    }


# Jobs


def _about(state: State, chance: random.Random, patient: dict[str, Any], other: dict[str, Any]) -> Values:
    return login(state, chance) | _job(patient) | {"other": _identity(other)}


def _triage(
    state: State,
    chance: random.Random,
    patient: dict[str, Any],
    other: dict[str, Any],
    oxygen: str = "room_air",
) -> Values:
    dictated = dictate(chance, presentations.facts(patient["presentation"])["vitals"], oxygen)
    return _about(state, chance, patient, other) | _called_out(dictated)


def _short_job(state: State, chance: random.Random, patient: dict[str, Any]) -> Values:
    dictated = dictate(chance, presentations.facts(patient["presentation"])["vitals"])
    few = only(dictated, ("heart_rate", "systolic", "diastolic", "spo2"))
    job = _job(patient) | {"entry": few.entry, "expected": few.expected}
    spoken = dictated.spoken
    reading = (
        f"{job['name']} (MRN {job['mrn']}) heart rate {spoken['heart_rate']}, "
        f"blood pressure {spoken['blood_pressure']}, SpO2 {spoken['spo2']} %"
    )
    return job | {"reading": reading} | _asked(state, chance, patient, may_tell=False)


def _job(patient: dict[str, Any]) -> Values:
    known = presentations.facts(patient["presentation"])
    level = known["esi"][0]
    levels = [*known["esi"], *known.get("esi_tolerated", [])]
    reason = presentations.reasons(patient["presentation"], level)[0]
    return _identity(patient) | {
        "family": patient["family_name"],
        "complaint": patient["complaint"].lower(),
        "level": level,
        "levels": levels,
        "reason": reason,
        "reason_words": presentations.REASONS[reason],
        "reasons": {str(each): presentations.reasons(patient["presentation"], each) for each in levels},
        "place": known["dispositions"][0],
        "place_words": presentations.PLACES[known["dispositions"][0]],
        "places": known["dispositions"],
    }


def _called_out(dictated: Dictation) -> Values:
    return {**dictated.spoken, "entry": dictated.entry, "expected": dictated.expected}


def _asked(state: State, chance: random.Random, patient: dict[str, Any], may_tell: bool) -> Values:
    """Draw what the patient says when asked about allergies: what is on the list, and perhaps one more."""
    listed = [row["substance"] for row in state.rows("allergies", mrn=patient["mrn"], in_error=False)]
    on_list = {"on_list": bool(listed)}
    if may_tell and chance.random() < 0.5:
        new = [entry for entry in presentations.recordable_allergies() if entry[0] not in listed]
        told = dict(zip(("substance", "reaction", "severity"), chance.choice(new), strict=True))
        told |= {"signs": [told["reaction"].casefold()]}
        words = f"reacts to {told['substance'].lower()} ({told['reaction'].lower()}, {told['severity']})"
        return on_list | {"told": told, "allergy": f"{words}, which is not on the list yet"}
    words = "confirms the allergy list as it is" if listed else "has no known allergies"
    return on_list | {"told": None, "allergy": words}


# People


def _patient(state: State, presentation: str) -> dict[str, Any]:
    return state.row("patients", presentation=presentation)


def _waiting(state: State, presentations: tuple[str, ...]) -> dict[str, Any]:
    (patient,) = (
        row for row in state.rows("patients", status="waiting") if row["presentation"] in presentations
    )
    return patient


def _others(state: State, patient: dict[str, Any], **equal: Any) -> list[dict[str, Any]]:
    return [row for row in state.rows("patients", **equal) if row["mrn"] != patient["mrn"]]


def _neighbour(state: State, *patients: dict[str, Any]) -> dict[str, Any]:
    """Return whom the next line of the board shows: the slip of a hand."""
    board = sorted(state.rows("patients"), key=lambda row: row["arrived_at"])
    numbers = [row["mrn"] for row in patients]
    place = next(index for index, row in enumerate(board) if row["mrn"] == numbers[0])
    around = [*board[place + 1 :], *board[:place]]
    return next(row for row in around if row["mrn"] not in numbers)


def _identity(patient: dict[str, Any]) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
    }


def _taken(row: dict[str, Any]) -> tuple[str, int]:
    return row["taken_at"], row["id"]
