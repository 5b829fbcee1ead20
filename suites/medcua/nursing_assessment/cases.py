"""What each task is about on a given seed: who, and with which values.

A *job* is what is to be done for one patient: who it is, and by form the points that the findings mean
(`points`), the fields that are not scored (`details`), and whether the last values are carried forward, so that
only what differs is entered (`enter`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pytest_cuabench.evidence import State

from . import forms

Values = dict[str, Any]
Patient = dict[str, Any]

_COMA = (
    (4, 4, 6),
    (3, 4, 6),
    (3, 4, 5),
    (4, 0, 6),
    (3, 0, 5),
    (2, 2, 4),
    (3, 3, 5),
    (2, 2, 5),
    (3, 0, 6),
    (2, 2, 3),
)
_REACTIONS = ("Brisk", "Sluggish", "Absent")


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the tablet."""
    nurse = state.row("users", role="bedside_nurse")
    return {"user_id": nurse["user_id"], "password": nurse["password"], "nurse": nurse["name"]}


def view_assessment_dashboard(state: State, chance: random.Random) -> Values:
    """Name the overdue assessments of the ward."""
    now = datetime.fromisoformat(state.clock or "")
    late, soon = [], []
    for entry in state.rows("schedules"):
        last = _latest(state, entry["tool"], entry["mrn"])
        at = datetime.fromisoformat(last["at"]) + timedelta(hours=entry["every_hours"])
        bed = state.row("patients", mrn=entry["mrn"])["bed"]
        if at < now + timedelta(hours=2):
            (late if at < now else soon).append({"bed": bed, "form": forms.short(entry["tool"])})
    first = _identity(min(state.rows("patients"), key=lambda row: row["bed"]))
    return login(state, chance) | {
        "overdue": sorted(late, key=lambda each: each["bed"]),
        "soon": sorted(soon, key=lambda each: each["bed"]),
        "other": first,
    }


def read_braden_score(state: State, chance: random.Random) -> Values:
    """Read the last Braden that counts, among a struck one and a draft."""
    patient = _patient(state, "braden_read")
    rows = state.rows("braden", mrn=patient["mrn"])
    kinds = {
        "latest": _latest(state, "braden", patient["mrn"]),
        "struck": next(row for row in rows if row["in_error"]),
        "draft": next(row for row in rows if row["status"] == "draft"),
    }
    return _about(state, chance, patient, _patient(state, "braden_new")) | {
        kind: {"total": row["total"], "band": forms.band_label("braden", row["band"])}
        for kind, row in kinds.items()
    }


def complete_braden(state: State, chance: random.Random) -> Values:
    """Turn a colleague's skin round into a Braden score."""
    patient = _patient(state, "braden_new")
    job = {"braden": _told(state, patient, "braden", carry=False)}
    before = _points("braden", _latest(state, "braden", patient["mrn"]))
    return _assessing(state, chance, patient, _patient(state, "braden_read"), job) | {"before": before}


def complete_morse(state: State, chance: random.Random) -> Values:
    """Turn the mobility round and the facts of the chart into a Morse score."""
    patient = _patient(state, "morse_new")
    job = {"morse": _told(state, patient, "morse", carry=False)}
    return _assessing(state, chance, patient, _neighbour(state, patient), job)


def assess_gcs(state: State, chance: random.Random) -> Values:
    """Score consciousness and pupils from what was seen."""
    patient = _patient(state, "gcs_new")
    eye, verbal, motor = chance.choice(_COMA)
    points = {"eye": eye, "verbal": verbal, "motor": motor}
    right, left = chance.sample(("2", "3", "4", "5"), 2)
    quick, slow = chance.sample(_REACTIONS, 2)
    seen = {"right_size": right, "right_reaction": quick, "left_size": left, "left_reaction": slow}
    said = {key: chance.choice(forms.finding("gcs", key, value)) for key, value in points.items()}
    job = {"gcs": _form("gcs", points, seen)}
    pupils = f"right {right} mm with {_light(quick)}, left {left} mm with {_light(slow)}"
    return _assessing(state, chance, patient, _patient(state, "planned"), job) | said | {"pupils": pupils}


def assess_pain(state: State, chance: random.Random) -> Values:
    """Chart what a patient says about the pain."""
    patient = _patient(state, "pain_new")
    rest = chance.randint(0, 6)
    points = {"rest": rest, "movement": chance.randint(rest + 2, 10)}
    where = chance.choice(
        [each for each in forms.options("pain", "location") if each.startswith(("Right", "Left"))]
    )
    kind = chance.choice(forms.options("pain", "quality"))
    job = {"pain": _form("pain", points, {"location": where, "quality": kind})}
    words = {"rest": rest, "movement": points["movement"], "where": where.lower(), "kind": kind.lower()}
    return _assessing(state, chance, patient, _patient(state, "planned"), job) | words


def nutrition_screen(state: State, chance: random.Random) -> Values:
    """Work out the malnutrition risk from height, weights and a note."""
    patient = _patient(state, "must_new")
    job = {"must": _told(state, patient, "must", carry=False)}
    return _assessing(state, chance, patient, _neighbour(state, patient), job)


def high_risk_intervention(state: State, chance: random.Random) -> Values:
    """Find who is at high risk without measures, and start those of the protocol."""
    patient = _patient(state, "unplanned")
    values = _about(state, chance, patient, _patient(state, "planned"))
    return values | _measures(state, patient, _latest(state, "braden", patient["mrn"])["band"])


