"""What each task is about on a given seed: whose care, which tasks and orders, and what is told of them.

A *job* is one task of the shift: whose it is (`mrn`), its number (`task`), and what must be charted.
"""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from . import ward

Values = dict[str, Any]
Row = dict[str, Any]

# Why something was not done: the reason to be charted, whose task it is about, and how a colleague tells it.
_STORIES = (
    ("refused", "Paracetamol", "does not want it, even after an explanation"),
    ("away", "Walk with the frame", "is in radiology and will not be back before the evening"),
    ("fasting", "Metformin", "must not eat or drink before a gastroscopy this afternoon"),
    ("supply", "Vancomycin", "cannot get it, because the pharmacy has none left today"),
)


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the nurse's station."""
    nurse = state.row("users", role="ward_nurse")
    return {"user_id": nurse["user_id"], "password": nurse["password"], "nurse": nurse["name"]}


def view_care_compass(state: State, chance: random.Random) -> Values:
    """Count the own patients with something overdue."""
    values = login(state, chance)
    patients = state.rows("patients")
    late = {row["mrn"]: len(ward.overdue(state, row["mrn"])) for row in patients}
    mine = [row["mrn"] for row in patients if row["nurse"] == values["user_id"]]
    return values | {
        "patients": sum(late[mrn] > 0 for mrn in mine),
        "tasks": sum(late[mrn] for mrn in mine),
        "on_ward": sum(count > 0 for count in late.values()),
        "other": _care(state, "late"),
    }


def establish_relationship(state: State, chance: random.Random) -> Values:
    """Begin the relationships that are missing with the own patients."""
    values = login(state, chance)
    held = {row["mrn"] for row in state.rows("relationships", user=values["user_id"])}
    patients = state.rows("patients")
    missing = [row for row in patients if row["nurse"] == values["user_id"] and row["mrn"] not in held]
    jobs = [_identity(row) for row in sorted(missing, key=lambda row: row["room"])]
    stranger = next(row for row in patients if row["nurse"] != values["user_id"])
    return values | {
        "jobs": jobs,
        "names": " and ".join(f"{job['name']} (room {job['room']})" for job in jobs),
        "role": "primary",
        "other": _identity(stranger),
    }


def review_new_orders(state: State, chance: random.Random) -> Values:
    """Acknowledge every new order of one patient."""
    patient = _case(state, "reviewing")
    orders = _orders(state, patient)
    urgent = _case(state, "urgent")
    routine = next(order for order in _orders(state, urgent) if order["priority"] == "routine")
    return (
        login(state, chance)
        | _identity(patient)
        | {
            "orders": orders,
            "texts": "; ".join(order["text"] for order in orders),
            "other": _identity(urgent) | {"order": routine},
        }
    )


def complete_task(state: State, chance: random.Random) -> Values:
    """Give a high-alert medicine; it is due again in the evening, in another dose."""
    now, later = _medicines(state, "giving", high_alert=True)
    other = next(job for job in _medicines(state, "absent") if job["drug"] == "Paracetamol")
    return login(state, chance) | _second(state, chance) | now | {"later": later, "other": other}


def chart_not_done(state: State, chance: random.Random) -> Values:
    """Chart that something was not done, for the reason that is told."""
    reason, begins, words = chance.choice(_STORIES)
    patient = _case(state, "absent")
    tasks = sorted(_due(state, patient), key=lambda row: (row["due_at"], row["id"]))
    named = next(row for row in tasks if row["title"].startswith(begins))
    neighbour = next(row for row in tasks if row["mrn"] == patient["mrn"] and row["_key"] != named["_key"])
    others = [each for each in ward.NOT_DONE if each != reason]
    return (
        login(state, chance)
        | _job(state, named)
        | {
            "reason": reason,
            "story": words,
            "other_reason": chance.choice(others),
            "neighbour": _job(state, neighbour),
            "other": _care(state, "sampling"),
        }
    )


def specimen_collection(state: State, chance: random.Random) -> Values:
    """Collect one of two specimens, in the container that the laboratory wants."""
    patient = _case(state, "sampling")
    first, second = chance.sample([row for row in _due(state, patient) if row["kind"] == "specimen"], 2)
    wanted = ward.container(first["title"])
    return (
        login(state, chance)
        | _specimen(state, first)
        | {
            "wrong_container": chance.choice([each for each in ward.CONTAINERS if each != wanted]),
            "second": _specimen(state, second),
            "other": _care(state, "late"),
        }
    )


def view_patient_snapshot(state: State, chance: random.Random) -> Values:
    """Tell allergies, code status and isolation of one of two people of one surname."""
    patient = _case(state, "known")
    listed = state.rows("allergies", mrn=patient["mrn"])
    namesake = _case(state, "namesake")
    return (
        login(state, chance)
        | _identity(patient)
        | {
            "substances": [row["substance"] for row in listed if not row["in_error"]],
            "all_substances": [row["substance"] for row in listed],
            "code": ward.CODES[patient["code_status"]],
            "isolation": ward.ISOLATION[patient["isolation"]],
            "wrong_code": chance.choice(
                [word for key, word in ward.CODES.items() if key != patient["code_status"]]
            ),
            "other": _identity(namesake),
            "touched": _care(state, "known"),
        }
    )


def handle_stat_order(state: State, chance: random.Random) -> Values:
    """Find the urgent order, acknowledge it, and carry it out with a second nurse."""
    patient = _case(state, "urgent")
    stat, routine = sorted(_orders(state, patient), key=lambda order: order["priority"], reverse=True)
    task = state.row("tasks", order_id=stat["id"])
    return (
        login(state, chance)
        | _second(state, chance)
        | _job(state, task)
        | {
            "orders": [stat],
            "routine": routine,
            "other": _care(state, "reviewing"),
        }
    )


