"""What each task is about on a given seed: which exam, and with which values."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

from pytest_cuabench.evidence import State

from . import exams

Values = dict[str, Any]

# What is wanted of a mode, by kind of exam: in plain words, and as it is stored.
_MODES = {
    "leg_vein": ("see in colour, laid over the sectional picture, which way the blood flows", "colour"),
    "carotid": ("see the speed of the blood as a spectrum over time, taken at one spot of the vessel", "pw"),
    "pregnancy": (
        "document the heart action of the embryo the way that the protocol of the exam advises",
        "m",
    ),
}
_CLOSE_MODES = {"leg_vein": "pw", "carotid": "colour", "pregnancy": "pw"}


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the machine."""
    user = state.row("users", role="sonologist")
    return {"user_id": user["user_id"], "password": user["password"], "doctor": user["name"]}


def view_worklist(state: State, chance: random.Random) -> Values:
    """Count what is still scheduled."""
    statuses = [row["status"] for row in state.rows("exams")]
    waiting = statuses.count("scheduled")
    bystander = _story(state, "open")
    return login(state, chance) | {
        "scheduled": waiting,
        "not_reported": len(statuses) - statuses.count("reported") - statuses.count("cancelled"),
        "other": _exam(state, bystander),
    }


def open_exam(state: State, chance: random.Random) -> Values:
    """Find the exam of somebody who has a namesake on the list."""
    exam = _story(state, "open")
    family = state.row("patients", mrn=exam["mrn"])["family_name"]
    namesakes = [row for row in state.rows("patients", family_name=family) if row["mrn"] != exam["mrn"]]
    (namesake,) = (state.row("exams", mrn=row["mrn"]) for row in namesakes)
    return _about(state, chance, exam, namesake) | {"family": family}


def select_probe(state: State, chance: random.Random) -> Values:
    """Take the probe that a running exam needs."""
    exam = _story(state, "probe")
    right = exams.protocols()[exam["protocol"]]["probe"]
    close = {"linear": "endocavity", "convex": "phased", "phased": "linear", "endocavity": "linear"}[right]
    probes = {"probe": right, "probe_words": exams.PROBES[right], "close_probe": close}
    return _about(state, chance, exam, _story(state, "mode")) | probes


def switch_mode(state: State, chance: random.Random) -> Values:
    """Switch to the mode that shows what is wanted; the picture is frozen."""
    exam = _story(state, "mode")
    wanted, mode = _MODES[exam["protocol"]]
    modes = {"wanted": wanted, "mode": mode, "close_mode": _CLOSE_MODES[exam["protocol"]]}
    words = {"mode_words": exams.MODES[mode], "embryo": exam["protocol"] == "pregnancy"}
    return _about(state, chance, exam, _story(state, "probe")) | modes | words


def adjust_params(state: State, chance: random.Random) -> Values:
    """Set what was dictated; some say the depth in millimetres."""
    exam = _story(state, "parameters")
    depth, focus = chance.choice((3.5, 4.0, 6.0, 6.5, 7.0)), chance.choice((1.0, 2.8, 3.0))
    expected = {
        "depth_cm": depth,
        "focus_cm": focus,
        "gain": chance.choice((58, 60, 62, 64, 66)),
        "frequency_mhz": chance.choice((7.5, 8.0, 9.0, 11.0, 12.0)),
    }
    in_mm = chance.random() < 0.5
    spoken = {
        "depth": f"{depth * 10:g} mm" if in_mm else f"{depth:g} cm",
        "focus": f"{focus * 10:g} mm" if in_mm else f"{focus:g} cm",
        "gain": expected["gain"],
        "frequency": f"{expected['frequency_mhz']:g}",
    }
    return _about(state, chance, exam, _story(state, "capture")) | spoken | {"expected": expected}


def capture_image(state: State, chance: random.Random) -> Values:
    """Store two views of one side."""
    exam = _story(state, "capture")
    side, other_side = chance.sample(("right", "left"), 2)
    organ = {"renal": "kidney", "thyroid": "thyroid lobe", "testis": "testis"}[exam["protocol"]]
    planes = chance.sample(list(exams.PLANES), 2)
    words = {"side": side, "other_side": other_side, "side_words": side.title(), "organ": organ}
    views = {"planes": planes, "first": planes[0].title(), "second": planes[1].title()}
    return _about(state, chance, exam, _story(state, "parameters")) | words | views


def write_report(state: State, chance: random.Random) -> Values:
    """Write the draft of a kidney exam from its worksheet."""
    exam = _story(state, "report")
    return _about(state, chance, exam, _story(state, "urgent")) | _report(state, exam)


