"""What each task is about on a given seed: whose pump, which channel, and which settings.

A *job* is what is to be done at one channel: whose it is, what is in the bag (`entry`), and the dose and volume
that are meant.
"""

from __future__ import annotations

import random
import re
import tomllib
from functools import cache
from typing import Any

from pytest_cuabench.evidence import State
from pytest_cuabench.library import FIXTURES

from . import dosing

Values = dict[str, Any]
Row = dict[str, Any]

_TITRATION = re.compile(r"steps of ([\d.]+) .* MAP (\d+)–(\d+)")


@cache
def told() -> dict[str, Any]:
    """Return what the fixtures know of the patients' stories."""
    file = FIXTURES / "clinic" / "infusion_pump" / "stories.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the station."""
    return _nurse(state) | {"other": _namesake(state, "limits")}


def _nurse(state: State) -> Values:
    nurse = state.row("users", role="bedside_nurse")
    return {"user_id": nurse["user_id"], "password": nurse["password"], "nurse": nurse["name"]}


def view_dashboard(state: State, chance: random.Random) -> Values:
    """Count the patients who get something at the moment."""
    patients = state.rows("patients")
    active = {row["mrn"] for row in state.rows("channels", status="infusing")}
    programmed = {row["mrn"] for row in state.rows("channels") if row["rate"] is not None}
    return _nurse(state) | {
        "active": len(active),
        "programmed": len(programmed),
        "pumps": len(patients),
        "other": _namesake(state, "limits"),
    }


def check_drug_library(state: State, chance: random.Random) -> Values:
    """Find the maxima of one entry among others of the same drug."""
    entries = state.rows("library")
    pairs = [
        (row, other)
        for row in entries
        for other in entries
        if row["drug"] == other["drug"]
        and all(row[name] != other[name] for name in ("soft_high", "hard_high"))
    ]
    entry, other = chance.choice(pairs)
    return (
        _nurse(state)
        | _entry(entry)
        | {
            "area": _AREAS[entry["care_area"]],
            "soft_high": entry["soft_high"],
            "hard_high": entry["hard_high"],
            "hard_low": entry["hard_low"],
            "other_entry": {"soft_high": other["soft_high"], "hard_high": other["hard_high"]},
            "other": _namesake(state, "limits"),
        }
    )


_AREAS = {"adult_icu": "Adult ICU", "adult_ward": "Adult ward", "picu": "Paediatric ICU"}


def view_active_infusions(state: State, chance: random.Random) -> Values:
    """Tell what infuses, beside something on hold."""
    patient = _patient(state, "active")
    channels = state.rows("channels", mrn=patient["mrn"])
    running, held = ([row for row in channels if row["status"] == status] for status in ("infusing", "hold"))
    library = {row["id"]: row for row in state.rows("library")}
    return (
        _nurse(state)
        | _identity(patient)
        | {
            "letter": running[0]["letter"],
            "running": [{"drug": library[row["entry"]]["drug"], "rate": row["rate"]} for row in running],
            "held": [{"drug": library[row["entry"]]["drug"], "rate": row["rate"]} for row in held],
            "other": _identity(_patient(state, "look_alike")),
        }
    )


def program_infusion(state: State, chance: random.Random) -> Values:
    """Program and start what is ordered, on a free channel."""
    patient = _patient(state, "new_drug")
    order = state.row("orders", mrn=patient["mrn"], status="new")
    job = _new_job(state, chance, patient, order)
    free = [row["letter"] for row in state.rows("channels", mrn=patient["mrn"], status="off")]
    other = _patient(state, "protocol")
    return (
        _nurse(state)
        | job
        | {
            "spare": next(letter for letter in free if letter != job["letter"]),
            "other": _identity(other) | {"letter": _free(state, chance, other)},
        }
    )


def titrate_vasopressor(state: State, chance: random.Random) -> Values:
    """Take one step up or down, as the pressure asks for."""
    patient = _patient(state, "pressor")
    order = next(row for row in state.rows("orders", mrn=patient["mrn"]) if "Titrate" in row["note"])
    job = _running_job(state, patient, order["drug"])
    found = _TITRATION.search(order["note"])
    assert found is not None
    step, low, high = float(found[1]), int(found[2]), int(found[3])
    up = chance.random() < 0.5
    pressure = low - chance.randint(4, 10) if up else high + chance.randint(5, 12)
    dose = round(job["dose"] + (step if up else -step), 4)
    wrong_way = round(job["dose"] - (step if up else -step), 4)
    return (
        _nurse(state)
        | job
        | {
            "pressure": pressure,
            "was": job["dose"],
            "dose": dose,
            "dose_words": f"{dose:g} {job['unit']}",
            "wrong_way": wrong_way,
            "beside": _beside(state, job),
            "other": _namesake(state, "limits"),
        }
    )


