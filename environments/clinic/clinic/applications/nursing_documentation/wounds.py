"""Pressure injuries: where on the body, how large, which stage."""

from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_documentation import sheet
from clinic.applications.nursing_documentation.choices import EXUDATES, REGIONS, STAGES
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

SIZES = {"length_cm": "Length", "width_cm": "Width", "depth_cm": "Depth"}
LARGEST_CM = 50
CLOSED = ("stage_1", "deep_tissue")
RECORDED = """
    SELECT wounds.*, users.name AS by_name FROM wounds JOIN users ON users.user_id = wounds.by
    WHERE mrn = ? ORDER BY at DESC, wounds.id DESC
"""


def show(visit: Visit) -> Response:
    """Show the body map, the form, and what was recorded."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    recorded = visit.db.execute(RECORDED, (sheet.patient(visit)["mrn"],)).fetchall()
    known = {row["region"] for row in recorded if not row["in_error"]}
    striking = visit.query.get("strike", "")
    return sheet.render(
        visit, "wounds", problems, warnings, recorded=recorded, known=known, sizes=SIZES, striking=striking
    )


def save(visit: Visit) -> Response:
    """Store an assessment, unless it is impossible; a depth under closed skin has to be confirmed."""
    mrn = sheet.patient(visit)["mrn"]
    problems = Problems()
    sheet.only_nurses(visit, problems)
    values = _read(visit, problems)
    if problems:
        return _render(visit, problems)
    odd = values["stage"] in CLOSED and bool(values["depth_cm"])
    if odd and not visit.field("confirmed"):
        return _render(
            visit, warnings=[f"{STAGES[values['stage']][0]} has closed skin, but a depth is entered."]
        )
    rows.insert(visit.db, "wounds", mrn=mrn, at=clock.text(visit.now), by=visit.user_id, warned=odd, **values)
    return visit.go(f"/beds/{mrn}/wounds", f"Wound assessment saved: {REGIONS[values['region']]}.")


def _read(visit: Visit, problems: Problems) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, label, known in (("region", "Body region", REGIONS), ("stage", "Stage", STAGES)):
        values[name] = visit.field(name)
        if values[name] not in known:
            problems.add(name, f"{label}: choose one.")
    values["exudate"] = visit.field("exudate") or None
    if values["exudate"] is not None and values["exudate"] not in EXUDATES:
        problems.add("exudate", "Exudate: choose one of the options.")
    for name, label in SIZES.items():
        text = visit.field(name)
        value = values[name] = read_number(text, whole=False) if text else None
        if text and (value is None or not 0 <= value <= LARGEST_CM):
            problems.add(name, f"{label}: enter centimetres, 0 to {LARGEST_CM}.")
    return values


def strike(visit: Visit) -> Response:
    """Strike an assessment through; it stays in the list."""
    problems = sheet.strike(visit, "wounds")
    return (
        _render(visit, problems)
        if problems
        else visit.go(f"/beds/{visit.params['mrn']}/wounds", "The assessment was struck.")
    )
