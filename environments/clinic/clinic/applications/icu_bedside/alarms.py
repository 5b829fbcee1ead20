"""Alarms of one patient and the response to each."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_bedside import bedside
from clinic.toolkit.entry import Problems
from clinic.visit import NotHere, Visit

LONGEST_RESPONSE = 200
LISTED = """
    SELECT * FROM alarms WHERE mrn = ?
    ORDER BY NOT active, CASE priority WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, raised_at DESC
"""


def show(visit: Visit) -> Response:
    """Show the list; `alarm` in the address opens one of them for a response."""
    return _render(visit, visit.query.get("alarm", ""))


def _render(visit: Visit, chosen: str, problems: Problems | None = None) -> Response:
    listed = visit.db.execute(LISTED, (bedside.load(visit)["mrn"],)).fetchall()
    opened = next((row for row in listed if str(row["id"]) == chosen), None)
    return bedside.render(visit, "alarms", problems, listed=listed, opened=opened)


def acknowledge(visit: Visit) -> Response:
    """Record who has seen the alarm and what was done; the response may be left out."""
    mrn, response = bedside.load(visit)["mrn"], visit.field("response")
    row = visit.db.execute(
        "SELECT * FROM alarms WHERE mrn = ? AND id = ?", (mrn, visit.params["id"])
    ).fetchone()
    if row is None:
        raise NotHere
    problems = Problems()
    problems.add_if(row["acknowledged_at"] is not None, "", "This alarm has been acknowledged already.")
    problems.add_if(len(response) > LONGEST_RESPONSE, "response", f"At most {LONGEST_RESPONSE} characters.")
    if problems:
        return _render(visit, visit.params["id"], problems)
    seen = {"acknowledged_by": visit.user_id, "acknowledged_at": clock.text(visit.now), "response": response}
    rows.update(visit.db, "alarms", {"id": row["id"]}, **seen)
    return bedside.back(visit, "alarms", f"{row['label']} acknowledged.")
