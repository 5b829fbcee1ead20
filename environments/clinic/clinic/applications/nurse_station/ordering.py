"""New orders: acknowledging them, one or several, or asking the prescriber first."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nurse_station import chart
from clinic.applications.nurse_station.choices import QUERIES
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import said
from clinic.visit import Visit, required

LONGEST_NOTE = 300
NEW = """
    SELECT orders.*, room, family_name, given_name, users.name AS physician FROM orders
    JOIN patients ON patients.mrn = orders.mrn JOIN users ON users.user_id = ordered_by
    WHERE orders.status = 'new'
    AND EXISTS (SELECT 1 FROM relationships WHERE relationships.mrn = orders.mrn AND user = ?)
    ORDER BY room, orders.id
"""
OF_PATIENT = """
    SELECT orders.*, users.name AS physician FROM orders JOIN users ON users.user_id = ordered_by
    WHERE mrn = ? ORDER BY orders.id DESC
"""


def show(visit: Visit) -> Response:
    """Show the new orders of everybody the user cares for."""
    return _inbox(visit)


def _inbox(visit: Visit, problems: Problems | None = None) -> Response:
    workstation.show(visit, "orders")
    listed = visit.db.execute(NEW, (visit.user_id,)).fetchall()
    allergies = {row["mrn"]: chart.allergies(visit, row["mrn"]) for row in listed}
    return visit.render(
        "orders.html",
        **said(visit, problems),
        orders=listed,
        allergies=allergies,
    )


def acknowledge(visit: Visit) -> Response:
    """Acknowledge the orders that were ticked."""
    listed = visit.db.execute(NEW, (visit.user_id,)).fetchall()
    chosen = [row for row in listed if visit.field(f"order_{row['id']}")]
    if not chosen:
        return _inbox(visit, Problems({"": "Tick at least one order."}))
    for row in chosen:
        stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
        rows.update(visit.db, "orders", {"id": row["id"]}, status="acknowledged", **stamp)
    return visit.go("/orders", f"Orders acknowledged: {len(chosen)}.")


def of_patient(visit: Visit) -> Response:
    """Show all orders of one patient."""
    patient = chart.load(visit)
    listed = visit.db.execute(OF_PATIENT, (patient["mrn"],)).fetchall()
    return chart.render(visit, "patient_orders", patient, orders=listed)


def _order(visit: Visit) -> sqlite3.Row:
    listed: list[sqlite3.Row] = visit.db.execute(NEW, (visit.user_id,)).fetchall()
    return required(next((row for row in listed if str(row["id"]) == visit.params["id"]), None))


def ask(visit: Visit) -> Response:
    """Show the form of a query."""
    order = _order(visit)
    return chart.render(visit, "query", chart.load(visit, order["mrn"]), order=order)


def query(visit: Visit) -> Response:
    """Send an order back to the prescriber with a question; until the answer nothing of it is done."""
    order = _order(visit)
    reason, note = visit.field("reason"), visit.field("note")
    problems = Problems()
    problems.add_if(reason not in QUERIES, "reason", "Choose what is to be asked.")
    problems.add_if(len(note) > LONGEST_NOTE, "note", f"At most {LONGEST_NOTE} characters.")
    if problems:
        return chart.render(visit, "query", chart.load(visit, order["mrn"]), problems, order=order)
    stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
    values = {"status": "queried", "query_reason": reason, "query_note": note, **stamp}
    rows.update(visit.db, "orders", {"id": order["id"]}, **values)
    return visit.go("/orders", f"Order of room {order['room']} sent back to Dr {order['physician']}.")
