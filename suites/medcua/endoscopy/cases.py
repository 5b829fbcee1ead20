"""What each task is about on a given seed: which procedure, and with which values."""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from . import procedures

Values = dict[str, Any]

_METHOD_WORDS = {
    "cold_forceps": "with the cold forceps",
    "cold_snare": "with the cold snare",
    "hot_snare": "with the hot snare",
    "emr_whole": "by EMR in one piece",
    "emr_pieces": "by EMR in pieces",
}

_PLACES = {name: f"{name} colon" for name in ("ascending", "transverse", "descending")}


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the workstation."""
    user = state.row("users", role="endoscopist")
    return {"user_id": user["user_id"], "password": user["password"], "doctor": user["name"]}


def view_schedule(state: State, chance: random.Random) -> Values:
    """Count what is booked in one room, cancelled procedures left out."""
    rows = state.rows("procedures")
    room = chance.randint(1, 4)
    booked = [row for row in rows if row["room"] == room and row["status"] != "cancelled"]
    return login(state, chance) | {
        "room": room,
        "booked": len(booked),
        "in_all_rooms": sum(row["status"] != "cancelled" for row in rows),
        "other": _case(state, _story(state, "preassess")),
    }


def select_case(state: State, chance: random.Random) -> Values:
    """Find the procedure of somebody who has a namesake."""
    case = _story(state, "select")
    family = state.row("patients", mrn=case["mrn"])["family_name"]
    (namesake,) = (row for row in state.rows("patients", family_name=family) if row["mrn"] != case["mrn"])
    return _about(state, chance, case, state.row("procedures", mrn=namesake["mrn"])) | {"family": family}


def view_patient_info(state: State, chance: random.Random) -> Values:
    """Read class and blood thinner of today, not those of years ago."""
    case, truth = _story(state, "info"), _truth(state, _story(state, "info"))
    now = {
        "asa": int(truth["asa"]),
        "medication": truth["medication"],
        "stopped": truth["antithrombotic"] == "stopped",
    }
    then = now | {"asa": int(truth["earlier_asa"]), "medication": truth["earlier_medication"]}
    return _about(state, chance, case, _story(state, "preassess")) | {"now": now, "then": then}


def complete_preassess(state: State, chance: random.Random) -> Values:
    """Assess somebody before sedation."""
    case = _story(state, "preassess")
    return _about(state, chance, case, _story(state, "complete")) | _assessment(state, case)


def mark_landmarks(state: State, chance: random.Random) -> Values:
    """Label the three pictures that show landmarks."""
    case = _story(state, "landmarks")
    truth = _truth(state, case)
    pictures = {name: int(truth[f"image {name}"]) for name in procedures.LANDMARKS}
    rows = state.rows("images", case_no=case["case_no"])
    plain = next(row["number"] for row in rows if row["number"] not in pictures.values())
    labels = [f"picture {number} “{procedures.LANDMARKS[name]}”" for name, number in pictures.items()]
    return _about(state, chance, case, _story(state, "bbps")) | {
        "pictures": pictures,
        "plain": plain,
        "labels": ", ".join(labels),
    }


def score_bbps(state: State, chance: random.Random) -> Values:
    """Score three segments as the log describes them."""
    case = _story(state, "bbps")
    truth = _truth(state, case)
    scores = {name: int(truth[name]) for name in procedures.SCORED}
    words = {
        "score_words": ", ".join(f"“{procedures.SCORED[name]}” {score}" for name, score in scores.items())
    }
    return _about(state, chance, case, _story(state, "finding")) | {"course": scores} | words


def record_finding(state: State, chance: random.Random) -> Values:
    """Record a lesion that was told."""
    paris = chance.choice(list(procedures.wording()["paris"]))
    size = chance.randint(4, 19)
    method = chance.choice(("cold_snare", "hot_snare") if size < 10 else ("hot_snare", "emr_whole"))
    lesion = _lesion(chance, paris, size, method, chance.randint(2, 5))
    return _about(state, chance, _story(state, "finding"), _story(state, "bbps")) | lesion


def complete_procedure(state: State, chance: random.Random) -> Values:
    """Assess, time-out, start, record and end."""
    case = _story(state, "complete")
    size = chance.randint(4, 9)
    lesion = _lesion(chance, chance.choice(("0-Ip", "0-Is", "0-IIa")), size, "cold_snare", 1)
    about = _about(state, chance, case, _story(state, "preassess"))
    return about | _assessment(state, case) | _nurse(state, case) | _course(chance, clean=True) | lesion


def submit_report(state: State, chance: random.Random) -> Values:
    """Put right what contradicts the log, and sign with what follows."""
    case = _story(state, "report")
    truth = _truth(state, case)
    rows = sorted(state.rows("findings", case_no=case["case_no"]), key=lambda row: int(row["_key"]))
    place, field = int(truth["wrong finding"]), truth["wrong field"]
    right: Any = truth["right value"] if field == "segment" else int(truth["right value"])
    words = {
        "size_mm": f"“Size” to {right} mm",
        "jar": f"“Jar” to {right}",
        "segment": f"“Segment” to {str(right).title()}",
    }
    return _about(state, chance, case, _story(state, "multi_1")) | {
        "lesion_no": place,
        "lesion_key": rows[place - 1]["_key"],
        "field": field,
        "right": right,
        "recorded": rows[place - 1][field],
        "fix_words": words[field],
        **_recommendation(truth["recommendation"]),
    }


def full_colonoscopy_workflow(state: State, chance: random.Random) -> Values:
    """Do everything from the assessment to the signature."""
    case = _story(state, "full")
    outcome = chance.choice(("screening", "three_years", "scar", "repeat"))
    size, method = {
        "three_years": (chance.randint(10, 18), "hot_snare"),
        "scar": (chance.randint(20, 28), "emr_pieces"),
    }.get(outcome, (chance.randint(4, 9), "cold_snare"))
    paris = "0-IIa" if outcome == "scar" else chance.choice(("0-Ip", "0-Is", "0-IIa"))
    about = _about(state, chance, case, _similar(state, case))
    course = _course(chance, clean=outcome != "repeat")
    lesion = _lesion(chance, paris, size, method, 1)
    return about | _assessment(state, case) | _nurse(state, case) | course | lesion | _recommendation(outcome)


def multi_case_workflow(state: State, chance: random.Random) -> Values:
    """Finish two reports, one of which lacks the withdrawal time."""
    jobs = []
    for story in ("multi_1", "multi_2"):
        case = _story(state, story)
        truth = _truth(state, case)
        missing = case["withdrawal_min"] is None
        minutes = {"minutes": int(truth["withdrawal_min"])} if missing else {}
        jobs.append(_case(state, case) | minutes | _recommendation(truth["recommendation"]))
    chance.shuffle(jobs)
    (late,) = (job for job in jobs if "minutes" in job)
    return login(state, chance) | {
        "jobs": jobs,
        "names": " and ".join(f"{job['name']} (MRN {job['mrn']})" for job in jobs),
        "late": late["name"],
        "late_minutes": late["minutes"],
        "advice": "; ".join(f"{job['name']}: “{job['recommendation_words']}”" for job in jobs),
        "other": _case(state, _story(state, "report")),
    }


# Parts


def _about(state: State, chance: random.Random, case: Values, other: Values) -> Values:
    return login(state, chance) | _case(state, case) | {"other": _case(state, other)}


def _story(state: State, story: str) -> Values:
    return state.row("procedures", story=story)


def _truth(state: State, case: Values) -> dict[str, str]:
    return {row["subject"]: row["value"] for row in state.rows("truth", case_no=case["case_no"])}


def _case(state: State, case: Values) -> Values:
    patient = state.row("patients", mrn=case["mrn"])
    return {
        "case_no": case["case_no"],
        "mrn": case["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
        "kind": case["kind"],
    }


def _similar(state: State, case: Values) -> Values:
    """Return the scheduled colonoscopy of somebody whose name reads like this one's."""
    family = state.row("patients", mrn=case["mrn"])["family_name"]
    waiting = state.rows("procedures", kind="colonoscopy", status="scheduled", story="")
    alike = procedures.similar_to(family)
    return next(row for row in waiting if state.row("patients", mrn=row["mrn"])["family_name"] in alike)


