"""The renewals tab: what pharmacies ask for, accepted or denied."""

import sqlite3
from datetime import date
from typing import Any

from starlette.responses import Response

from clinic import rows
from clinic.applications.doctor_prescription import chart, formulary
from clinic.applications.doctor_prescription.choices import DENIALS, STATUSES
from clinic.applications.doctor_prescription.orders import ENTRY, transmit
from clinic.toolkit.entry import Problems, read_number
from clinic.visit import Visit

MOST_REFILLS = 11
EARLY_UNTIL = 0.75  # of the supply


def _context(visit: Visit) -> dict[str, Any]:
    return {
        "requests": chart.listed(visit, "renewals"),
        "by_id": {row["id"]: row for row in chart.listed(visit, "medications")},
        "labs": chart.listed(visit, "labs", "taken_on DESC"),
        "monitoring": visit.fixtures.load("doctor_prescription/plots")["monitoring"],
    }


def show(visit: Visit) -> Response:
    """Show the tab."""
    return chart.render(visit, "renewals", "renewals", **_context(visit))


def show_one(visit: Visit) -> Response:
    """Show the dialog that answers a request."""
    return _dialog(visit)


def _dialog(visit: Visit, problems: Problems | None = None, warnings: tuple[str, ...] = ()) -> Response:
    request = chart.one(visit, "renewals")
    return chart.render(
        visit, "renewal", "renewals", problems, request=request, warnings=warnings, **_context(visit)
    )


def answer(visit: Visit) -> Response:
    """Store the answer and send it; accepting needs a signature, and a confirmation where supply is left."""
    request = chart.one(visit, "renewals")
    medication = next(row for row in chart.listed(visit, "medications") if row["id"] == request["medication"])
    decision, reason = visit.field("decision"), visit.field("reason")
    refills = read_number(visit.field("refills"), whole=True)
    problems = _problems(visit, request, medication, decision, reason, refills)
    if problems:
        return _dialog(visit, problems)
    odd = _odd(visit, medication) if decision == "accepted" else ()
    if odd and not visit.field("confirmed"):
        return _dialog(visit, warnings=odd)
    accepted = decision == "accepted"
    told = {"reason": None if accepted else reason, "refills": refills if accepted else None}
    rows.update(
        visit.db,
        "renewals",
        {"id": request["id"]},
        status=decision,
        **told,
        warned=bool(odd),
        **chart.stamp(visit),
    )
    text = f"Accepted with {refills} refills" if accepted else f"Denied: {DENIALS[reason]}"
    if accepted:
        _renew(visit, medication, int(refills or 0))
    transmit(visit, "RenewalResponse", medication["drug"], request["pharmacy"], text)
    return chart.back(visit, "/renewals", f"{medication['drug']}: {text}.")


def _problems(
    visit: Visit,
    request: sqlite3.Row,
    medication: sqlite3.Row,
    decision: str,
    reason: str,
    refills: float | None,
) -> Problems:
    problems = Problems()
    drug = formulary.drugs(visit)[medication["drug"]]
    if problem := chart.role_problem(visit):
        problems.add("", problem)
    problems.add_if(request["status"] != "open", "", "This request was answered before.")
    if decision == "denied":
        problems.add_if(reason not in DENIALS, "reason", "Choose why it is denied.")
    elif decision == "accepted":
        if drug.get("control") == "II":
            problems.add("", "Schedule II: cannot be renewed, a new prescription is needed.")
        if refills is None or refills > MOST_REFILLS:
            problems.add("refills", f"Enter 0 to {MOST_REFILLS}.")
        elif refused := formulary.refused_refills(drug, refills):
            problems.add("refills", refused)
        if problem := chart.signature_problem(visit):
            problems.add("code", problem)
    else:
        problems.add("decision", "Choose an answer.")
    return problems


def _odd(visit: Visit, medication: sqlite3.Row) -> tuple[str, ...]:
    """Return what a system can see: the status, and how much of the supply should be left."""
    odd = [] if medication["status"] == "active" else [f"Status: {STATUSES[medication['status']]}"]
    if medication["last_filled"]:
        gone = (visit.now.date() - date.fromisoformat(medication["last_filled"])).days
        if gone < EARLY_UNTIL * medication["days_supply"]:
            odd.append(f"Filled {gone} days ago for {medication['days_supply']} days")
    return tuple(odd)


def _renew(visit: Visit, medication: sqlite3.Row, refills: int) -> None:
    stamp = chart.stamp(visit)
    chart.insert(
        visit,
        "orders",
        action="renew",
        medication=medication["id"],
        **{name: medication[name] for name in ENTRY if name != "refills"},
        refills=refills,
        status="signed",
        entered_by=stamp["by"],
        entered_at=stamp["at"],
        signed_by=stamp["by"],
        signed_at=stamp["at"],
    )
    again = {"refills": refills, "status": "active", "stop_reason": None, "stopped_on": None}
    rows.update(visit.db, "medications", {"id": medication["id"]}, **again)
