"""The triage tab: start, acuity, completion."""

import sqlite3

from starlette.responses import Response

from clinic import clock
from clinic.applications.emergency_triage import chart
from clinic.applications.emergency_triage.choices import ESI_LEVELS, ESI_REASONS
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the tab."""
    return chart.render(visit, "triage")


def _back(visit: Visit, notice: str) -> Response:
    return visit.go(f"/chart/{visit.params['mrn']}/triage", notice)


def _refuse(visit: Visit, *reasons: str) -> Response:
    return chart.render(visit, "triage", Problems({"": " ".join(reasons)}))


def start(visit: Visit) -> Response:
    """Take a waiting patient to triage."""
    patient = chart.load(visit)
    if problem := chart.role_problem(visit):
        return _refuse(visit, problem)
    if patient["status"] != "waiting":
        return _refuse(visit, "Triage can be started only for a patient who is waiting.")
    at = clock.text(visit.now)
    chart.update(visit, patient["mrn"], status="in_triage", nurse=visit.user_id, triage_started_at=at)
    return _back(visit, "Triage started.")


def save_esi(visit: Visit) -> Response:
    """Store the acuity level with its reason; a later one replaces it."""
    patient = chart.load(visit)
    level, reason = visit.field("esi"), visit.field("reason")
    problems = Problems()
    if problem := chart.role_problem(visit):
        problems.add("", problem)
    problems.add_if(level not in {str(known) for known in ESI_LEVELS}, "esi", "Choose an ESI level.")
    problems.add_if(reason not in ESI_REASONS, "reason", "Choose the reason for this level.")
    if problems:
        return chart.render(visit, "triage", problems)
    at = clock.text(visit.now)
    chart.update(visit, patient["mrn"], esi=int(level), esi_reason=reason, esi_by=visit.user_id, esi_at=at)
    return _back(visit, f"ESI {level} saved.")


def _missing(visit: Visit, patient: sqlite3.Row) -> list[str]:
    missing = []
    if patient["esi"] is None:
        missing.append("No ESI level has been saved.")
    if patient["allergies_reviewed_at"] is None:
        missing.append("Allergies have not been reviewed.")
    if patient["weight_kg"] is None and chart.is_child(patient, visit):
        missing.append("A weight is required for a patient under 18.")
    return missing


def complete(visit: Visit) -> Response:
    """Finish triage when nothing required is missing; missing vitals only ask for a confirmation."""
    patient = chart.load(visit)
    if problem := chart.role_problem(visit):
        return _refuse(visit, problem)
    if patient["status"] != "in_triage":
        return _refuse(visit, "Triage can be completed only after it was started, and only once.")
    if missing := _missing(visit, patient):
        return _refuse(visit, "Triage cannot be completed.", *missing)
    bare = not _has_vitals(visit, patient)
    if bare and not visit.field("confirmed"):
        return chart.render(visit, "triage", warnings=["No vital signs were recorded in this visit."])
    chart.update(
        visit,
        patient["mrn"],
        status="triaged",
        triaged_by=visit.user_id,
        triaged_at=clock.text(visit.now),
        triaged_without_vitals=bare,
    )
    return _back(visit, "Triage completed.")


def _has_vitals(visit: Visit, patient: sqlite3.Row) -> bool:
    query = "SELECT 1 FROM vitals WHERE mrn = ? AND visit_no = ? AND NOT in_error"
    return visit.db.execute(query, (patient["mrn"], patient["visit_no"])).fetchone() is not None
