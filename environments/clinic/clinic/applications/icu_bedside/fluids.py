"""Fluid balance: entries of a period with running totals, and a form for another entry."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_bedside import bedside
from clinic.applications.icu_bedside.choices import PERIODS
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

SHIFT = timedelta(hours=12)
DAY_SHIFT = range(7, 19)
LONGEST_COMMENT = 120
ENTRIES = "SELECT * FROM fluids WHERE mrn = ? AND at >= ? AND at < ? ORDER BY at, id"
FAR = "9999"


@dataclass(frozen=True)
class Line:
    """An entry with the balance after it; one in error has none."""

    entry: sqlite3.Row
    balance: int | None


def shift_start(now: datetime) -> datetime:
    """Return when the present shift began: at 7 or at 19 o'clock."""
    start = now.replace(hour=7 if now.hour in DAY_SHIFT else 19, minute=0)
    return start - timedelta(days=1) if start > now else start


def _limits(now: datetime, period: str) -> tuple[str, str]:
    start = shift_start(now)
    if period == "previous":
        return clock.text(start - SHIFT), clock.text(start)
    return clock.text(now - 2 * SHIFT if period == "day" else start), FAR


def show(visit: Visit) -> Response:
    """Show the entries of a period; this shift unless said otherwise."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    mrn = bedside.load(visit)["mrn"]
    period = visit.query.get("period", "shift")
    period = period if period in PERIODS else "shift"
    begin, end = _limits(visit.now, period)
    lines = _running(visit.db.execute(ENTRIES, (mrn, begin, end)).fetchall())
    valid = [line.entry for line in lines if line.balance is not None]
    totals = {
        name: sum(row["ml"] for row in valid if row["direction"] == name) for name in ("intake", "output")
    }
    kinds = visit.fixtures.load("icu_bedside/fluids")["kinds"]
    return bedside.render(
        visit,
        "fluids",
        problems,
        warnings,
        lines=lines[::-1],
        totals=totals,
        period=period,
        begin=begin,
        kinds=kinds,
    )


def _running(entries: list[sqlite3.Row]) -> list[Line]:
    balance, lines = 0, []
    for row in entries:
        if row["in_error"]:
            lines.append(Line(row, None))
            continue
        balance += row["ml"] if row["direction"] == "intake" else -row["ml"]
        lines.append(Line(row, balance))
    return lines


def save(visit: Visit) -> Response:
    """Store an entry; an unusual volume has to be confirmed."""
    mrn = bedside.load(visit)["mrn"]
    written = visit.fixtures.load("icu_bedside/fluids")
    kind, comment = visit.field("kind"), visit.field("comment")
    ml = read_number(visit.field("ml"), whole=True)
    problems = Problems()
    problems.add_if(kind not in written["kinds"], "kind", "Choose what went in or came out.")
    if ml is None or not 1 <= ml <= written["largest"]:
        problems.add("ml", f"Enter whole millilitres, 1 to {written['largest']}.")
    problems.add_if(len(comment) > LONGEST_COMMENT, "comment", f"At most {LONGEST_COMMENT} characters.")
    if problems or ml is None:
        return _render(visit, problems)
    label, unusual = written["kinds"][kind]["label"], ml > written["unusual"]
    if unusual and not visit.field("confirmed"):
        return _render(visit, warnings=[f"{label} {ml:g} mL in one entry"])
    rows.insert(
        visit.db,
        "fluids",
        mrn=mrn,
        at=clock.text(visit.now),
        direction=written["kinds"][kind]["direction"],
        kind=kind,
        ml=ml,
        comment=comment,
        charted_by=visit.user_id,
        unusual_confirmed=unusual,
    )
    return bedside.back(visit, "fluids", f"Charted: {label} {ml:g} mL.")


def mark_in_error(visit: Visit) -> Response:
    """Strike an entry out; it no longer counts."""
    entry = {"id": visit.params["id"], "mrn": bedside.load(visit)["mrn"], "in_error": False}
    visit.change("fluids", entry, in_error=True)
    return bedside.back(visit, "fluids", "The entry was marked as entered in error.")
