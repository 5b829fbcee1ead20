"""The pages of one patient: timeline, snapshot, administration record, handover."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nurse_station import chart
from clinic.applications.nurse_station.choices import SBAR
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST_PART = 400
HANDOVERS = """
    SELECT handovers.*, users.name AS by_name FROM handovers JOIN users ON users.user_id = by
    WHERE mrn = ? ORDER BY id DESC
"""
GIVEN = """
    SELECT administrations.*, giver.name AS by_name, witness.name AS second_name FROM administrations
    JOIN users AS giver ON giver.user_id = administrations.by
    LEFT JOIN users AS witness ON witness.user_id = second_user
    WHERE mrn = ? ORDER BY administrations.id
"""


def timeline(visit: Visit) -> Response:
    """Show what is to be done in the shift, in the order in which it is due."""
    patient = chart.load(visit)
    listed = [row for row in chart.tasks(visit) if row["mrn"] == patient["mrn"]]
    return chart.render(visit, "timeline", patient, tasks=listed)


def snapshot(visit: Visit) -> Response:
    """Show who the patient is and what to mind."""
    patient = chart.load(visit)
    listed = chart.allergies(visit, patient["mrn"])
    handover = visit.db.execute(HANDOVERS, (patient["mrn"],)).fetchone()
    return chart.render(visit, "snapshot", patient, allergy_list=listed, handover=handover)


def record(visit: Visit) -> Response:
    """Show the medication administration record."""
    patient = chart.load(visit)
    listed = [
        row for row in chart.tasks(visit) if row["mrn"] == patient["mrn"] and row["kind"] == "medication"
    ]
    given = {row["task"]: row for row in visit.db.execute(GIVEN, (patient["mrn"],)) if not row["in_error"]}
    return chart.render(visit, "record", patient, tasks=listed, given=given)


def handover(visit: Visit) -> Response:
    """Show the handovers."""
    return _handover(visit)


def _handover(visit: Visit, problems: Problems | None = None) -> Response:
    patient = chart.load(visit)
    listed = visit.db.execute(HANDOVERS, (patient["mrn"],)).fetchall()
    return chart.render(visit, "handover", patient, problems, handovers=listed)


def hand_over(visit: Visit) -> Response:
    """Add a handover; each of its four parts is needed."""
    patient = chart.load(visit)
    problems = chart.may_chart(visit, patient)
    for name in SBAR:
        if not visit.field(name) or len(visit.field(name)) > LONGEST_PART:
            problems.add(name, f"Enter 1 to {LONGEST_PART} characters.")
    if problems:
        return _handover(visit, problems)
    parts = {name: visit.field(name) for name in SBAR}
    stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
    rows.insert(visit.db, "handovers", mrn=patient["mrn"], **parts, **stamp)
    return visit.go(f"/patient/{patient['mrn']}/handover", "Handover saved.")
