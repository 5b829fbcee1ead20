"""The patient of a bed: orders, calling somebody by pager, discharge."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_central import bed
from clinic.applications.icu_central.choices import DESTINATIONS, RECIPIENTS
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

LONGEST_MESSAGE = 160
ORDERS = "SELECT * FROM orders WHERE mrn = ? ORDER BY ordered_at DESC"
ORDERED = "SELECT * FROM ordered_limits WHERE order_id = ? ORDER BY id"
PAGES = """
    SELECT pages.*, users.name AS sent_name FROM pages JOIN users ON users.user_id = sent_by
    WHERE mrn = ? ORDER BY pages.id DESC
"""


def orders_of(visit: Visit, mrn: str) -> list[tuple[sqlite3.Row, list[sqlite3.Row]]]:
    """Return the orders for alarm limits, the newest first, each with its lines."""
    found = visit.db.execute(ORDERS, (mrn,)).fetchall()
    return [(order, visit.db.execute(ORDERED, (order["id"],)).fetchall()) for order in found]


def show(visit: Visit) -> Response:
    """Show identity, orders and pages."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    mrn = bed.load(visit)["mrn"]
    pages = visit.db.execute(PAGES, (mrn,)).fetchall()
    return bed.render(visit, "patient", problems, warnings, orders=orders_of(visit, mrn), pages=pages)


def send_page(visit: Visit) -> Response:
    """Call somebody to the bed."""
    patient = bed.load(visit)
    recipient, message = visit.field("recipient"), visit.field("message")
    problems = Problems()
    problems.add_if(recipient not in RECIPIENTS, "recipient", "Choose whom to page.")
    problems.add_if(not message, "message", "Enter a message.")
    problems.add_if(len(message) > LONGEST_MESSAGE, "message", f"At most {LONGEST_MESSAGE} characters.")
    if problems:
        return _render(visit, problems)
    rows.insert(
        visit.db,
        "pages",
        mrn=patient["mrn"],
        recipient=recipient,
        message=message,
        sent_by=visit.user_id,
        sent_at=clock.text(visit.now),
    )
    return visit.go(f"/bed/{patient['number']}/patient", f"Page sent: {RECIPIENTS[recipient]}.")


def discharge(visit: Visit) -> Response:
    """End the monitoring of a patient; the bed then has to be cleaned."""
    patient = bed.load(visit)
    destination = visit.field("destination")
    if destination not in DESTINATIONS:
        return _render(visit, Problems({"destination": "Choose where the patient goes."}))
    if not visit.field("confirmed"):
        text = f"Monitoring of {patient['given_name']} {patient['family_name']} ends, and the alarms with it."
        return _render(visit, warnings=[text])
    mrn, at = patient["mrn"], clock.text(visit.now)
    gone = {"discharged_to": destination, "discharged_by": visit.user_id, "discharged_at": at}
    rows.update(visit.db, "patients", {"mrn": mrn}, status="discharged", **gone)
    rows.update(visit.db, "alarms", {"mrn": mrn, "active": True}, active=False)
    rows.update(visit.db, "beds", {"number": patient["number"]}, state="cleaning", mrn=None)
    return visit.go("/overview", f"Bed {patient['number']}: patient discharged.")
