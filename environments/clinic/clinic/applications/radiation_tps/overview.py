"""The overview: the physician's directive and the goals of the protocol."""

from starlette.responses import Response

from clinic.applications.radiation_tps import workspace
from clinic.visit import Visit

DIRECTIVES = """
    SELECT directives.*, users.name AS by_name FROM directives JOIN users ON users.user_id = directives.by
    WHERE mrn = ? ORDER BY version DESC
"""


def show(visit: Visit) -> Response:
    """Show the tab."""
    found = visit.db.execute(DIRECTIVES, (workspace.patient(visit)["mrn"],)).fetchall()
    return workspace.render(visit, "overview", directives=found)