def manage_overdue_tasks(state: State, chance: random.Random) -> Values:
    """Settle the three things that are overdue for one patient."""
    patient = _case(state, "late")
    late = ward.overdue(state, patient["mrn"])
    pain, position = (next(row for row in late if row["measure"] == name) for name in ("pain", "position"))
    medicine = next(row for row in late if row["kind"] == "medication")
    score, side = chance.randint(1, 9), chance.choice(list(ward.POSITIONS))
    reason = chance.choice(("refused", "held"))
    stories = {
        "refused": "the patient refuses it today",
        "held": "the doctor on the phone says to leave it out",
    }
    return (
        login(state, chance)
        | _identity(patient)
        | {
            "pain": _job(state, pain) | {"expected": {"pain": score}},
            "position": _job(state, position) | {"expected": {"position": side}},
            "medicine": _job(state, medicine) | {"reason": reason},
            "score": score,
            "side": ward.POSITIONS[side].lower(),
            "title": medicine["title"],
            "story": stories[reason],
            "reason_words": ward.NOT_DONE[reason],
            "side_words": ward.POSITIONS[side],
            "other_side": next(each for each in ward.POSITIONS if each != side),
            "other": _care(state, "sampling"),
        }
    )


def batch_order_review(state: State, chance: random.Random) -> Values:
    """Review all new orders; the one that contradicts an allergy goes back."""
    known = _case(state, "known")
    (conflict,) = _orders(state, known)
    fine = [order for case in ("reviewing", "urgent") for order in _orders(state, _case(state, case))]
    return login(state, chance) | {
        "orders": fine,
        "conflict": conflict,
        "conflict_words": f"{conflict['text']} (room {conflict['room']})",
        "mrns": sorted({order["mrn"] for order in fine} | {known["mrn"]}),
        "other": _care(state, "late"),
    }


def full_shift_workflow(state: State, chance: random.Random) -> Values:
    """Take over a new patient: relationship, urgent order, first tasks, specimen."""
    values = establish_relationship(state, chance)
    patient = _case(state, "admission")
    (stat,) = _orders(state, patient)
    tasks = {row["title"]: row for row in state.rows("tasks", mrn=patient["mrn"], status="due")}
    score, side = chance.randint(1, 9), chance.choice(list(ward.POSITIONS))
    return (
        values
        | _identity(patient)
        | {
            "jobs": sorted(values["jobs"], key=lambda job: job["mrn"] != patient["mrn"]),
            "orders": [stat],
            "pain": _job(state, tasks["Pain reassessment"]) | {"expected": {"pain": score}},
            "position": _job(state, tasks["Reposition"]) | {"expected": {"position": side}},
            "care": _job(state, tasks["Show the call bell"]),
            "specimen": _specimen(state, tasks["Lactate"]),
            "score": score,
            "side": ward.POSITIONS[side].lower(),
            "side_words": ward.POSITIONS[side],
            "container_words": ward.CONTAINERS[ward.container("Lactate")],
        }
    )


# Jobs


def _case(state: State, name: str) -> Row:
    return state.row("patients", case_name=name)


def _identity(patient: Row) -> Values:
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "link": f"{patient['family_name']}, {patient['given_name']}",
        "room": patient["room"],
        "born": ward.day(patient["birth_date"]),
    }


def _job(state: State, task: Row) -> Values:
    names = ("title", "kind", "drug", "dose", "unit", "route", "high_alert")
    about = {name: task[name] for name in names}
    named = {
        "task": int(task["id"]),
        "due": task["due_at"][11:],
        "route_words": ward.ROUTES.get(task["route"] or ""),
    }
    told = {
        "expected": {"dose": task["dose"], "route": task["route"]},
        "dose_words": f"{task['dose'] or 0:g}",
    }
    return _identity(state.row("patients", mrn=task["mrn"])) | about | named | told


def _due(state: State, patient: Row) -> list[Row]:
    return state.rows("tasks", mrn=patient["mrn"], status="due")


def _medicines(state: State, case: str, **equal: Any) -> list[Values]:
    rows = state.rows("tasks", mrn=_case(state, case)["mrn"], status="due", kind="medication", **equal)
    return [_job(state, row) for row in sorted(rows, key=lambda row: row["due_at"])]


def _care(state: State, case: str) -> Values:
    """Return a piece of care that somebody has still to come: what a slip may chart."""
    rows = state.rows("tasks", mrn=_case(state, case)["mrn"], status="due", kind="care")
    return _job(state, max(rows, key=lambda row: row["due_at"]))


def _specimen(state: State, task: Row) -> Values:
    container = ward.container(task["title"])
    return _job(state, task) | {
        "container": container,
        "container_words": ward.CONTAINERS[container],
        "labelled": True,
        "test": task["title"].lower().replace("crp", "CRP"),
    }


def _orders(state: State, patient: Row) -> list[Values]:
    rows = state.rows("orders", mrn=patient["mrn"], status="new")
    names = ("id", "mrn", "text", "priority")
    return [{name: row[name] for name in names} | {"room": patient["room"]} for row in rows]


def _second(state: State, chance: random.Random) -> Values:
    colleague = chance.choice(state.rows("users", role="colleague"))
    return {
        "second_name": colleague["name"],
        "second_user": colleague["user_id"],
        "second_password": colleague["password"],
    }
