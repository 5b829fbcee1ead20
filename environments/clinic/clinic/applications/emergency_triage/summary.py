"""The first tab of a chart: why the patient came and what is known."""

from starlette.responses import Response

from clinic.applications.emergency_triage import chart
from clinic.visit import Visit


def show(visit: Visit) -> Response:
    """Show the summary."""
    return chart.render(visit, "summary")
