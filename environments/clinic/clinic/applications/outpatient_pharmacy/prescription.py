"""The prescription window: original beside entry, alerts, profile, messages; and verification."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.outpatient_pharmacy import formulary, screening
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

RX = """
    SELECT rx_no, mrn, status, priority, received_at, promised_at, drug, dose, frequency, quantity, days_supply,
           refills, entered_by, edited_by, edited_at, edit_reason, verified_by, verified_at
    FROM prescriptions WHERE rx_no = ?
"""


def load(visit: Visit) -> sqlite3.Row:
    """Return the prescription of the address, without the columns that no page may show."""
    return visit.one(RX, (visit.params["rx_no"],))


def listed(visit: Visit, table: str, order: str, **equal: str) -> list[sqlite3.Row]:
    """Return the rows of a table that belong to a patient or a prescription."""
    ((name, value),) = equal.items()
    query = f"SELECT * FROM {table} WHERE {name} = ? ORDER BY {order}"  # noqa: S608 - names from this code only
    return visit.db.execute(query, (value,)).fetchall()


def update(visit: Visit, rx_no: str, **values: Any) -> None:
    """Change fields of a prescription."""
    rows.update(visit.db, "prescriptions", {"rx_no": rx_no}, **values)


def role_problem(visit: Visit) -> str | None:
    """Return why this user may not do what only a pharmacist may, if so."""
    if visit.user is not None and visit.user["role"] == "pharmacist":
        return None
    return "Only a pharmacist may verify, decide on alerts or counsel."


def show(visit: Visit) -> Response:
    """Show the window."""
    return render(visit)


def render(
    visit: Visit,
    dialog: str = "prescription",
    problems: Problems | None = None,
    warnings: Warnings = None,
    **context: Any,
) -> Response:
    """Answer with the window, or with one of its dialogs in front of it."""
    rx = load(visit)
    mrn, rx_no = rx["mrn"], rx["rx_no"]
    workstation.show(visit, f"prescription {rx_no}", mrn)
    (patient,) = listed(visit, "patients", "mrn", mrn=mrn)
    (original,) = listed(visit, "originals", "rx_no", rx_no=rx_no)
    staff = visit.staff()
    return visit.render(
        f"{dialog}.html",
        **said(visit, problems, warnings) | {"asking": dialog != "prescription"},
        rx=rx,
        patient=patient,
        original=original,
        drugs=formulary.drugs(visit.fixtures),
        weights=listed(visit, "weights", "taken_on DESC", mrn=mrn),
        allergies=listed(visit, "allergies", "id", mrn=mrn),
        profile=listed(visit, "profile", "stopped_on IS NOT NULL, id", mrn=mrn),
        alerts=listed(visit, "alerts", "id", rx_no=rx_no),
        messages=listed(visit, "messages", "at, id", rx_no=rx_no),
        fills=listed(visit, "fills", "id", rx_no=rx_no),
        pickups=listed(visit, "pickups", "id", rx_no=rx_no),
        staff=staff,
        **context,
    )


def back(visit: Visit, notice: str) -> Response:
    """Lead back to the window after something was stored."""
    return visit.go(f"/rx/{visit.params['rx_no']}", notice)


def verify(visit: Visit) -> Response:
    """Release the prescription for filling; every alert but a minor one has to be decided on before."""
    rx = load(visit)
    problems = Problems()
    if problem := role_problem(visit):
        problems.add("", problem)
    if rx["status"] != "pending":
        problems.add("", "Only a prescription that waits for verification can be verified.")
    undecided = [
        alert
        for alert in listed(visit, "alerts", "id", rx_no=rx["rx_no"])
        if alert["action"] is None and alert["severity"] != "minor"
    ]
    problems.add_if(undecided, "", "Not verified: decide on the open alerts first.")
    if problems:
        return render(visit, problems=problems)
    at = clock.text(visit.now)
    update(visit, rx["rx_no"], status="verified", verified_by=visit.user_id, verified_at=at)
    return back(visit, f"Rx {rx['rx_no']} verified.")


def rescreen(visit: Visit, rx_no: str, reason: str) -> None:
    """Look for alerts again after an edit."""
    settled = screening.settled_by(visit.user_id, reason, visit.now)
    screening.refresh(visit.db, visit.fixtures, rx_no, visit.now.date(), settled)