def pause_infusion(state: State, chance: random.Random) -> Values:
    """Put one of two drugs on hold whose names are alike."""
    patient = _patient(state, "look_alike")
    running = _drugs(state, patient)
    pair = next(pair for pair in told()["look_alike"]["pairs"] if set(pair) <= set(running))
    drug, twin = chance.sample(pair, 2)
    return (
        _nurse(state)
        | _running_job(state, patient, drug)
        | {
            "errand": chance.choice(told()["look_alike"]["errands"]),
            "twin": twin,
            "twin_letter": running[twin]["letter"],
            "other": _namesake(state, "active"),
        }
    )


def check_dose_limits(state: State, chance: random.Random) -> Values:
    """Tell which limit a rate is beyond."""
    patient = _patient(state, "limits")
    drug = next(
        drug
        for drug, row in _drugs(state, patient).items()
        if drug in ("NORepinephrine", "DOPamine", "propofol", "esmolol", "phenylephrine")
    )
    job = _running_job(state, patient, drug)
    entry = state.row("library", id=job["entry"])
    limit = chance.choice(("soft_low", "soft_high", "hard_high"))
    inner, outer = {
        "soft_low": ("soft_low", entry["hard_low"]),
        "soft_high": ("soft_high", entry["hard_high"]),
        "hard_high": ("hard_high", entry["hard_high"] * 1.5),
    }[limit]
    share = chance.choice((0.3, 0.4, 0.5, 0.6))
    dose = entry[inner] + share * (outer - entry[inner])
    rate = round(dose * dosing.millilitres(entry, patient["weight_kg"]), 1)
    nearby = {"soft_low": "hard_low", "soft_high": "hard_high", "hard_high": "soft_high"}[limit]
    return (
        _nurse(state)
        | job
        | {
            "asked_rate": f"{rate:g}",
            "limit": dosing.LIMIT_NAMES[limit],
            "limit_value": entry[limit],
            "nearby": dosing.LIMIT_NAMES[nearby],
            "nearby_value": entry[nearby],
            "other": _namesake(state, "pressor"),
        }
    )


def hard_limit_safety(state: State, chance: random.Random) -> Values:
    """Query a dose that the library refuses, and give the one that was meant."""
    patient = _patient(state, "tenfold")
    order = next(row for row in state.rows("orders", mrn=patient["mrn"]) if row["meant_dose"])
    job = _running_job(state, patient, order["drug"])
    entry = state.row("library", id=job["entry"])
    return (
        _nurse(state)
        | job
        | {
            "order": order["id"],
            "running_order": state.row("orders", mrn=patient["mrn"], drug=order["drug"], status="running")[
                "id"
            ],
            "was": job["dose"],
            "ordered": order["dose"],
            "ordered_words": f"{order['dose']:g} {job['unit']}",
            "dose": order["meant_dose"],
            "problem": "above_hard_maximum",
            "problem_words": "Dose above hard maximum",
            "limit": entry["hard_high"],
            "soft_limit": entry["soft_high"],
            "ordered_rate": f"{round(order['dose'] * job['factor'], 1):g}",
            "other": _namesake(state, "limits"),
        }
    )


def manage_alarms(state: State, chance: random.Random) -> Values:
    """Deal with three alarms, the most urgent first, as the colleagues at the bedside say."""
    jobs = [_alarm_job(state, chance, level) for level in ("high", "medium", "low")]
    told_in = chance.sample(jobs, len(jobs))
    return _nurse(state) | {
        "jobs": jobs,
        "findings": "; ".join(f"bed {job['bed']}, {job['name']}: {job['finding']}" for job in told_in),
        "order_words": ", then ".join(f"bed {job['bed']}" for job in jobs),
        "other": _namesake(state, "look_alike"),
    }


def multi_pump_management(state: State, chance: random.Random) -> Values:
    """Carry out three new orders at three pumps: a dose, a hold, a bag."""
    changed, held, bagged = (_patient(state, story) for story in ("round_dose", "active", "round_bag"))
    orders = [_new_order(state, patient) for patient in (changed, held, bagged)]
    dose = _running_job(state, changed, orders[0]["drug"])
    dose |= {"was": dose["dose"], "dose": orders[0]["dose"], "reason": "confirmed"}
    hold = _running_job(state, held, orders[1]["drug"])
    bag = _running_job(state, bagged, orders[2]["drug"]) | {"vtbi": orders[2]["vtbi_ml"]}
    jobs = {"change": dose, "hold": hold, "bag": bag}
    named = chance.sample(list(jobs.values()), len(jobs))
    steps = {
        "change": f"{dose['name']} (bed {dose['bed']}, channel {dose['letter']}): “Titrate” {dose['drug']} to "
        f"{dose['dose']:g} {dose['unit']}, with the reason “Confirmed with prescriber”",
        "hold": f"{hold['name']} (bed {hold['bed']}, channel {hold['letter']}): HOLD for {hold['drug']}",
        "bag": f"{bag['name']} (bed {bag['bed']}, channel {bag['letter']}): “Change VTBI” to {bag['vtbi']:g} mL",
    }
    return (
        _nurse(state)
        | jobs
        | {
            "names": ", ".join(f"{job['name']} (MRN {job['mrn']})" for job in named),
            "steps": "; ".join(chance.sample(list(steps.values()), len(steps))),
            "other": _namesake(state, "look_alike"),
        }
    )


