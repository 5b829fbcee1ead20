"""Filling in a form: new, carried forward or from a draft; saving it as a draft, and signing it."""

import sqlite3
from datetime import timedelta
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.nursing_assessment import bedside, overview, records
from clinic.applications.nursing_assessment.choices import REASONS
from clinic.applications.nursing_assessment.scales import Scale
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.toolkit.words import hour, moment
from clinic.visit import NotHere, Visit

TWICE_WITHIN = timedelta(hours=1)


def show(visit: Visit) -> Response:
    """Show the form: empty, with the draft of this user, or with the last values carried forward."""
    scale, mrn = bedside.scale(visit), bedside.patient(visit)["mrn"]
    carry = "carry" in visit.query
    held = records.latest(visit, scale, mrn) if carry else records.own_draft(visit, scale, mrn)
    filled: dict[str, str] = {}
    if held is not None:
        filled = {key: "" if held[key] is None else str(held[key]) for key in scale.columns}
        filled["reason"] = "routine" if carry else held["reason"]
    if (carry and held is not None) or (held is not None and held["carried"]):
        filled["carried"] = "yes"
    return _render(visit, scale, filled)


def _render(
    visit: Visit,
    scale: Scale,
    filled: dict[str, str],
    problems: Problems | None = None,
    warnings: Warnings = None,
) -> Response:
    mrn = visit.params["mrn"]
    return bedside.render(
        visit,
        "assess.html",
        scale.key,
        problems,
        warnings,
        scale=scale,
        filled=filled,
        draft=records.own_draft(visit, scale, mrn),
        last=records.latest(visit, scale, mrn),
        weights=overview.weights(visit, mrn) if scale.key == "must" else [],
    )


def save(visit: Visit) -> Response:
    """Keep the form as a draft, or sign it when it is complete."""
    scale, mrn = bedside.scale(visit), bedside.patient(visit)["mrn"]
    signing = visit.field("action") == "sign"
    problems = Problems()
    if refused := bedside.role_problem(visit):
        problems.add("", refused)
    values = _read(visit, scale, signing, problems)
    if problems:
        return _render(visit, scale, dict(visit.form), problems)
    if signing and not visit.field("confirmed") and (odd := _odd(visit, scale, mrn, values)):
        return _render(visit, scale, dict(visit.form), warnings=odd)
    _store(visit, scale, mrn, values | {"status": "signed" if signing else "draft"})
    if not signing:
        return visit.go(f"/patients/{mrn}/{scale.key}", f"{scale.short}: draft saved. It is not signed yet.")
    band = scale.label(values["band"])
    result = f"total {values['total']}, {band.lower()}" if band else "no total, a part was not testable"
    return visit.go(f"/patients/{mrn}/{scale.key}/history", f"{scale.short} signed: {result}.")


def _read(visit: Visit, scale: Scale, signing: bool, problems: Problems) -> dict[str, Any]:
    points: dict[str, int | None] = {}
    for item in scale.items:
        chosen = visit.field(item.key)
        known = {str(option.points): option.points for option in item.options}
        points[item.key] = known.get(chosen)
        if chosen not in known and (signing or chosen):
            problems.add(item.key, f"{item.label}: choose one.")
    values: dict[str, Any] = dict(points)
    for detail in scale.details:
        chosen = visit.field(detail.key)
        values[detail.key] = chosen or None
        if chosen and chosen not in detail.options:
            problems.add(detail.key, f"{detail.label}: choose from the list.")
    reason = visit.field("reason")
    problems.add_if(reason not in REASONS, "reason", "Choose the reason for this assessment.")
    total = scale.total(points)
    band = scale.band(total)
    carried = bool(visit.field("carried"))
    return values | {"reason": reason, "total": total, "band": band.key if band else None, "carried": carried}


def _odd(visit: Visit, scale: Scale, mrn: str, values: dict[str, Any]) -> list[str]:
    """Return what asks for a second look before signing."""
    last = records.latest(visit, scale, mrn)
    if last is None:
        return []
    odd = []
    if visit.now - moment(last["at"]) < TWICE_WITHIN:
        odd.append(f"{scale.short} was signed at {hour(last['at'])} already, less than an hour ago.")
    if values["carried"] and all(values[key] == last[key] for key in scale.columns):
        odd.append("All values are as carried forward; none was changed.")
    return odd


def _store(visit: Visit, scale: Scale, mrn: str, values: dict[str, Any]) -> None:
    draft = records.own_draft(visit, scale, mrn)
    values |= {"at": clock.text(visit.now)}
    if draft is None:
        rows.insert(visit.db, scale.key, mrn=mrn, by=visit.user_id, **values)
    else:
        rows.update(visit.db, scale.key, {"id": draft["id"]}, **values)


def discard(visit: Visit) -> Response:
    """Throw the own draft away."""
    scale, mrn = bedside.scale(visit), bedside.patient(visit)["mrn"]
    draft: sqlite3.Row | None = records.own_draft(visit, scale, mrn)
    if draft is None:
        raise NotHere
    visit.db.execute(f"DELETE FROM {scale.key} WHERE id = ?", (draft["id"],))  # noqa: S608 - a known table
    return visit.go(f"/patients/{mrn}/{scale.key}", f"{scale.short}: draft discarded.")
