"""The contours tab: auto-contouring with a model, and removing a contour."""

from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.radiation_tps import workspace
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def _models(visit: Visit) -> dict[str, list[str]]:
    found: dict[str, list[str]] = visit.fixtures.load("radiation_tps/models")["models"]
    return found


def show(visit: Visit) -> Response:
    """Show the tab, with the structures of the model that was asked for."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    models = _models(visit)
    asked = visit.field("model") or visit.query.get("model", "")
    return workspace.render(
        visit,
        "contours",
        problems,
        models={name: name for name in models},
        model=asked,
        offered=models.get(asked, []),
    )


def run(visit: Visit) -> Response:
    """Contour the ticked structures, replacing what is there."""
    if problems := workspace.lock(visit):
        return _render(visit, problems)
    models, model = _models(visit), visit.field("model")
    known = {row["name"]: row for row in workspace.outlines(visit)}
    ticked = [name for name in models.get(model, []) if visit.field(f"pick {name}")]
    problems = Problems()
    if model not in models:
        problems.add("model", "Choose a model.")
    elif not ticked:
        problems.add("", "Tick at least one structure.")
    elif missing := [name for name in ticked if name not in known]:
        problems.add("", f"The model found no {', '.join(missing)} in this CT. Nothing was contoured.")
    if problems:
        return _render(visit, problems)
    for name in ticked:
        _contour(visit, name, contoured=True, source="auto")
    return workspace.back(visit, "contours", f"Contoured: {', '.join(ticked)}.")


def clear(visit: Visit) -> Response:
    """Remove the contour of an organ."""
    if problems := workspace.lock(visit):
        return _render(visit, problems)
    name = visit.field("name")
    organs = [row["name"] for row in workspace.outlines(visit) if row["kind"] == "organ" and row["contoured"]]
    if name not in organs:
        return _render(visit, Problems({"": "Only a contoured organ can be cleared."}))
    _contour(visit, name, contoured=False, source=None)
    return workspace.back(visit, "contours", f"Cleared: {name}.")


def _contour(visit: Visit, name: str, **values: Any) -> None:
    signed = {"changed_by": visit.user_id, "changed_at": clock.text(visit.now)}
    rows.update(visit.db, "structures", {"mrn": visit.params["mrn"], "name": name}, **values, **signed)
    for plan in visit.db.execute("SELECT * FROM plans WHERE mrn = ?", (visit.params["mrn"],)).fetchall():
        workspace.outdate(visit, plan)