def full_workflow(state: State, chance: random.Random) -> Values:
    """Start a high-alert drug with a second nurse, and titrate it once after its protocol."""
    patient = _patient(state, "protocol")
    order = _new_order(state, patient)
    job = _new_job(state, chance, patient, order)
    facts = next(facts for facts in told()["protocol"] if facts["drug"] == order["drug"])
    above = chance.random() < 0.5
    raised = above == facts["raises"]
    value = chance.randint(*facts["above" if above else "below"])
    target = job["dose"] + (facts["step"] if raised else -facts["step"])
    second = chance.choice(state.rows("users", role="staff_nurse"))
    return (
        _nurse(state)
        | job
        | {
            "value": f"{facts['measured']} is {value} {facts['unit']}",
            "target": target,
            "target_words": f"{target:g} {job['unit']}",
            "wrong_way": job["dose"] - (target - job["dose"]),
            "second": second["name"],
            "second_id": second["user_id"],
            "second_password": second["password"],
            "other": _namesake(state, "look_alike"),
        }
    )


# Jobs


def _new_job(state: State, chance: random.Random, patient: Row, order: Row) -> Values:
    entries = state.rows("library", drug=order["drug"], care_area="adult_icu")
    entry = next(row for row in entries if dosing.bag(row) == order["concentration"])
    ward = state.row("library", drug=order["drug"], care_area="adult_ward")
    return (
        _identity(patient)
        | _entry(entry)
        | {
            "letter": _free(state, chance, patient),
            "order": order["id"],
            "dose": order["dose"],
            "dose_words": f"{order['dose']:g} {entry['dosing_unit']}",
            "vtbi": order["vtbi_ml"],
            "vtbi_words": f"{order['vtbi_ml']:g}",
            "weight": patient["weight_kg"] if "/kg" in entry["dosing_unit"] else None,
            "rate": f"{round(order['dose'] * dosing.millilitres(entry, patient['weight_kg']), 1):g}",
            "ward_entry": _entry(ward) | {"area": "adult_ward"},
        }
    )


def _running_job(state: State, patient: Row, drug: str) -> Values:
    row = _drugs(state, patient)[drug]
    entry = state.row("library", id=row["entry"])
    return (
        _identity(patient)
        | _entry(entry)
        | {
            "letter": row["letter"],
            "dose": row["dose"],
            "vtbi": row["vtbi_ml"],
            "weight": row["weight_kg"],
            "factor": dosing.millilitres(entry, row["weight_kg"]),
        }
    )


def _alarm_job(state: State, chance: random.Random, level: str) -> Values:
    patient = _patient(state, f"alarm_{level}")
    (alarm,) = state.rows("alarms", mrn=patient["mrn"])
    job = _identity(patient) | {"letter": alarm["letter"], "kind": alarm["kind"], "alarm": str(alarm["id"])}
    job |= {"level": level}
    if alarm["kind"] == "complete":
        volume = chance.choice((250, 400, 500, 800, 1000))
        return job | {
            "cause": "new_volume",
            "vtbi": volume,
            "finding": f"a new bag with {volume} mL hangs on channel {alarm['letter']}, to go on at the same rate",
        }
    causes = told()["findings"][alarm["kind"]]
    cause = chance.choice(list(causes))
    wrong = next(other for other in causes if other != cause)
    return job | {"finding": causes[cause], "cause": cause, "wrong_cause": wrong}


def _entry(entry: Row) -> Values:
    return {
        "entry": entry["id"],
        "drug": entry["drug"],
        "bag": dosing.bag(entry),
        "unit": entry["dosing_unit"],
    }


# Places


def _patient(state: State, story: str) -> Row:
    return state.row("patients", story=story)


def _drugs(state: State, patient: Row) -> dict[str, Row]:
    """Return the channels of a patient on which something infuses, by drug."""
    library = {row["id"]: row["drug"] for row in state.rows("library")}
    return {
        library[row["entry"]]: row for row in state.rows("channels", mrn=patient["mrn"], status="infusing")
    }


def _new_order(state: State, patient: Row) -> Row:
    return state.row("orders", mrn=patient["mrn"], status="new")


def _free(state: State, chance: random.Random, patient: Row) -> str:
    letter: str = chance.choice(state.rows("channels", mrn=patient["mrn"], status="off"))["letter"]
    return letter


def _identity(patient: Row) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "bed": patient["bed"],
    }


def _beside(state: State, job: Values) -> str:
    """Return another running channel of the same pump."""
    running = state.rows("channels", mrn=job["mrn"], status="infusing")
    return next(row["letter"] for row in running if row["letter"] != job["letter"])


def _namesake(state: State, story: str) -> Values:
    """Return a running channel of somebody else, and a dose that it takes without a question."""
    patient = _patient(state, story)
    library = {row["id"]: row for row in state.rows("library")}
    row = next(
        row
        for row in state.rows("channels", mrn=patient["mrn"], status="infusing")
        if not library[row["entry"]]["double_check"]
    )
    return _identity(patient) | {"letter": row["letter"], "dose": float(f"{row['dose'] * 1.1:.3g}")}
