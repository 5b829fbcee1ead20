"""The dialog that decides on an alert: override with a reason, or reject and contact the prescriber."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.outpatient_pharmacy import prescription
from clinic.applications.outpatient_pharmacy.choices import KINDS, OVERRIDE_REASONS, REJECT_REASONS
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import NotHere, Visit

LONGEST_NOTE = 300


def _load(visit: Visit, rx_no: str) -> sqlite3.Row:
    for alert in prescription.listed(visit, "alerts", "id", rx_no=rx_no):
        if str(alert["id"]) == visit.params["id"]:
            return alert
    raise NotHere


def show(visit: Visit) -> Response:
    """Show the dialog."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    alert = _load(visit, prescription.load(visit)["rx_no"])
    return prescription.render(visit, "alert", problems, warnings, alert=alert)


def resolve(visit: Visit) -> Response:
    """Store the decision; overriding a contraindication has to be confirmed."""
    rx = prescription.load(visit)
    alert = _load(visit, rx["rx_no"])
    action, reason, note = (visit.field(name) for name in ("action", "reason", "note"))
    problems = _problems(visit, rx, alert, action, reason, note)
    if problems:
        return _render(visit, problems)
    severe = action == "override" and alert["severity"] == "contraindicated"
    if severe and not visit.field("confirmed"):
        return _render(visit, warnings=[f"{KINDS[alert['kind']]}: {alert['drug']} and {alert['against']}"])
    decision = {"action": action, "reason": reason, "by": visit.user_id, "at": clock.text(visit.now)}
    rows.update(visit.db, "alerts", {"id": alert["id"]}, **decision)
    if action == "reject":
        _contact(visit, rx, alert, reason, note)
        return prescription.back(visit, "Prescription on hold, the prescriber was contacted.")
    return prescription.back(visit, "Alert overridden.")


def _problems(
    visit: Visit, rx: sqlite3.Row, alert: sqlite3.Row, action: str, reason: str, note: str
) -> Problems:
    problems = Problems()
    if problem := prescription.role_problem(visit):
        problems.add("", problem)
    problems.add_if(rx["status"] not in ("pending", "held"), "", "The prescription is past verification.")
    problems.add_if(alert["action"] is not None, "", "This alert was decided on before.")
    reasons = {"override": OVERRIDE_REASONS, "reject": REJECT_REASONS}.get(action)
    if reasons is None:
        problems.add("action", "Choose what to do.")
    elif reason not in reasons:
        problems.add("reason", "Choose a reason for this action.")
    problems.add_if(len(note) > LONGEST_NOTE, "note", f"At most {LONGEST_NOTE} characters.")
    return problems


def _contact(visit: Visit, rx: sqlite3.Row, alert: sqlite3.Row, reason: str, note: str) -> None:
    """Put the prescription on hold and send the prescriber what it is about."""
    (original,) = prescription.listed(visit, "originals", "rx_no", rx_no=rx["rx_no"])
    body = f"{REJECT_REASONS[reason]}: {alert['drug']} / {alert['against']}. {alert['effect']} Please advise."
    rows.insert(
        visit.db,
        "messages",
        rx_no=rx["rx_no"],
        mrn=rx["mrn"],
        direction="out",
        person=original["prescriber"],
        at=clock.text(visit.now),
        body=f"{body} {note}".strip(),
    )
    prescription.update(visit, rx["rx_no"], status="held")
