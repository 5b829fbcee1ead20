"""The care plan: measures that run, the ward protocol, starting and stopping."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_assessment import bedside, records
from clinic.applications.nursing_assessment.scales import load
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import NotHere, Visit

RUNNING = """
    SELECT interventions.*, users.name AS by_name FROM interventions JOIN users ON users.user_id = started_by
    WHERE mrn = ? AND stopped_at IS NULL ORDER BY started_at, id
"""


def running(visit: Visit, mrn: str) -> list[dict[str, Any]]:
    """Return the measures that run, with their labels."""
    domains = visit.fixtures.load("nursing_assessment/protocol")
    rows_ = visit.db.execute(RUNNING, (mrn,)).fetchall()
    return [dict(row) | domains[row["domain"]]["measures"][row["measure"]] for row in rows_]


def _domain(visit: Visit) -> tuple[str, dict[str, Any]]:
    domains = visit.fixtures.load("nursing_assessment/protocol")
    name = visit.params["domain"]
    if name not in domains:
        raise NotHere
    return name, domains[name]


def home(visit: Visit) -> Response:
    """Lead to the first part of the plan."""
    return visit.go(f"/patients/{bedside.patient(visit)['mrn']}/plan/skin")


def show(visit: Visit) -> Response:
    """Show one part of the plan."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    name, facts = _domain(visit)
    scale = load(visit.fixtures)[facts["tool"]]
    mrn = bedside.patient(visit)["mrn"]
    return bedside.render(
        visit,
        "plan.html",
        "plan",
        problems,
        warnings,
        domains=visit.fixtures.load("nursing_assessment/protocol"),
        domain=name,
        facts=facts,
        scale=scale,
        last=records.latest(visit, scale, mrn),
        running={row["measure"]: row for row in running(visit, mrn) if row["domain"] == name},
    )


def start(visit: Visit) -> Response:
    """Start the chosen measures; of one kind, the earlier one ends."""
    name, facts = _domain(visit)
    patient = bedside.patient(visit)
    chosen = [key for key in facts["measures"] if visit.field(f"start-{key}")]
    active = {row["measure"] for row in running(visit, patient["mrn"]) if row["domain"] == name}
    problems = _problems(visit, facts, chosen, active)
    if problems:
        return _render(visit, problems)
    odd = _against_order(patient, facts, chosen)
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=odd)
    for key in chosen:
        _replace(visit, patient["mrn"], name, facts, key)
        rows.insert(
            visit.db,
            "interventions",
            mrn=patient["mrn"],
            domain=name,
            measure=key,
            warned=bool(odd) and bool(facts["measures"][key].get("out_of_bed")),
            started_at=clock.text(visit.now),
            started_by=visit.user_id,
        )
    count = "1 measure" if len(chosen) == 1 else f"{len(chosen)} measures"
    return visit.go(f"/patients/{patient['mrn']}/plan/{name}", f"{count} started.")


def _problems(visit: Visit, facts: dict[str, Any], chosen: list[str], active: set[str]) -> Problems:
    problems = Problems()
    if refused := bedside.role_problem(visit):
        problems.add("", refused)
    problems.add_if(not chosen, "", "Choose at least one measure to start.")
    problems.add_if(active.intersection(chosen), "", "A measure that runs already cannot be started again.")
    kinds = [facts["measures"][key]["kind"] for key in chosen if "kind" in facts["measures"][key]]
    if doubled := sorted({kind for kind in kinds if kinds.count(kind) > 1}):
        problems.add("", f"Choose only one measure for: {', '.join(doubled)}.")
    return problems


def _against_order(patient: sqlite3.Row, facts: dict[str, Any], chosen: list[str]) -> list[str]:
    if patient["mobility_order"] != "bed_rest":
        return []
    leaving = [facts["measures"][key]["label"] for key in chosen if facts["measures"][key].get("out_of_bed")]
    return [f"{label}: the physician's order is strict bed rest." for label in leaving]


def _replace(visit: Visit, mrn: str, name: str, facts: dict[str, Any], key: str) -> None:
    kind = facts["measures"][key].get("kind")
    for row in running(visit, mrn):
        if kind is not None and row["domain"] == name and row.get("kind") == kind:
            _end(visit, mrn, row["id"])


def _end(visit: Visit, mrn: str, number: Any) -> int:
    return visit.db.execute(
        "UPDATE interventions SET stopped_at = ?, stopped_by = ? WHERE id = ? AND mrn = ? AND stopped_at IS NULL",
        (clock.text(visit.now), visit.user_id, number, mrn),
    ).rowcount


def stop(visit: Visit) -> Response:
    """End a measure."""
    name, _ = _domain(visit)
    mrn = bedside.patient(visit)["mrn"]
    if refused := bedside.role_problem(visit):
        return _render(visit, Problems({"": refused}))
    if not _end(visit, mrn, visit.params["id"]):
        raise NotHere
    return visit.go(f"/patients/{mrn}/plan/{name}", "The measure was stopped.")
