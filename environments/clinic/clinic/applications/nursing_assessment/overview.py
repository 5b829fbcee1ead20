"""The first page of a patient: facts, weights, latest results and running measures."""

from starlette.responses import Response

from clinic.applications.nursing_assessment import bedside, plan
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the overview."""
    mrn = visit.params["mrn"]
    return bedside.render(
        visit, "overview.html", "overview", weights=weights(visit, mrn), running=plan.running(visit, mrn)
    )


def weights(visit: Visit, mrn: str) -> list[object]:
    """Return all weighings, the newest first."""
    return visit.db.execute("SELECT * FROM weights WHERE mrn = ? ORDER BY at DESC", (mrn,)).fetchall()
