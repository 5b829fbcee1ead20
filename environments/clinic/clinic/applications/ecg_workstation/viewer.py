"""The tracing with the automatic analysis, the stored view, and what was recorded before."""

from starlette.responses import Response

from clinic import clock
from clinic.applications.ecg_workstation import paper, study
from clinic.applications.ecg_workstation.dipole import LEADS
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

_ALLOWED = {
    "speed": [str(speed) for speed in paper.SPEEDS],
    "gain": [str(gain) for gain in paper.GAINS],
    "layout": list(paper.LAYOUTS),
    "lead": list(LEADS),
}


def show(visit: Visit) -> Response:
    """Show the tracing and the analysis."""
    return study.render(visit, "analysis")


def previous(visit: Visit) -> Response:
    """Show the tracing and earlier recordings of the patient."""
    return study.render(visit, "previous")


def save_view(visit: Visit) -> Response:
    """Store speed, gain, layout and lead with the recording."""
    recording = study.load(visit)
    if any(visit.field(name) not in allowed for name, allowed in _ALLOWED.items()):
        return study.render(visit, "analysis", Problems({"": "This view cannot be stored."}))
    study.update(
        visit,
        recording,
        speed=int(visit.field("speed")),
        gain=int(visit.field("gain")),
        layout=visit.field("layout"),
        lead=visit.field("lead"),
    )
    panel = visit.field("panel")
    where = study.address(
        recording["study_id"], panel if panel in ("report", "previous", "alert") else "analysis"
    )
    return visit.go(where, "View stored with the recording.")


def analyse(visit: Visit) -> Response:
    """Run the algorithm, once for a recording."""
    recording = study.load(visit)
    if recording["analysed_at"] is not None:
        return study.render(visit, "analysis", Problems({"": "The analysis was run already."}))
    study.update(visit, recording, analysed_by=visit.user_id, analysed_at=clock.text(visit.now))
    return visit.go(study.address(recording["study_id"]), "Analysis complete. Unconfirmed until over-read.")
