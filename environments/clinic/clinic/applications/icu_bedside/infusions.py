"""Infusions: what runs, and changing it within the limits of the drug library, identity first."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.icu_bedside import bedside, dosing
from clinic.applications.icu_bedside.choices import REASONS
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

LISTED = """
    SELECT * FROM infusions WHERE mrn = ?
    ORDER BY CASE status WHEN 'running' THEN 0 WHEN 'paused' THEN 1 ELSE 2 END, id
"""
CHANGES = "SELECT * FROM infusion_changes WHERE infusion_id = ? ORDER BY id DESC"


def show(visit: Visit) -> Response:
    """Show all infusions of the patient."""
    listed = visit.db.execute(LISTED, (bedside.load(visit)["mrn"],)).fetchall()
    return bedside.render(visit, "infusions", listed=listed, drugs=_library(visit), chosen=None)


def _library(visit: Visit) -> dict[str, Any]:
    return visit.fixtures.load("icu_bedside/drugs")


def one(visit: Visit) -> Response:
    """Show one infusion with the forms that change it."""
    return _render(visit)


def _load(visit: Visit) -> sqlite3.Row:
    wanted = (bedside.load(visit)["mrn"], visit.params["id"])
    return visit.one("SELECT * FROM infusions WHERE mrn = ? AND id = ?", wanted)


def _render(
    visit: Visit, problems: Problems | None = None, warnings: Warnings = None, asking: str = "dose"
) -> Response:
    chosen = _load(visit)
    patient = bedside.load(visit)
    listed = visit.db.execute(LISTED, (patient["mrn"],)).fetchall()
    changes = visit.db.execute(CHANGES, (chosen["id"],)).fetchall()
    return bedside.render(
        visit,
        "infusions",
        problems,
        warnings,
        listed=listed,
        drugs=_library(visit),
        chosen=chosen,
        changes=changes,
        per_dose=dosing.rate_ml_h(1000, chosen, patient["weight_kg"]) / 1000,
        action=asking,
    )


def set_dose(visit: Visit) -> Response:
    """Change the dose; beyond the soft limit, or without the identity check, it has to be confirmed."""
    infusion = _load(visit)
    drug = _library(visit)[infusion["drug"]]
    dose, reason = dosing.read_dose(visit.field("dose")), visit.field("reason")
    problems = Problems()
    problems.add_if(infusion["status"] != "running", "", "The infusion does not run; resume it first.")
    if dose is None:
        problems.add("dose", "Enter a number, for example 0.12.")
    elif dose == infusion["dose"]:
        problems.add("dose", "The infusion runs at this dose already.")
    elif problem := dosing.hard_problem(dose, drug):
        problems.add("dose", problem)
    problems.add_if(reason not in REASONS, "reason", "Choose a reason.")
    if problems or dose is None:
        return _render(visit, problems)
    soft = dosing.soft_warning(dose, drug)
    if not _confirmed(visit, [soft] if soft else []):
        return _render(visit, warnings=_warnings(visit, [soft] if soft else []))
    rate = dosing.rate_ml_h(dose, infusion, bedside.load(visit)["weight_kg"])
    _change(visit, infusion, "dose", dose, reason, beyond_soft=soft is not None)
    rows.update(visit.db, "infusions", {"id": infusion["id"]}, dose=dose, rate_ml_h=rate)
    text = f"{drug['label']} runs at {dose:g} {infusion['dose_unit']} ({rate:g} mL/h)."
    return bedside.back(visit, f"infusions/{infusion['id']}", text)


def _warnings(visit: Visit, more: list[str]) -> list[str]:
    unchecked = visit.field("identity") != "yes"
    return [
        *(["The identity of the patient has not been checked at the bedside."] if unchecked else []),
        *more,
    ]


def _confirmed(visit: Visit, more: list[str]) -> bool:
    return bool(visit.field("confirmed")) or not _warnings(visit, more)


def _change(
    visit: Visit, infusion: sqlite3.Row, action: str, dose: float, reason: str, beyond_soft: bool = False
) -> None:
    """Log a change, and who made it."""
    at = clock.text(visit.now)
    rows.insert(
        visit.db,
        "infusion_changes",
        mrn=infusion["mrn"],
        infusion_id=infusion["id"],
        action=action,
        old_dose=infusion["dose"],
        new_dose=dose,
        reason=reason,
        identity_checked=visit.field("identity") == "yes",
        beyond_soft=beyond_soft,
        changed_by=visit.user_id,
        changed_at=at,
    )
    rows.update(visit.db, "infusions", {"id": infusion["id"]}, changed_by=visit.user_id, changed_at=at)


def pause(visit: Visit) -> Response:
    """Stop the pump for now."""
    return _switch(visit, "running", "paused", "pause")


def resume(visit: Visit) -> Response:
    """Let the pump go on with the dose it had."""
    return _switch(visit, "paused", "running", "resume")


def _switch(visit: Visit, before: str, after: str, action: str) -> Response:
    infusion = _load(visit)
    label = _library(visit)[infusion["drug"]]["label"]
    if infusion["status"] != before:
        return _render(visit, Problems({"": f"{label} is {infusion['status']}."}))
    if not _confirmed(visit, []):
        return _render(visit, warnings=_warnings(visit, []), asking=action)
    _change(visit, infusion, action, infusion["dose"], visit.field("reason"))
    rows.update(visit.db, "infusions", {"id": infusion["id"]}, status=after)
    return bedside.back(visit, f"infusions/{infusion['id']}", f"{label} is {after} now.")
