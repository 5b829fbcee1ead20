"""What each task is about on a given seed: who, what they need, and which beds meet it.

A *job* is what is to be done for one patient: who it is, what a bed has to offer (`level`, `precautions`), which
beds are right (`beds`), the one that the reference takes (`bed`), and what the record must say.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from . import hospital
from .hospital import DESTINATIONS, SOURCES, day

Values = dict[str, Any]
Row = dict[str, Any]


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the bed desk."""
    manager = state.row("users", role="bed_manager")
    return {"user_id": manager["user_id"], "password": manager["password"], "manager": manager["name"]}


def view_bed_map(state: State, chance: random.Random) -> Values:
    """Count the beds of one ward that can be given."""
    ward = chance.choice([row for row in state.rows("wards") if row["specialty"] != "critical_care"])
    beds = hospital.beds(state, ward["code"])
    counts = {kind: sum(bed["state"] == kind for bed in beds) for kind in hospital.STATES}
    return login(state, chance) | {
        "ward": ward["code"],
        "ward_name": ward["name"].lower(),
        "available": counts["available"],
        "not_occupied": len(beds) - counts["occupied"],
        "other": _identity(_case(state, "going_home")),
    }


def check_occupancy(state: State, chance: random.Random) -> Values:
    """Tell how full one ward is now."""
    ward = chance.choice([row for row in state.rows("wards") if row["specialty"] != "critical_care"])
    beds = hospital.beds(state, ward["code"])
    occupied = sum(bed["state"] == "occupied" for bed in beds)
    open_beds = sum(bed["state"] != "blocked" for bed in beds)
    midnight = max(state.rows("census", ward=ward["code"]), key=lambda row: row["day"])
    cleaning = next(bed["label"] for bed in beds if bed["state"] == "cleaning")
    return login(state, chance) | {
        "ward": ward["code"],
        "ward_name": ward["name"].lower(),
        "percent": hospital.percent(occupied, open_beds),
        "midnight": hospital.percent(midnight["occupied"], midnight["open_beds"]),
        "cleaning": cleaning,
    }


def admit_patient(state: State, chance: random.Random) -> Values:
    """Admit one of two people of the same name to the surgical ward."""
    patient = _case(state, "direct_ward")
    facts = chance.choice(hospital.facts("direct_ward")["variants"])
    return login(state, chance) | _direct(state, chance, patient, facts, "surgery")


def transfer_patient(state: State, chance: random.Random) -> Values:
    """Move somebody who gets worse to intensive care; a neighbour's name is similar."""
    job = _to_icu(state, "deteriorating")
    return login(state, chance) | job | {"other": _inpatient(state, "lookalike") | _to_do(job)}


def process_discharge(state: State, chance: random.Random) -> Values:
    """Discharge somebody whose plan is complete; a namesake on the ward stays."""
    job = _leaving(state, "going_home")
    others = [each for each in DESTINATIONS if each != job["destination"]]
    return (
        login(state, chance)
        | job
        | {
            "other": _inpatient(state, "staying"),
            "other_destination": chance.choice(others),
        }
    )


def assign_from_queue(state: State, chance: random.Random) -> Values:
    """Give a bed to somebody who needs a room of their own."""
    patient = _case(state, "queue_contact")
    job = _placement(state, patient)
    ward = hospital.ward_of(state, "medicine")
    bays = hospital.empty(state, ward, kind="bay")
    return (
        login(state, chance)
        | job
        | {
            "bay_bed": next(bed["label"] for bed in bays if bed["sex"] == patient["sex"]),
            "reserved_bed": next(
                bed["label"] for bed in hospital.beds(state, ward) if bed["state"] == "reserved"
            ),
            "other": _placement(state, _case(state, "conflict_plain")),
        }
    )


