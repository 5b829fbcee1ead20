"""What each task is about on a given seed: whose plan, and what directive and protocol ask of it."""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

Values = dict[str, Any]
Row = dict[str, Any]

MODELS = {"head_neck": "Head and neck", "thorax": "Thorax", "pelvis": "Male pelvis"}
NORMS = {"d95": "95 % of PTV", "mean": "PTV mean", "iso80": "80 % isodose"}


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the planning station."""
    return _planner(state) | {"other": _identity(_patient(state, "prescribe"))}


def _planner(state: State) -> Values:
    user = state.row("users", role="planner")
    return {"user_id": user["user_id"], "password": user["password"], "planner": user["name"]}


def view_patients(state: State, chance: random.Random) -> Values:
    """Count who is in planning."""
    statuses = [row["status"] for row in state.rows("patients")]
    return login(state, chance) | {
        "planning": statuses.count("planning"),
        "with_contouring": statuses.count("planning") + statuses.count("contouring"),
        "all_patients": len(statuses),
    }


def open_patient(state: State, chance: random.Random) -> Values:
    """Find somebody who has a namesake."""
    return _about(state, "open", "prescribe")


def view_structures(state: State, chance: random.Random) -> Values:
    """Count the structures without a contour."""
    values = _about(state, "structures", "contour")
    rows = state.rows("structures", mrn=values["mrn"])
    missing = [row["name"] for row in rows if not row["contoured"]]
    contoured = [row["name"] for row in rows if row["contoured"] and row["kind"] == "organ"]
    return values | {"absent": len(missing), "total": len(rows), "organ": contoured[0]}


def auto_contour(state: State, chance: random.Random) -> Values:
    """Contour what is missing, and no more."""
    values = _about(state, "contour", "structures")
    rows = state.rows("structures", mrn=values["mrn"])
    missing = [row["name"] for row in rows if not row["contoured"]]
    there = [row["name"] for row in rows if row["contoured"] and row["kind"] == "organ"]
    other = values["other"]
    lacking = [row["name"] for row in state.rows("structures", mrn=other["mrn"]) if not row["contoured"]]
    site = state.row("patients", mrn=other["mrn"])["site"]
    return values | {
        "model": MODELS[values["site"]],
        "names": missing,
        "names_words": ", ".join(missing),
        "organ": there[0],
        "other": other | {"model": MODELS[site], "names": lacking},
    }


def set_prescription(state: State, chance: random.Random) -> Values:
    """Prescribe what the directive in force says."""
    return _about(state, "prescribe", "open")


def configure_beams(state: State, chance: random.Random) -> Values:
    """Arrange the beams of the directive."""
    return _about(state, "beams", "open")


def optimize_plan(state: State, chance: random.Random) -> Values:
    """Optimise until all goals are met."""
    values = _about(state, "optimise", "open")
    rows = state.rows("priorities", mrn=values["mrn"], plan="A")
    left_out = sorted(row["structure"] for row in rows if row["priority"] == "off")
    return values | {"raised": left_out, "raised_words": ", ".join(left_out)}


def evaluate_dvh(state: State, chance: random.Random) -> Values:
    """Tell which structures miss a goal."""
    values = _about(state, "evaluate", "approve")
    results = {row["goal"]: row["value"] for row in state.rows("results", mrn=values["mrn"], plan="A")}
    goals = state.rows("goals", mrn=values["mrn"])
    missed = dict.fromkeys(goal["structure"] for goal in goals if not is_met(goal, results[goal["id"]]))
    kept = [goal["structure"] for goal in goals if goal["structure"] not in missed]
    return values | {"missed": list(missed), "kept": kept[-1]}


def is_met(goal: Row, value: float) -> bool:
    """Whether a figure meets a goal."""
    return bool(value >= goal["limit_value"] if goal["sense"] == "min" else value <= goal["limit_value"])


def approve_plan(state: State, chance: random.Random) -> Values:
    """Approve the one of two plans that meets all goals, with a second person."""
    values = _about(state, "approve", "evaluate")
    goals = state.rows("goals", mrn=values["mrn"])
    passing = [
        plan
        for plan in ("A", "B")
        if all(
            is_met(goal, state.row("results", mrn=values["mrn"], plan=plan, goal=goal["id"])["value"])
            for goal in goals
        )
    ]
    (plan,) = passing
    return values | _second(state, chance) | {"plan": plan, "other_plan": "B" if plan == "A" else "A"}


def srs_plan(state: State, chance: random.Random) -> Values:
    """Plan radiosurgery with the dose that the diameter asks for."""
    values = _about(state, "srs", "open")
    wrong = {24.0: 18.0, 18.0: 24.0, 15.0: 18.0}[values["dose"]]
    return values | {"wrong_dose": wrong}


def full_workflow(state: State, chance: random.Random) -> Values:
    """Plan, compute, approve and export."""
    return _about(state, "full", "open") | _second(state, chance)


def _second(state: State, chance: random.Random) -> Values:
    second, stranger = chance.sample(state.rows("users", role="physicist"), 2)
    return {
        "second": second["name"],
        "second_id": second["user_id"],
        "second_password": second["password"],
        "stranger": {"second_id": stranger["user_id"], "second_password": stranger["password"]},
    }


def _about(state: State, story: str, other: str) -> Values:
    patient = _patient(state, story)
    directives = state.rows("directives", mrn=patient["mrn"])
    (current,) = (row for row in directives if row["status"] == "current")
    old = next((row for row in directives if row["status"] == "superseded"), None)
    return (
        _planner(state)
        | _identity(patient)
        | _directive(current)
        | {
            "plan": "A",
            "diagnosis": patient["diagnosis"],
            "site": patient["site"],
            "superseded": _directive(old) if old else None,
            "other": _identity(_patient(state, other)) | {"plan": "A"},
        }
    )


def _directive(row: Row) -> Values:
    fields, gantry = row["fields"], row["gantry"]
    return {
        "dose": row["dose_gy"],
        "dose_words": f"{row['dose_gy']:g}",
        "fractions": row["fractions"],
        "norm": row["norm"],
        "norm_words": NORMS[row["norm"]],
        "fields": fields,
        "gantry": gantry,
        "gantries": [round((gantry + i * 360 / fields) % 360, 1) for i in range(fields)],
        "collimator": row["collimator"],
        "energy": row["energy"],
        "technique": row["technique"],
    }


def _patient(state: State, story: str) -> Row:
    return state.row("patients", story=story)


def _identity(patient: Row) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
    }
