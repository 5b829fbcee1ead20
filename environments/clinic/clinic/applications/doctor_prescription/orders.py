"""Entering, withdrawing and signing medication orders."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.doctor_prescription import chart, formulary
from clinic.applications.doctor_prescription.choices import (
    CHANGE_REASONS,
    OVERRIDES,
    SCHEDULES,
    STOP_REASONS,
    sig,
)
from clinic.toolkit.entry import Problems, read_number
from clinic.visit import NotHere, Visit

LIMITS = {"dose": (0.25, 20), "quantity": (1, 1000), "days_supply": (1, 365), "refills": (0, 11)}
WHOLE = ("days_supply", "refills")
ENTRY = ("drug", "dose", "schedule", "quantity", "days_supply", "refills", "indication", "pharmacy")


def show(visit: Visit) -> Response:
    """Show the orders tab."""
    transmissions = chart.listed(visit, "transmissions", "id DESC")
    return chart.render(visit, "orders", "orders", transmissions=transmissions)


def show_new(visit: Visit) -> Response:
    """Show the dialog for a new medication."""
    return _dialog(visit, None)


def show_change(visit: Visit) -> Response:
    """Show the dialog for a change."""
    return _dialog(visit, _active(visit))


def _active(visit: Visit) -> sqlite3.Row:
    medication = chart.one(visit, "medications")
    if medication["status"] not in ("active", "hold"):
        raise NotHere
    return medication


def _dialog(
    visit: Visit,
    changed: sqlite3.Row | None,
    problems: Problems | None = None,
    warnings: tuple[str, ...] = (),
) -> Response:
    return chart.render(
        visit,
        "order",
        "medications" if changed else "orders",
        problems,
        changed=changed,
        checks=warnings,
        indications=visit.fixtures.load("doctor_prescription/formulary")["indications"],
        pharmacies={row["name"]: row["name"] for row in chart.pharmacies(visit)},
    )


def accept_new(visit: Visit) -> Response:
    """Enter an order for a new medication."""
    return _accept(visit, None)


def accept_change(visit: Visit) -> Response:
    """Enter an order that changes a medication; the drug stays."""
    return _accept(visit, _active(visit))


def _accept(visit: Visit, changed: sqlite3.Row | None) -> Response:
    chart.load(visit)
    problems = Problems()
    entry = _read(visit, problems, changed["drug"] if changed else visit.field("drug"))
    reason = visit.field("reason") or None
    if changed is not None and reason not in CHANGE_REASONS:
        problems.add("reason", "Choose why the order is changed.")
    if problems:
        return _dialog(visit, changed, problems)
    replacing = changed["id"] if changed else None
    warnings = tuple(formulary.order_checks(visit, visit.params["mrn"], entry, replacing))
    override = visit.field("override") or None
    if warnings and override not in OVERRIDES:
        return _dialog(visit, changed, warnings=warnings)
    _enter(
        visit,
        action="change" if changed else "new",
        medication=replacing,
        **entry,
        reason=reason if changed else None,
        order_checks="; ".join(warnings),
        override=override if warnings else None,
    )
    return chart.back(visit, "/orders", "Order accepted. It takes effect when it is signed.")


def _enter(visit: Visit, **values: Any) -> None:
    at = clock.text(visit.now)
    chart.insert(visit, "orders", **values, status="unsigned", entered_by=visit.user_id, entered_at=at)


def _read(visit: Visit, problems: Problems, drug: str) -> dict[str, Any]:
    if problem := chart.role_problem(visit):
        problems.add("", problem)
    known = formulary.drugs(visit)
    entry: dict[str, Any] = {name: visit.field(name) for name in ENTRY} | {"drug": drug}
    problems.add_if(drug not in known, "drug", "Choose a drug from the list.")
    problems.add_if(entry["schedule"] not in SCHEDULES, "schedule", "Choose how often.")
    if not entry["indication"] or len(entry["indication"]) > 60:
        problems.add("indication", "Enter what it is for.")
    if entry["pharmacy"] not in {row["name"] for row in chart.pharmacies(visit)}:
        problems.add("pharmacy", "Choose a pharmacy.")
    for name, (low, high) in LIMITS.items():
        value = read_number(entry[name], whole=name in WHOLE)
        if value is None or not low <= value <= high:
            problems.add(name, f"Enter {low:g} to {high:g}.")
        elif (
            name == "refills" and drug in known and (refused := formulary.refused_refills(known[drug], value))
        ):
            problems.add(name, refused)
        entry[name] = value
    return entry


def show_stop(visit: Visit) -> Response:
    """Show the dialog that discontinues a medication."""
    return chart.render(visit, "stop", "medications", medication=_active(visit))


def accept_stop(visit: Visit) -> Response:
    """Enter an order that discontinues a medication."""
    medication = _active(visit)
    reason, cancel = visit.field("reason"), visit.field("cancel")
    problems = Problems()
    if problem := chart.role_problem(visit):
        problems.add("", problem)
    problems.add_if(reason not in STOP_REASONS, "reason", "Choose why it is stopped.")
    problems.add_if(cancel not in ("yes", "no"), "cancel", "Choose whether the pharmacy is told.")
    if problems:
        return chart.render(visit, "stop", "medications", problems, medication=medication)
    _enter(
        visit,
        action="discontinue",
        medication=medication["id"],
        drug=medication["drug"],
        pharmacy=medication["pharmacy"],
        reason=reason,
        cancel_message=cancel == "yes",
    )
    return chart.back(visit, "/orders", "Order accepted. It takes effect when it is signed.")


def withdraw(visit: Visit) -> Response:
    """Take an unsigned order back."""
    entry = {"id": visit.params["id"], "mrn": chart.load(visit)["mrn"], "status": "unsigned"}
    visit.change("orders", entry, status="withdrawn")
    return chart.back(visit, "/orders", "Order withdrawn.")


def show_sign(visit: Visit) -> Response:
    """Show what is to be signed."""
    return chart.render(visit, "sign", "orders")


def sign(visit: Visit) -> Response:
    """Sign all unsigned orders of the patient, and let them take effect."""
    chart.load(visit)
    waiting = [row for row in chart.listed(visit, "orders") if row["status"] == "unsigned"]
    problems = Problems()
    if problem := chart.role_problem(visit) or (None if waiting else "There is nothing to sign."):
        problems.add("", problem)
    if problem := chart.signature_problem(visit):
        problems.add("code", problem)
    if problems:
        return chart.render(visit, "sign", "orders", problems)
    signed = {"status": "signed", "signed_by": visit.user_id, "signed_at": clock.text(visit.now)}
    for order in waiting:
        rows.update(visit.db, "orders", {"id": order["id"]}, **signed)
        _EFFECTS[order["action"]](visit, order)
    return chart.back(visit, "/orders", f"Signed: {len(waiting)}.")


def transmit(visit: Visit, kind: str, drug: str, pharmacy: str, text: str) -> None:
    """Send a message to a pharmacy."""
    at = clock.text(visit.now)
    chart.insert(visit, "transmissions", kind=kind, drug=drug, pharmacy=pharmacy, text=text, at=at)


def _text(visit: Visit, order: sqlite3.Row) -> str:
    label = sig(order["dose"], formulary.drugs(visit)[order["drug"]]["unit"], order["schedule"])
    return f"{label}, Qty {order['quantity']:g}, Days {order['days_supply']}, Refills {order['refills']}"


def _begin(visit: Visit, order: sqlite3.Row) -> None:
    assert visit.user is not None
    chart.insert(
        visit,
        "medications",
        **{name: order[name] for name in ENTRY},
        prescriber=visit.user["name"],
        started_on=clock.text(visit.now)[:10],
        status="active",
    )
    transmit(visit, "NewRx", order["drug"], order["pharmacy"], _text(visit, order))


def _change(visit: Visit, order: sqlite3.Row) -> None:
    changes = {name: order[name] for name in ENTRY}
    rows.update(visit.db, "medications", {"id": order["medication"]}, **changes)
    transmit(visit, "RxChange", order["drug"], order["pharmacy"], _text(visit, order))


def _stop(visit: Visit, order: sqlite3.Row) -> None:
    stopped = {"stop_reason": order["reason"], "stopped_on": clock.text(visit.now)[:10]}
    rows.update(visit.db, "medications", {"id": order["medication"]}, status="discontinued", **stopped)
    if order["cancel_message"]:
        text = f"Cancel: {STOP_REASONS[order['reason']]}"
        transmit(visit, "CancelRx", order["drug"], order["pharmacy"], text)


_EFFECTS = {"new": _begin, "change": _change, "discontinue": _stop}
