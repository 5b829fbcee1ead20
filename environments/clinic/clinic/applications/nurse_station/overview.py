"""The overview of the shift, and who cares for whom."""

import sqlite3
from collections import defaultdict

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nurse_station import chart
from clinic.applications.nurse_station.choices import CARE_ROLES
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import said
from clinic.toolkit.words import moment
from clinic.visit import Visit

SHIFT_STARTS, SHIFT_HOURS = 7, 12


def show(visit: Visit) -> Response:
    """Show a card for each patient: assigned to the user, or of the whole ward."""
    workstation.show(visit, "overview")
    everybody = visit.query.get("show") == "ward"
    by_patient: dict[str, list[sqlite3.Row]] = defaultdict(list)
    for row in chart.tasks(visit):
        by_patient[row["mrn"]].append(row)
    listed = [row for row in chart.patients(visit) if everybody or row["nurse"] == visit.user_id]
    return visit.render(
        "overview.html", patients=listed, tasks=by_patient, everybody=everybody, along=along, count=count
    )


def along(at: str) -> float:
    """Return how far a time is along the shift, from 0 to 100."""
    when = moment(at)
    return max(0.0, min(100.0, ((when.hour - SHIFT_STARTS) * 60 + when.minute) / (SHIFT_HOURS * 0.6)))


def count(tasks: list[sqlite3.Row], state: str) -> int:
    """Count the tasks in a state."""
    return sum(row["state"] == state for row in tasks)


def answer_call(visit: Visit) -> Response:
    """Switch a patient's call bell off."""
    patient = chart.load(visit)
    rows.update(visit.db, "patients", {"mrn": patient["mrn"]}, calling_since=None)
    return visit.go("/overview", f"Call of room {patient['room']} answered.")


def assignments(visit: Visit) -> Response:
    """Show the assignment list."""
    return _assignments(visit)


def _assignments(visit: Visit, problems: Problems | None = None) -> Response:
    workstation.show(visit, "assignments")
    return visit.render(
        "assignments.html",
        **said(visit, problems),
        patients=chart.patients(visit),
    )


def establish(visit: Visit) -> Response:
    """Begin a care relationship with everybody who was ticked."""
    chosen = [row for row in chart.patients(visit) if visit.field(f"mrn_{row['mrn']}")]
    problems = Problems()
    problems.add_if(not chosen, "", "Tick at least one patient.")
    problems.add_if(visit.field("role") not in CARE_ROLES, "role", "Choose your role.")
    if problems:
        return _assignments(visit, problems)
    for row in chosen:
        if not row["mine"]:
            rows.insert(
                visit.db,
                "relationships",
                mrn=row["mrn"],
                user=visit.user_id,
                role=visit.field("role"),
                at=clock.text(visit.now),
            )
    return visit.go("/assignments", f"Care relationships established: {len(chosen)}.")
