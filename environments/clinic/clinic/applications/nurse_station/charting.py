"""One task: giving a medicine, charting an observation or care, collecting a specimen, or saying why not."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nurse_station import chart, identity
from clinic.applications.nurse_station.choices import CONTAINERS, NOT_DONE, POSITIONS, ROUTES
from clinic.toolkit import second_person
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.toolkit.words import moment
from clinic.visit import NotHere, Visit

SECOND_ROLES = frozenset({"colleague", "ward_nurse", "charge_nurse"})
EARLY = timedelta(minutes=60)
WORST_PAIN = 10
LONGEST_COMMENT = 200
RESULTS = {"medication": "administrations", "observation": "observations", "specimen": "specimens"}
OPEN = ("due", "overdue")
Values = dict[str, Any]


def show(visit: Visit) -> Response:
    """Show the task."""
    return _render(visit, chart.task(visit))


def _render(
    visit: Visit,
    task: sqlite3.Row,
    problems: Problems | None = None,
    warnings: Warnings = None,
    action: str = "done",
) -> Response:
    patient = chart.load(visit, task["mrn"])
    return chart.render(visit, "task", patient, problems, warnings, task=task, action=action)


def _start(visit: Visit, task: sqlite3.Row) -> tuple[sqlite3.Row, Problems]:
    patient = chart.load(visit, task["mrn"])
    problems = chart.may_chart(visit, patient)
    if task["state"] == "held":
        problems.add("", "The order behind this task has not been acknowledged.")
    elif task["state"] not in OPEN:
        problems.add("", "This task is closed already.")
    return patient, problems


def _back(visit: Visit, task: sqlite3.Row, notice: str) -> Response:
    return visit.go(f"/patient/{task['mrn']}", notice)


def done(visit: Visit) -> Response:
    """Chart a task as done, with what its kind asks for."""
    task = chart.task(visit)
    patient, problems = _start(visit, task)
    read: dict[str, Callable[..., tuple[Values, list[str]]]] = {
        "medication": _medication,
        "observation": _observation,
        "specimen": _specimen,
        "care": lambda *_: ({}, []),
    }
    values, odd = read[task["kind"]](visit, task, patient, problems)
    if problems:
        return _render(visit, task, problems)
    if odd and not visit.field("confirmed"):
        return _render(visit, task, warnings=odd)
    chart.finish(visit, task, "done")
    if task["kind"] in RESULTS:
        stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
        rows.insert(visit.db, RESULTS[task["kind"]], mrn=task["mrn"], task=task["id"], **values, **stamp)
    return _back(visit, task, f"{task['title']}: charted.")


def _medication(
    visit: Visit, task: sqlite3.Row, patient: sqlite3.Row, problems: Problems
) -> tuple[Values, list[str]]:
    """Read the five rights; the second signature of a high-alert medicine is checked at once."""
    checked = identity.read(visit, patient, problems)
    dose, route = read_number(visit.field("dose"), whole=False), visit.field("route")
    problems.add_if(not dose, "dose", "Enter the dose that is given, as a number.")
    problems.add_if(route not in ROUTES, "route", "Choose the route.")
    second = None
    if task["high_alert"] and visit.field("second_user"):
        second = second_person.read(visit, SECOND_ROLES, problems)
    odd = [] if checked else [identity.UNCHECKED]
    if task["high_alert"] and second is None:
        odd.append("High-alert medicine: no second nurse has signed.")
    if dose != task["dose"]:
        odd.append(f"The order says {task['dose']:g} {task['unit']}.")
    if route != task["route"]:
        odd.append(f"The order says {ROUTES[task['route']].lower()}.")
    if moment(task["due_at"]) - visit.now > EARLY:
        odd.append(f"This dose is not due before {task['due_at'][11:]}.")
    values = {
        "drug": task["drug"],
        "dose": dose,
        "unit": task["unit"],
        "route": route,
        "identity_checked": checked,
        "second_user": second["user_id"] if second is not None else None,
        "warnings": " ".join(odd),
    }
    return values, odd


def _observation(
    visit: Visit, task: sqlite3.Row, patient: sqlite3.Row, problems: Problems
) -> tuple[Values, list[str]]:
    if task["measure"] == "position":
        problems.add_if(visit.field("position") not in POSITIONS, "position", "Choose the position.")
        return {"position": visit.field("position")}, []
    pain = read_number(visit.field("pain"), whole=True)
    if pain is None or pain > WORST_PAIN:
        problems.add("pain", f"Enter a whole number from 0 to {WORST_PAIN}.")
    return {"pain": pain}, []


def _specimen(
    visit: Visit, task: sqlite3.Row, patient: sqlite3.Row, problems: Problems
) -> tuple[Values, list[str]]:
    checked = identity.read(visit, patient, problems)
    labelled = bool(visit.field("labelled"))
    problems.add_if(visit.field("container") not in CONTAINERS, "container", "Choose the container.")
    odd = [] if checked else [identity.UNCHECKED]
    if not labelled:
        odd.append("The container was not labelled at the bedside.")
    values = {
        "test": task["title"],
        "container": visit.field("container"),
        "labelled": labelled,
        "identity_checked": checked,
    }
    return values, odd


def not_done(visit: Visit) -> Response:
    """Chart that a task was not done, and why."""
    task = chart.task(visit)
    _, problems = _start(visit, task)
    reason, comment = visit.field("reason"), visit.field("comment")
    problems.add_if(reason not in NOT_DONE, "reason", "Choose the reason.")
    problems.add_if(len(comment) > LONGEST_COMMENT, "comment", f"At most {LONGEST_COMMENT} characters.")
    if problems:
        return _render(visit, task, problems)
    chart.finish(visit, task, "not_done", reason=reason, comment=comment)
    return _back(visit, task, f"{task['title']}: charted as not done.")


def undo(visit: Visit) -> Response:
    """Take a task's charting back; what was stored stays, marked as entered in error."""
    task = chart.task(visit)
    problems = chart.may_chart(visit, chart.load(visit, task["mrn"]))
    if problems:
        return _render(visit, task, problems)
    if task["status"] == "due":
        raise NotHere
    if task["kind"] in RESULTS:
        entry = {"task": task["id"], "in_error": False}
        rows.update(visit.db, RESULTS[task["kind"]], entry, in_error=True)
    open_again = {"status": "due", "reason": None, "comment": "", "by": None, "at": None}
    rows.update(visit.db, "tasks", {"id": task["id"]}, **open_again)
    return _back(visit, task, f"{task['title']}: taken back, due again.")
