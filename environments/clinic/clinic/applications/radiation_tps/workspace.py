"""What all tabs of a plan share: loading, the slice with contours, marking a dose as outdated."""

import json
import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import rows
from clinic.applications.radiation_tps import dosimetry
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import said
from clinic.visit import Visit

PATIENT = """
    SELECT patients.mrn, family_name, given_name, sex, birth_date, site, diagnosis, status, ct_date, spacing, grain,
           users.name AS physician_name
    FROM patients JOIN users ON users.user_id = patients.physician WHERE mrn = ?
"""
LOCKED = "The plan is approved and cannot be changed."


def patient(visit: Visit) -> sqlite3.Row:
    """Return the patient of the address, without the columns that no page may show."""
    return visit.one(PATIENT, (visit.params["mrn"],))


def plan(visit: Visit) -> sqlite3.Row:
    """Return the plan of the address."""
    query = "SELECT * FROM plans WHERE mrn = ? AND plan = ?"
    return visit.one(query, (patient(visit)["mrn"], visit.params["plan"]))


def lock(visit: Visit) -> Problems | None:
    """Return why the plan may not be changed, if so."""
    return Problems({"": LOCKED}) if plan(visit)["approved_at"] else None


def change(visit: Visit, **values: Any) -> None:
    """Change the plan of the address."""
    place = {"mrn": visit.params["mrn"], "plan": visit.params["plan"]}
    rows.update(visit.db, "plans", place, **values)


def outdate(visit: Visit, whose: sqlite3.Row) -> None:
    """Mark the dose of a plan as no longer true."""
    if whose["dose_state"] == "current":
        dosimetry.forget(visit.db, whose)
        place = {"mrn": whose["mrn"], "plan": whose["plan"]}
        rows.update(visit.db, "plans", place, dose_state="outdated", computed_by=None, computed_at=None)


def back(visit: Visit, tab: str, notice: str) -> Response:
    """Lead to a tab of the plan."""
    return visit.go(f"/rt/{visit.params['mrn']}/{visit.params['plan']}/{tab}", notice)


def outlines(visit: Visit) -> list[dict[str, Any]]:
    """Return the structures with their ellipses where they are contoured."""
    found = visit.db.execute(dosimetry.STRUCTURES, (visit.params["mrn"],)).fetchall()
    return [
        dict(row) | {"parts": json.loads(row["outline"]) if row["contoured"] else [], "outline": None}
        for row in found
    ]


def render(visit: Visit, tab: str, problems: Problems | None = None, **context: Any) -> Response:
    """Answer with a tab of the plan, as it is or with refusals (422)."""
    shown, current = patient(visit), plan(visit)
    workstation.show(visit, tab, shown["mrn"])
    query = "SELECT * FROM plans WHERE mrn = ? ORDER BY plan"
    return visit.render(
        f"{tab}.html",
        **said(visit, problems),
        patient=shown,
        plan=current,
        plans=visit.db.execute(query, (shown["mrn"],)).fetchall(),
        structures=outlines(visit),
        fields=visit.db.execute(dosimetry.BEAMS, (shown["mrn"], current["plan"])).fetchall(),
        goals=visit.db.execute(dosimetry.GOALS, (shown["mrn"], current["plan"])).fetchall(),
        tab=tab,
        base=f"/rt/{shown['mrn']}/{current['plan']}",
        **context,
    )
