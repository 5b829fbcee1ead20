"""Earlier assessments with a form: list, trend, and striking one as entered in error."""

import sqlite3
from datetime import datetime

from starlette.responses import Response

from clinic.applications.nursing_assessment import bedside, records
from clinic.applications.nursing_assessment.choices import ERROR_REASONS
from clinic.applications.nursing_assessment.scales import Scale
from clinic.toolkit.entry import Problems
from clinic.toolkit.words import moment
from clinic.visit import Visit

WIDTH, HEIGHT, EDGE = 560, 104, 14


def show(visit: Visit) -> Response:
    """Show the list."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    scale = bedside.scale(visit)
    entries = records.entries(visit, scale, bedside.patient(visit)["mrn"])
    counted = [row for row in reversed(records.standing(entries)) if row["total"] is not None]
    return bedside.render(
        visit,
        "history.html",
        f"{scale.key}_history",
        problems,
        scale=scale,
        entries=entries,
        striking=visit.query.get("strike", ""),
        trend=trend(scale, counted),
    )


def trend(scale: Scale, entries: list[sqlite3.Row]) -> list[tuple[float, float, int]]:
    """Return where each total stands in the picture, from the oldest to the newest."""
    if not entries:
        return []
    times = [moment(row["at"]) for row in entries]
    totals = [row["total"] for row in entries]
    low, high = min(totals) - 1, max(totals) + 1
    return [
        (_place(times, at), round(EDGE + (HEIGHT - 2 * EDGE) * (high - total) / (high - low), 1), total)
        for at, total in zip(times, totals, strict=True)
    ]


def _place(times: list[datetime], at: datetime) -> float:
    span = (times[-1] - times[0]).total_seconds() or 1.0
    return round(2 * EDGE + (WIDTH - 4 * EDGE) * (at - times[0]).total_seconds() / span, 1)


def strike(visit: Visit) -> Response:
    """Mark a signed assessment as entered in error; it stays in the list."""
    scale, mrn = bedside.scale(visit), bedside.patient(visit)["mrn"]
    problems = Problems()
    if refused := bedside.role_problem(visit):
        problems.add("", refused)
    problems.add_if(visit.field("error_reason") not in ERROR_REASONS, "error_reason", "Choose the reason.")
    if problems:
        return _render(visit, problems)
    found = {"id": visit.params["id"], "mrn": mrn, "in_error": False, "status": "signed"}
    mark = {"in_error": True, "error_reason": visit.field("error_reason"), "error_by": visit.user_id}
    visit.change(scale.key, found, **mark)
    return visit.go(f"/patients/{mrn}/{scale.key}/history", "The assessment was marked as entered in error.")
