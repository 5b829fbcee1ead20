"""Optimising, computing and evaluating the dose."""

from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.radiation_tps import dosimetry, physics, workspace
from clinic.applications.radiation_tps.choices import PRIORITIES
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

CHART = (500.0, 226.0)
RESULTS = """
    SELECT goals.structure, goals.metric, results.value FROM results JOIN goals ON goals.id = results.goal
    WHERE results.mrn = ? AND results.plan = ? ORDER BY goals.id
"""


def show_optimise(visit: Visit) -> Response:
    """Show goals and priorities."""
    return workspace.render(visit, "optimise")


def compute(visit: Visit) -> Response:
    """Keep the priorities, and compute the dose with them."""
    if problems := workspace.lock(visit):
        return workspace.render(visit, "optimise", problems)
    patient, plan = workspace.patient(visit), workspace.plan(visit)
    if missing := _missing(visit):
        return workspace.render(visit, "optimise", Problems({"": missing}))
    for name in _organs(visit):
        priority = visit.field(f"priority {name}")
        if priority in PRIORITIES:
            place = {"mrn": plan["mrn"], "plan": plan["plan"], "structure": name}
            rows.update(visit.db, "priorities", place, priority=priority)
    result = dosimetry.planned(visit.db, patient, plan)
    if result is None:
        return workspace.render(visit, "optimise", Problems({"": "Body and PTV must be contoured."}))
    dosimetry.store(visit.db, plan, result)
    at = clock.text(visit.now)
    workspace.change(visit, dose_state="current", computed_by=visit.user_id, computed_at=at)
    return workspace.back(visit, "evaluate", "The dose was computed.")


def _missing(visit: Visit) -> str:
    plan = workspace.plan(visit)
    fields = visit.db.execute(dosimetry.BEAMS, (plan["mrn"], plan["plan"])).fetchall()
    gaps = [
        word
        for word, there in (
            ("a prescription", plan["dose_gy"]),
            ("beams", fields),
            ("a technique", plan["technique"]),
        )
        if not there
    ]
    return f"The plan still needs {' and '.join(gaps)}." if gaps else ""


def _organs(visit: Visit) -> list[str]:
    query = "SELECT structure FROM priorities WHERE mrn = ? AND plan = ?"
    return [row["structure"] for row in visit.db.execute(query, (visit.params["mrn"], visit.params["plan"]))]


def show_evaluate(visit: Visit) -> Response:
    """Show the histogram and the figures of a current dose."""
    plan = workspace.plan(visit)
    results = visit.db.execute(RESULTS, (plan["mrn"], plan["plan"])).fetchall()
    return workspace.render(visit, "evaluate", results=results, chart=CHART, **_curves(visit))


def _curves(visit: Visit) -> dict[str, Any]:
    """Return the lines of the histogram in pixels, and where the ticks of its dose axis are."""
    patient, plan = workspace.patient(visit), workspace.plan(visit)
    result = dosimetry.planned(visit.db, patient, plan) if plan["dose_state"] == "current" else None
    if result is None:
        return {"curves": [], "ticks": []}
    width, height = CHART
    top = 1.2 if plan["norm"] != "iso80" else 1.3
    slice_ = result.anatomy
    colours = {row["name"]: row["colour"] for row in workspace.outlines(visit)}
    curves = [
        (
            structure.name,
            colours[structure.name],
            " ".join(
                f"{level / top * width:.1f},{(1 - volume) * height:.1f}"
                for level, volume in physics.histogram(slice_, structure, result.dose, top)
            ),
        )
        for structure in (slice_.target, *slice_.organs)
    ]
    step = 10 if result.prescribed > 40 else 5
    last = int(top * result.prescribed // step)
    ticks = [(tick * step, tick * step / result.prescribed / top * width) for tick in range(last + 1)]
    return {"curves": curves, "ticks": ticks}
