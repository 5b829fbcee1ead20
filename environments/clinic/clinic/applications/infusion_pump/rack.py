"""The front panel of one pump: what all its displays share."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.infusion_pump import dosing
from clinic.applications.infusion_pump.choices import ALARMS, LETTERS
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.visit import NotHere, Visit

PATIENT = """
    SELECT mrn, family_name, given_name, sex, birth_date, bed, pump, weight_kg, diagnosis, allergies
    FROM patients WHERE mrn = ?
"""
CHANNELS = """
    SELECT channels.*, library.drug, library.care_area, library.amount, library.amount_unit, library.volume_ml,
           library.dosing_unit, library.soft_low, library.soft_high, library.hard_low, library.hard_high,
           library.high_alert, library.double_check
    FROM channels LEFT JOIN library ON library.id = channels.entry
"""
ACTIVE_ALARMS = "SELECT * FROM alarms WHERE cleared_at IS NULL"
URGENCY = {"high": 0, "medium": 1, "low": 2}


def patient(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    row: sqlite3.Row | None = visit.db.execute(PATIENT, (visit.params["mrn"],)).fetchone()
    if row is None:
        raise NotHere
    return row


def channel(visit: Visit) -> sqlite3.Row:
    """Return the channel of the address with its library entry."""
    if visit.params["letter"] not in LETTERS:
        raise NotHere
    query = f"{CHANNELS} WHERE mrn = ? AND letter = ?"
    row: sqlite3.Row | None = visit.db.execute(
        query, (patient(visit)["mrn"], visit.params["letter"])
    ).fetchone()
    if row is None:
        raise NotHere
    return row


def entry(visit: Visit, number: str | int | None) -> sqlite3.Row | None:
    """Return an entry of the drug library."""
    row: sqlite3.Row | None = visit.db.execute("SELECT * FROM library WHERE id = ?", (number,)).fetchone()
    return row


def alarms(visit: Visit, mrn: str | None = None) -> list[sqlite3.Row]:
    """Return what sounds, the most urgent first, on one pump or on all."""
    found = visit.db.execute(f"{ACTIVE_ALARMS} AND (? IS NULL OR mrn = ?)", (mrn, mrn)).fetchall()
    return sorted(found, key=lambda row: (URGENCY[ALARMS[row["kind"]][1]], row["raised_at"]))


def change(visit: Visit, what: str, **values: Any) -> None:
    """Change the channel of the address, and write it into the pump's log."""
    place = {"mrn": visit.params["mrn"], "letter": visit.params["letter"]}
    at = clock.text(visit.now)
    rows.update(visit.db, "channels", place, **values, changed_by=visit.user_id, changed_at=at)
    log(visit, what)


def log(visit: Visit, what: str) -> None:
    """Write a line into the pump's log."""
    place = {"mrn": visit.params["mrn"], "letter": visit.params["letter"]}
    rows.insert(visit.db, "events", **place, what=what, by=visit.user_id, at=clock.text(visit.now))


def back(visit: Visit, notice: str) -> Response:
    """Lead to the display of the channel."""
    return visit.go(f"/pumps/{visit.params['mrn']}/{visit.params['letter']}", notice)


def refuse(visit: Visit, reason: str) -> Response:
    """Show the channel with why a key does nothing."""
    return render(visit, "status", Problems({"": reason}))


def render(
    visit: Visit, display: str, problems: Problems | None = None, status: int = 200, **context: Any
) -> Response:
    """Answer with the front panel and one of its displays."""
    shown = patient(visit)
    workstation.show(visit, f"pump {display}", shown["mrn"])
    listed = visit.db.execute(f"{CHANNELS} WHERE mrn = ? ORDER BY letter", (shown["mrn"],)).fetchall()
    return visit.render(
        f"lcd_{display}.html",
        status=422 if problems else status,
        patient=shown,
        channels=listed,
        channel=channel(visit),
        alarms=alarms(visit, shown["mrn"]),
        problems=problems or Problems(),
        form=visit.form,
        base=f"/pumps/{shown['mrn']}/{visit.params['letter']}",
        factor=dosing.factor,
        weight_based=dosing.weight_based,
        **context,
    )
