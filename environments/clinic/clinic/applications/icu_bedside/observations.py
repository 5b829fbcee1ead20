"""Charted values: the table of the vitals tab, taking over what the monitor shows, and trends."""

import sqlite3
from datetime import timedelta

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_bedside import bedside
from clinic.applications.icu_bedside.choices import PARAMETERS, WINDOWS
from clinic.toolkit.words import moment
from clinic.visit import Visit

CHARTED = "SELECT * FROM observations WHERE mrn = ? AND at > ? ORDER BY at DESC, id DESC"


def _since(visit: Visit, hours: int) -> list[sqlite3.Row]:
    begin = clock.text(visit.now - timedelta(hours=hours))
    return visit.db.execute(CHARTED, (bedside.load(visit)["mrn"], begin)).fetchall()


def show(visit: Visit) -> Response:
    """Show what was charted in the last eight hours."""
    return bedside.render(visit, "vitals", charted=_since(visit, 8))


def chart_now(visit: Visit) -> Response:
    """Take over what the monitor shows."""
    mrn = bedside.load(visit)["mrn"]
    numerics = visit.db.execute("SELECT * FROM numerics WHERE mrn = ?", (mrn,)).fetchone()
    values = {name: numerics[name] for name in PARAMETERS}
    rows.insert(
        visit.db, "observations", mrn=mrn, at=clock.text(visit.now), charted_by=visit.user_id, **values
    )
    return bedside.back(visit, "vitals", f"Monitor values charted at {visit.now:%H:%M}.")


def mark_in_error(visit: Visit) -> Response:
    """Strike a row out."""
    row = {"id": visit.params["id"], "mrn": bedside.load(visit)["mrn"], "in_error": False}
    visit.change("observations", row, in_error=True)
    return bedside.back(visit, "vitals", "The row was marked as entered in error.")


def trends(visit: Visit) -> Response:
    """Show one parameter over a window: curve and hourly values; heart rate over four hours at first."""
    parameter, window = visit.query.get("parameter", ""), visit.query.get("window", "")
    parameter = parameter if parameter in PARAMETERS else "heart_rate"
    window = window if window in WINDOWS else "4"
    charted = _since(visit, int(window))
    return bedside.render(
        visit,
        "trends",
        parameter=parameter,
        window=window,
        charted=charted,
        points=_points(visit, parameter, int(window), charted),
    )


def _points(
    visit: Visit, parameter: str, hours: int, charted: list[sqlite3.Row]
) -> list[tuple[float, float]]:
    """Return where the valid values lie in a frame of 100 by 100."""
    low, high = PARAMETERS[parameter].frame
    begin = visit.now - timedelta(hours=hours)
    return [
        (
            (moment(row["at"]) - begin).total_seconds() / (36 * hours),
            100 - (row[parameter] - low) / (high - low) * 100,
        )
        for row in charted
        if not row["in_error"]
    ]