def tirads_classification(state: State, chance: random.Random) -> Values:
    """Classify the nodule of one lobe; the other lobe has one, too."""
    exam = _story(state, "tirads")
    number = chance.choice((1, 2))
    nodule = state.row("nodules", accession=exam["accession"], number=number)
    names = (*exams.FEATURES, "level", "advice")
    right, close = (_nodule(state, exam, each, names) for each in (number, 3 - number))
    words = [exams.FEATURES[name][right[name]] for name in exams.FEATURES]
    return _about(state, chance, exam, _story(state, "report")) | {
        "number": number,
        "nodule": nodule["_key"],
        "lobe": nodule["side"],
        "right": right,
        "close": close,
        "features": ", ".join(f"“{word}”" for word in words),
        "level": right["level"],
        "advice_words": exams.ADVICE[right["advice"]],
    }


def flag_urgent(state: State, chance: random.Random) -> Values:
    """Document who was told of a critical result, and sign."""
    exam = _story(state, "urgent")
    truth = _truth(state, exam)
    clinicians = [row for row in state.rows("users", role="clinician") if row["user_id"] != exam["referrer"]]
    told = datetime.fromisoformat(state.clock or "") - timedelta(minutes=chance.randint(3, 9))
    method = chance.choice(("phone", "in_person"))
    other = chance.choice(clinicians)
    person = state.row("users", user_id=exam["referrer"])
    return _about(state, chance, exam, _story(state, "report")) | {
        "category": truth["call"],
        "category_words": exams.CATEGORIES[truth["call"]],
        "person": person["user_id"],
        "person_words": f"{person['name']}, {person['credentials']}",
        "person_name": person["name"],
        "other_person": {
            "person": other["user_id"],
            "person_words": f"{other['name']}, {other['credentials']}",
        },
        "method": method,
        "method_words": exams.METHODS[method],
        "method_spoken": {"phone": "on the phone", "in_person": "face to face"}[method],
        "told_at": told.isoformat(timespec="minutes"),
        "time": f"{told:%H:%M}",
    }


def multi_exam_batch(state: State, chance: random.Random) -> Values:
    """Sign three drafts, one of which contradicts its worksheet."""
    jobs = []
    for exam in sorted(state.rows("exams", story="batch"), key=lambda row: str(row["accession"])):
        report = _report(state, exam)
        drafted = {
            row["field"]: row["value"] for row in state.rows("report_values", accession=exam["accession"])
        }
        fixes = {key: value for key, value in report["values"].items() if drafted[key] != value}
        jobs.append(_exam(state, exam) | report | {"drafted": drafted, "fixes": fixes})
    chance.shuffle(jobs)
    (faulty,) = (job for job in jobs if job["fixes"])
    fixes = [
        f"“{exams.field_of(faulty['protocol'], key)['label']}” to “{exams.shown(faulty['protocol'], key, value)}”"
        for key, value in faulty["fixes"].items()
    ]
    names = "; ".join(f"{job['name']} (MRN {job['mrn']}, {job['exam']})" for job in jobs)
    return login(state, chance) | {
        "jobs": jobs,
        "faulty": faulty["accession"],
        "names": names,
        "fix": f"{faulty['name']}: {' and '.join(fixes)}",
        "other": _exam(state, _story(state, "urgent")),
    }


def full_workflow(state: State, chance: random.Random) -> Values:
    """Do a whole exam of the aorta: identity, probe, picture, width, report, signature."""
    exam = _story(state, "workflow")
    family = state.row("patients", mrn=exam["mrn"])["family_name"]
    waiting = state.rows("exams", protocol="aorta", status="scheduled")
    (other,) = (row for row in waiting if row["accession"] != exam["accession"])
    return _about(state, chance, exam, other) | _report(state, exam) | {"family": family}


# Parts


def _about(state: State, chance: random.Random, exam: Values, other: Values) -> Values:
    return login(state, chance) | _exam(state, exam) | {"other": _exam(state, other)}


def _story(state: State, story: str) -> Values:
    return state.row("exams", story=story)


def _exam(state: State, exam: Values) -> Values:
    patient = state.row("patients", mrn=exam["mrn"])
    return {
        "accession": exam["accession"],
        "mrn": exam["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
        "protocol": exam["protocol"],
        "exam": exams.protocols()[exam["protocol"]]["title"].lower(),
    }


def _truth(state: State, exam: Values) -> dict[str, str]:
    return {row["subject"]: row["value"] for row in state.rows("truth", accession=exam["accession"])}


def _report(state: State, exam: Values) -> Values:
    truth, protocol = _truth(state, exam), exam["protocol"]
    keys = [field["key"] for field in exams.protocols()[protocol]["fields"]]
    values = {key: truth[key] for key in keys}
    words = [
        f"{exams.field_of(protocol, key)['label']} {exams.shown(protocol, key, values[key])}" for key in keys
    ]
    return {"values": values, "value_words": "; ".join(words), "impression": truth.get("impression", "")}


def _nodule(state: State, exam: Values, number: int, names: tuple[str, ...]) -> dict[str, str]:
    truth = _truth(state, exam)
    return {name: truth[f"nodule {number} {name}"] for name in names}