def _assessment(state: State, case: Values) -> Values:
    truth = _truth(state, case)
    assessment = {
        "asa": int(truth["asa"]),
        "last_fluids": truth["last_fluids"],
        "antithrombotic": truth["antithrombotic"],
        "consent": True,
        "allergies_confirmed": True,
    }
    begun = case["last_fluids"] is not None
    return {
        "assessment": assessment,
        "entry": {name: assessment[name] for name in ("asa", "consent")} if begun else assessment,
        "asa_words": procedures.ASA[assessment["asa"]],
        "fluids": truth["last_fluids"],
        "thinner_words": procedures.ANTITHROMBOTICS[truth["antithrombotic"]],
    }


def _nurse(state: State, case: Values) -> Values:
    nurse = state.row("users", user_id=case["nurse"])
    return {"nurse_name": nurse["name"], "second_id": nurse["user_id"], "second_password": nurse["password"]}


def _course(chance: random.Random, *, clean: bool) -> Values:
    scores = {name: chance.choice((2, 3)) for name in procedures.SCORED}
    if not clean:
        scores[chance.choice(list(scores))] = chance.choice((0, 1))
    minutes = chance.randint(7, 16)
    right, transverse, left = scores.values()
    return {
        "course": scores | {"caecum": "reached", "withdrawal_min": minutes},
        "minutes": minutes,
        "scores": f"right {right}, transverse {transverse}, left {left}",
    }


def _lesion(chance: random.Random, paris: str, size: int, method: str, jar: int) -> Values:
    segment = chance.choice(list(procedures.SEGMENTS))
    lesion = {"segment": segment, "size_mm": size, "paris": paris, "method": method, "jar": jar}
    return {
        "lesion": lesion,
        "segment": _PLACES.get(segment, segment),
        "segment_words": procedures.SEGMENTS[segment],
        "size": size,
        "shape": chance.choice(procedures.wording()["paris"][paris]),
        "paris_words": paris,
        "removed": _METHOD_WORDS[method],
        "method_words": procedures.METHODS[method],
        "jar": jar,
    }


def _recommendation(name: str) -> Values:
    return {"recommendation": name, "recommendation_words": procedures.RECOMMENDATIONS[name]}