def full_admission_workflow(state: State, chance: random.Random) -> Values:
    """Admit somebody who is ventilated and infectious, and show the result on the map."""
    patient = _case(state, "direct_icu")
    facts = chance.choice(hospital.facts("direct_icu")["variants"])
    values = _direct(state, chance, patient, facts, "critical_care")
    plain = hospital.empty(state, "ICU", kind="single")[0]["label"]
    ward = hospital.empty(state, hospital.ward_of(state, "medicine"), kind="single")[0]["label"]
    return (
        login(state, chance)
        | values
        | {
            "picture": facts["picture"],
            "plain_icu_bed": plain,
            "ward_bed": ward,
            "other": _identity(_case(state, "bystander")),
        }
    )


def handle_bed_conflict(state: State, chance: random.Random) -> Values:
    """Settle that one room was promised to two."""
    isolated, plain = _case(state, "conflict_airborne"), _case(state, "conflict_plain")
    ward = hospital.ward_of(state, "medicine")
    (room,) = (bed for bed in hospital.beds(state, ward) if bed["kind"] == "negative")
    first = _placement(state, isolated) | {"beds": [room["label"]], "bed": room["label"]}
    jobs = [first, _placement(state, plain)]
    named = chance.sample(jobs, 2)
    opposite = [bed["label"] for bed in hospital.empty(state, ward, kind="bay") if bed["sex"] != plain["sex"]]
    single = hospital.empty(state, ward, kind="single")[0]["label"]
    return login(state, chance) | {
        "jobs": jobs,
        "room": room["label"],
        "ward": ward,
        "first_name": named[0]["name"],
        "second_name": named[1]["name"],
        "isolated": jobs[0]["name"],
        "plain": jobs[1]["name"],
        "plain_bed": jobs[1]["bed"],
        "opposite_bed": opposite[0],
        "single": single,
        "cleaning": _cleaning(state, ward),
        "other": _placement(state, _case(state, "queue_contact")),
    }


def multi_operation(state: State, chance: random.Random) -> Values:
    """Discharge one patient, transfer a second, and give a bed to a third."""
    leaving, moving = _leaving(state, "multi_leaving"), _to_icu(state, "multi_transfer")
    placing = _placement(state, _case(state, "queue_monitored"))
    other = hospital.opposite(state, placing["bed"])
    return login(state, chance) | {
        "leaving": leaving,
        "moving": moving,
        "placing": placing,
        "leaving_words": f"{leaving['name']} (MRN {leaving['mrn']}, bed {leaving['from_bed']})",
        "moving_words": f"{moving['name']} (MRN {moving['mrn']}, bed {moving['from_bed']})",
        "placing_words": f"{placing['name']} (MRN {placing['mrn']})",
        "moving_bed": moving["bed"],
        "placing_bed": placing["bed"],
        "destination_words": leaving["destination_words"],
        "opposite_bed": other,
        "other": _inpatient(state, "going_home"),
    }


def swap_beds(state: State, chance: random.Random) -> Values:
    """Let the one who needs the negative-pressure room change places with the one in it."""
    isolated, recovered = _inpatient(state, "swap_isolated"), _inpatient(state, "swap_recovered")
    jobs = [
        isolated | {"beds": [recovered["from_bed"]], "bed": recovered["from_bed"]},
        recovered | {"beds": [isolated["from_bed"]], "bed": isolated["from_bed"]},
    ]
    return login(state, chance) | {
        "jobs": jobs,
        "isolated": isolated["name"],
        "isolated_mrn": isolated["mrn"],
        "bay_bed": isolated["from_bed"],
        "recovered": recovered["name"],
        "room": recovered["from_bed"],
        "ward": hospital.bed(state, recovered["from_bed"])["ward"],
        "reason": "precautions",
        "other": _inpatient(state, "going_home"),
    }


def emergency_bed_allocation(state: State, chance: random.Random) -> Values:
    """Place three emergencies by acuity, each where the need is met."""
    names = ("emergency_icu", "emergency_monitored", "emergency_ward")
    jobs = [_placement(state, _case(state, name)) for name in names]
    named = chance.sample(jobs, 3)
    return login(state, chance) | {
        "jobs": jobs,
        "names": ", ".join(f"{job['name']} (MRN {job['mrn']})" for job in named),
        "order": ", then ".join(f"{job['name']} in bed {job['bed']}" for job in jobs),
        "other": _placement(state, _case(state, "conflict_plain")),
    }


