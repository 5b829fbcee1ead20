"""Infusion orders of the unit or of one patient, and queries to the prescriber."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.infusion_pump import rack
from clinic.applications.infusion_pump.choices import QUERY_PROBLEMS
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import said
from clinic.toolkit.words import number
from clinic.visit import NotHere, Visit

ORDERS = """
    SELECT orders.id, orders.mrn, kind, drug, concentration, dose, dosing_unit, vtbi_ml, note, ordered_at, status,
           bed, family_name, given_name, users.name AS prescriber_name
    FROM orders JOIN patients USING (mrn) JOIN users ON users.user_id = orders.prescriber
"""
ON_TOP = "ORDER BY status IN ('replaced', 'discontinued'), ordered_at DESC, orders.id"
UNIT = f"{ORDERS} WHERE status = 'new' ORDER BY bed, ordered_at"
QUERIES = """
    SELECT queries.*, users.name AS by_name FROM queries JOIN users ON users.user_id = queries.by
    WHERE mrn = ? ORDER BY id DESC
"""


def show_unit(visit: Visit) -> Response:
    """Show the new orders of all patients."""
    workstation.show(visit, "orders")
    return visit.render("worklist.html", orders=visit.db.execute(UNIT).fetchall(), page="orders")


def show(visit: Visit) -> Response:
    """Show the orders of one patient."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    patient = rack.patient(visit)
    workstation.show(visit, "patient orders", patient["mrn"])
    listed = visit.db.execute(f"{ORDERS} WHERE orders.mrn = ? {ON_TOP}", (patient["mrn"],)).fetchall()
    asked = visit.query.get("query") or visit.field("order_id")
    return visit.render(
        "orders.html",
        **said(visit, problems),
        patient=patient,
        orders=listed,
        asked=next((row for row in listed if row["id"] == asked), None),
        queries=visit.db.execute(QUERIES, (patient["mrn"],)).fetchall(),
        page="orders",
    )


def query(visit: Visit) -> Response:
    """Send a query; the prescriber answers at once, and replaces an order that was not meant so."""
    mrn = rack.patient(visit)["mrn"]
    order = visit.db.execute(
        "SELECT * FROM orders WHERE id = ? AND mrn = ?", (visit.field("order_id"), mrn)
    ).fetchone()
    if order is None:
        raise NotHere
    problems = Problems()
    problem, limit = visit.field("problem"), read_number(visit.field("limit"), whole=False)
    if order["status"] in ("replaced", "discontinued"):
        problems.add("", "This order is not in force any more.")
    problems.add_if(problem not in QUERY_PROBLEMS, "problem", "Choose what is wrong.")
    problems.add_if(limit is None, "limit", "Enter the limit as a number.")
    if problems:
        return _render(visit, problems)
    reply = _replace(visit, order) if order["meant_dose"] else "The order stands as it is written."
    rows.insert(
        visit.db,
        "queries",
        mrn=mrn,
        order_id=order["id"],
        problem=problem,
        limit_value=limit,
        by=visit.user_id,
        at=clock.text(visit.now),
        reply=reply,
    )
    return visit.go(f"/pumps/{mrn}/orders", f"Query sent. Reply: {reply}")


def _replace(visit: Visit, order: sqlite3.Row) -> str:
    """Put the order that was meant in the place of the other."""
    meant = dict(order) | {"id": f"{order['id']}-R", "dose": order["meant_dose"], "meant_dose": None}
    meant |= {"ordered_at": clock.text(visit.now), "note": f"Corrects {order['id']}."}
    rows.update(visit.db, "orders", {"id": order["id"]}, status="replaced")
    rows.insert(visit.db, "orders", **meant)
    dose = f"{number(order['meant_dose'])} {order['dosing_unit']}"
    return f"Thank you, that was a slip. Please give {dose}; the new order is {meant['id']}."
