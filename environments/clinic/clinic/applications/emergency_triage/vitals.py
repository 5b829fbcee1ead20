"""The vitals tab: earlier sets, a form for a new one, and marking a set as entered in error."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.emergency_triage import chart, measurements
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

SETS = """
    SELECT vitals.*, users.name AS by_name FROM vitals LEFT JOIN users ON users.user_id = vitals.by
    WHERE mrn = ? ORDER BY taken_at DESC, id DESC
"""


def show(visit: Visit) -> Response:
    """Show the tab."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    sets = visit.db.execute(SETS, (visit.params["mrn"],)).fetchall()
    return chart.render(visit, "vitals", problems, warnings, sets=sets)


def save(visit: Visit) -> Response:
    """Store a set, unless it is impossible, or unusual and not confirmed."""
    patient = chart.load(visit)
    problems = Problems()
    values = measurements.read(visit, problems)
    if problems:
        return _render(visit, problems)
    odd = measurements.unusual(visit, patient, values)
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=odd)
    values |= {"mrn": patient["mrn"], "visit_no": patient["visit_no"], "taken_at": clock.text(visit.now)}
    rows.insert(visit.db, "vitals", **values, by=visit.user_id, unusual_confirmed=bool(odd))
    if values["weight_kg"] is not None:
        chart.update(visit, patient["mrn"], weight_kg=values["weight_kg"])
    return visit.go(f"/chart/{patient['mrn']}/vitals", f"Vital signs saved at {visit.now:%H:%M}.")


def mark_in_error(visit: Visit) -> Response:
    """Strike a set through; the patient's weight is then that of the latest set still valid."""
    mrn = chart.load(visit)["mrn"]
    found = {"id": visit.params["id"], "mrn": mrn, "in_error": False}
    mark = {"in_error": True, "in_error_by": visit.user_id, "in_error_at": clock.text(visit.now)}
    visit.change("vitals", found, **mark)
    weight = visit.db.execute(
        "SELECT weight_kg FROM vitals WHERE mrn = ? AND NOT in_error AND weight_kg IS NOT NULL "
        "ORDER BY taken_at DESC, id DESC LIMIT 1",
        (mrn,),
    ).fetchone()
    chart.update(visit, mrn, weight_kg=weight["weight_kg"] if weight else None)
    return visit.go(f"/chart/{mrn}/vitals", "The set was marked as entered in error.")