# Jobs


def _placement(state: State, patient: Row) -> Values:
    """What somebody on the worklist needs, and which available beds meet it."""
    facts = hospital.facts(patient["case_name"])
    fitting = hospital.fitting(state, facts["specialty"], patient["sex"], facts["precautions"])
    return (
        _identity(patient)
        | _needs(facts)
        | {
            "diagnosis": patient["diagnosis"],
            "beds": fitting,
            "bed": fitting[0] if fitting else "",
        }
    )


def _needs(facts: Row) -> Values:
    return {"level": facts["level"], "precautions": facts["precautions"]}


def _inpatient(state: State, name: str) -> Values:
    patient = _case(state, name)
    bed = state.row("beds", mrn=patient["mrn"])
    return _identity(patient) | {
        "level": patient["level"],
        "precautions": patient["precautions"],
        "from_bed": bed["label"],
        "ward": hospital.bed(state, bed["label"])["ward"],
        "diagnosis": patient["diagnosis"],
        "destination": patient["plan_destination"],
        "destination_words": DESTINATIONS[patient["plan_destination"]],
    }


def _to_icu(state: State, name: str) -> Values:
    beds = [bed["label"] for bed in hospital.empty(state, "ICU", kind="single")]
    rooms = [bed["label"] for bed in hospital.empty(state, "ICU", kind="negative")]
    patient = _inpatient(state, name)
    on_ward = next(
        bed["label"] for bed in hospital.empty(state, hospital.ward_of(state, "medicine"), kind="single")
    )
    return patient | {
        "beds": beds,
        "bed": beds[0],
        "kept_room": rooms[0],
        "ward_bed": on_ward,
        "reason": "deterioration",
        "ticks": list(hospital.ORDER_SET),
    }


def _to_do(job: Values) -> Values:
    return {name: job[name] for name in ("bed", "reason", "ticks")}


def _leaving(state: State, name: str) -> Values:
    return _inpatient(state, name) | {"ticks": list(hospital.CHECKLIST)}


def _direct(state: State, chance: random.Random, patient: Row, facts: Row, specialty: str) -> Values:
    needs = hospital.facts(patient["case_name"])
    consultants = chance.sample(state.rows("users", role="consultant"), 2)
    source = chance.choice(("clinic", "gp", "home")) if specialty == "surgery" else "hospital"
    fitting = hospital.fitting(state, specialty, patient["sex"], needs["precautions"])
    entry = {
        "diagnosis": facts["diagnosis"],
        "consultant": consultants[0]["user_id"],
        "source": source,
        "level": needs["level"],
        "precautions": needs["precautions"],
        "stay_days": chance.randint(3, 9),
    }
    namesakes = [row for row in state.rows("patients", status="registered") if row["mrn"] != patient["mrn"]]
    same = [row for row in namesakes if row["family_name"] == patient["family_name"]]
    return (
        _identity(patient)
        | entry
        | {
            "entry": entry,
            "consultant_words": f"Dr {consultants[0]['name']}",
            "other_consultant": consultants[1]["user_id"],
            "consultants": {row["user_id"]: f"Dr {row['name']}" for row in consultants},
            "source_words": SOURCES[source],
            "ward": hospital.ward_of(state, specialty),
            "beds": fitting,
            "bed": fitting[0],
            "opposite_bed": _opposite(state, specialty, patient["sex"]),
            "other": _identity((same or namesakes)[0]),
        }
    )


def _opposite(state: State, specialty: str, sex: str) -> str:
    """Return an available bed in a bay for the other sex, or none."""
    beds = hospital.empty(state, hospital.ward_of(state, specialty), kind="bay")
    return next((bed["label"] for bed in beds if bed["sex"] != sex), "")


def _cleaning(state: State, ward: str) -> str:
    return next(bed["label"] for bed in hospital.beds(state, ward) if bed["state"] == "cleaning")


def _case(state: State, name: str) -> Row:
    return state.rows("patients", case_name=name)[0]


def _identity(patient: Row) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "family": patient["family_name"],
        "sex": patient["sex"],
        "born": day(patient["birth_date"]),
    }