def post_fall_reassessment(state: State, chance: random.Random) -> Values:
    """Score both risks anew after a fall, and report the totals."""
    patient = _patient(state, "fallen")
    job = {form: _told(state, patient, form, reason="post_fall") for form in ("braden", "morse")}
    before = {form: _latest(state, form, patient["mrn"])["total"] for form in job}
    return _assessing(state, chance, patient, _neighbour(state, patient), job) | {
        "totals": {form: told["total"] for form, told in job.items()},
        "totals_before": before,
    }


def multi_assessment(state: State, chance: random.Random) -> Values:
    """Assess two patients, each with two forms."""
    jobs = []
    for name, wanted in (("multi_skin", ("braden", "pain")), ("multi_fall", ("morse", "pain"))):
        patient = _patient(state, name)
        told = {form: _told(state, patient, form) for form in wanted}
        jobs.append(_identity(patient) | {"forms": told, "scores": _spoken(told)})
    other = _neighbour(state, _patient(state, "multi_skin"), _patient(state, "multi_fall"))
    first, second = jobs
    words = {
        f"{key}_{place}": job[key]
        for place, job in enumerate(jobs, 1)
        for key in ("name", "mrn", "bed", "scores")
    }
    return login(state, chance) | {"jobs": [first, second], "other": _identity(other)} | words


def reassessment_bundle(state: State, chance: random.Random) -> Values:
    """Assess somebody who got worse with three forms, and raise the measures to the new class."""
    patient = _patient(state, "bundle")
    job = {form: _told(state, patient, form) for form in ("braden", "morse", "pain")}
    values = _assessing(state, chance, patient, _neighbour(state, patient), job)
    return values | _measures(state, patient, job["braden"]["band"])


# Jobs


def _about(state: State, chance: random.Random, patient: Patient, other: Patient) -> Values:
    return login(state, chance) | _identity(patient) | {"other": _identity(other)}


def _assessing(
    state: State, chance: random.Random, patient: Patient, other: Patient, job: Mapping[str, Values]
) -> Values:
    return _about(state, chance, patient, other) | {"forms": dict(job), "scores": _spoken(job)}


def _told(
    state: State, patient: Patient, form: str, *, carry: bool = True, reason: str | None = None
) -> Values:
    """Return what the notes of the chart mean for a form."""
    points = json.loads(patient["story"])["now"][form]
    points = {key: points[key] for key in forms.labels(form)}
    last = _latest(state, form, patient["mrn"])
    held = {key: last[key] for key in forms.details(form)} if carry else {}
    told = _form(form, points, held)
    if carry:
        before = _points(form, last)
        enter = {key: value for key, value in points.items() if value != before[key]}
        told |= {"carry": True, "enter": enter, "enter_details": {}}
    return told | {"reason": reason}


def _form(form: str, points: Mapping[str, int], details: Mapping[str, str]) -> Values:
    result = forms.total(form, points)
    return {
        "points": dict(points),
        "details": dict(details),
        "enter": dict(points),
        "enter_details": dict(details),
        "carry": False,
        "reason": None,
        "total": result,
        "band": forms.band(form, result),
    }


def _spoken(job: Mapping[str, Values]) -> str:
    """Return the choices of a job as a step-by-step goal words them."""
    return "; ".join(
        f"on “{forms.short(form)}”: {', '.join(_choices(form, told))}" for form, told in job.items()
    )


def _choices(form: str, told: Values) -> list[str]:
    scored = [f"“{forms.tile(form, key, value)}”" for key, value in told["points"].items()]
    shown = forms.details(form)
    return scored + [f"{shown[key]} “{value}”" for key, value in told["details"].items()]


def _measures(state: State, patient: Patient, band: str) -> Values:
    wanted = forms.protocol("skin", band)
    rows = state.rows("interventions", mrn=patient["mrn"], domain="skin", stopped_at=None)
    running = {row["measure"] for row in rows}
    missing = [key for key in wanted if key not in running]
    return {
        "wanted": wanted,
        "start": missing,
        "class_words": forms.band_label("braden", band),
        "measures": "; ".join(f"“{forms.measure('skin', key)}”" for key in missing),
    }


def _light(reaction: str) -> str:
    return "no reaction to light" if reaction == "Absent" else f"a {reaction.lower()} reaction to light"


def _latest(state: State, form: str, mrn: str) -> dict[str, Any]:
    rows = state.rows(form, mrn=mrn, in_error=False, status="signed")
    return max(rows, key=lambda row: (row["at"], row["id"]))


def _points(form: str, row: Mapping[str, Any]) -> dict[str, int]:
    return {key: row[key] for key in forms.labels(form)}


# People


def _patient(state: State, name: str) -> Patient:
    (found,) = (row for row in state.rows("patients") if json.loads(row["story"])["name"] == name)
    return found


def _neighbour(state: State, *patients: Patient) -> Patient:
    """Return who lies in the next bed: the slip of a finger."""
    beds = sorted(state.rows("patients"), key=lambda row: row["bed"])
    numbers = [row["mrn"] for row in patients]
    place = next(index for index, row in enumerate(beds) if row["mrn"] == numbers[0])
    return next(row for row in [*beds[place + 1 :], *beds] if row["mrn"] not in numbers)


def _identity(patient: Patient) -> Values:
    return {
        "mrn": patient["mrn"],
        "bed": patient["bed"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
    }
