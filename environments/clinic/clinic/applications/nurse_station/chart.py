"""What the pages share: patients with their tasks, who may chart, how to answer."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit, required

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, room, diagnosis, code_status, isolation, fall_risk,
           admitted_at, nurse, calling_since, users.name AS nurse_name,
           EXISTS (SELECT 1 FROM relationships AS held WHERE held.mrn = patients.mrn AND held.user = :user) AS mine,
           (SELECT COUNT(*) FROM orders WHERE orders.mrn = patients.mrn AND orders.status = 'new') AS new_orders,
           (SELECT COUNT(*) FROM orders WHERE orders.mrn = patients.mrn AND orders.status = 'new'
            AND priority = 'stat') AS stat_orders
    FROM patients JOIN users ON users.user_id = nurse
"""
TASKS = """
    SELECT tasks.*, orders.priority, patients.room, users.name AS by_name,
           CASE WHEN tasks.status != 'due' THEN tasks.status
                WHEN COALESCE(orders.status, 'acknowledged') != 'acknowledged' THEN 'held'
                WHEN due_at < :now THEN 'overdue' ELSE 'due' END AS state
    FROM tasks JOIN patients ON patients.mrn = tasks.mrn
    LEFT JOIN orders ON orders.id = order_id LEFT JOIN users ON users.user_id = tasks.by
    ORDER BY due_at, tasks.id
"""


def patients(visit: Visit) -> list[sqlite3.Row]:
    """Return all patients of the ward by room."""
    return visit.db.execute(f"{PATIENT} ORDER BY room", {"user": visit.user_id}).fetchall()


def load(visit: Visit, mrn: str | None = None) -> sqlite3.Row:
    """Return one patient: the one of the address, unless a number is given."""
    wanted = mrn or visit.params["mrn"]
    query = f"{PATIENT} WHERE mrn = :mrn"
    return visit.one(query, {"user": visit.user_id, "mrn": wanted})


def tasks(visit: Visit) -> list[sqlite3.Row]:
    """Return all tasks of the shift with the state they are in now."""
    return visit.db.execute(TASKS, {"now": clock.text(visit.now)}).fetchall()


def task(visit: Visit) -> sqlite3.Row:
    """Return the task of the address."""
    return required(next((row for row in tasks(visit) if str(row["id"]) == visit.params["id"]), None))


def allergies(visit: Visit, mrn: str) -> list[sqlite3.Row]:
    """Return the allergy list of a patient, struck entries included."""
    return visit.db.execute("SELECT * FROM allergies WHERE mrn = ? ORDER BY id", (mrn,)).fetchall()


def may_chart(visit: Visit, patient: sqlite3.Row) -> Problems:
    """Begin a list of refusals with that of a missing relationship."""
    text = "You have no care relationship with this patient. Establish one under Assignments first."
    return Problems({} if patient["mine"] else {"": text})


def render(
    visit: Visit,
    tab: str,
    patient: sqlite3.Row,
    problems: Problems | None = None,
    warnings: Warnings = None,
    **context: Any,
) -> Response:
    """Answer with a page about a patient: as it is, with refusals (422), or asking to confirm."""
    workstation.show(visit, tab, patient["mrn"])
    return visit.render(
        f"{tab}.html",
        **said(visit, problems, warnings),
        patient=patient,
        tab=tab,
        allergies=[row for row in allergies(visit, patient["mrn"]) if not row["in_error"]],
        **context,
    )


def finish(visit: Visit, found: sqlite3.Row, status: str, **values: Any) -> None:
    """Close a task."""
    stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
    rows.update(visit.db, "tasks", {"id": found["id"]}, status=status, **stamp, **values)
