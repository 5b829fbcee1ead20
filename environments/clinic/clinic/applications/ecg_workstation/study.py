"""What all panels of a recording share: the patient, the tracing in the chosen view, how to answer."""

import sqlite3
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from clinic import rows
from clinic.applications.ecg_workstation import choices, paper, signal
from clinic.applications.ecg_workstation.dipole import LEADS
from clinic.applications.ecg_workstation.intervals import FORMULAS, corrected
from clinic.applications.ecg_workstation.paper import View
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

STUDY = """
    SELECT study_id, mrn, family_name, given_name, sex, birth_date, studies.location, acquired_at, cart, technician,
           indication, priority, status, speed, gain, layout, lead, analysed_by, analysed_at
    FROM studies JOIN patients USING (mrn) WHERE study_id = ?
"""
OTHERS = """
    SELECT study_id, acquired_at, status, reports.heart_rate, reports.pr_ms, reports.qrs_ms, reports.qt_ms,
           reports.qtc_ms, reports.axis, reports.statements, signed_at
    FROM studies LEFT JOIN reports USING (study_id)
    WHERE studies.mrn = ? AND study_id != ? AND acquired_at < ? ORDER BY acquired_at DESC
"""
STORED = ("speed", "gain", "layout", "lead")
HALF = paper.HEIGHT // 2


def load(visit: Visit) -> sqlite3.Row:
    """Return the recording of the address with its patient, without what no page may show."""
    return visit.one(STUDY, (visit.params["study_id"],))


def address(study_id: str, panel: str = "analysis") -> str:
    """Return where a panel of a recording is."""
    return f"/ecg/{study_id}" + ("" if panel == "analysis" else f"/{panel}")


def earlier(visit: Visit, study: sqlite3.Row) -> list[sqlite3.Row]:
    """Return what was recorded of the patient before."""
    found = visit.db.execute(OTHERS, (study["mrn"], study["study_id"], study["acquired_at"]))
    return found.fetchall()


def library(visit: Visit) -> dict[str, str]:
    """Return the statements by code."""
    return choices.statements(visit.fixtures.load("ecg_workstation/statements"))


def automatic(visit: Visit, study: sqlite3.Row) -> sqlite3.Row | None:
    """Return the result of the analysis, once it was run."""
    if study["analysed_at"] is None:
        return None
    query = "SELECT * FROM automatic WHERE study_id = ?"
    row: sqlite3.Row = visit.db.execute(query, (study["study_id"],)).fetchone()
    return row


def view(visit: Visit, study: sqlite3.Row) -> View:
    """Return the view of the address; what it leaves open is as stored with the recording."""
    speed = _pick(visit, "speed", paper.SPEEDS, study["speed"])
    return View(
        speed=speed,
        gain=_pick(visit, "gain", paper.GAINS, study["gain"]),
        layout=_pick(visit, "layout", tuple(paper.LAYOUTS), study["layout"]),
        lead=_pick(visit, "lead", LEADS, study["lead"]),
        start=_pick(visit, "start", (0, 5), 0) if speed == 50 else 0,
    )


def _pick(visit: Visit, name: str, allowed: tuple[Any, ...], stored: Any) -> Any:
    wanted = visit.query.get(name, "")
    return next((value for value in allowed if str(value) == wanted), stored)


def _changed(study: sqlite3.Row, seen: View) -> dict[str, Any]:
    """Return what of the view is not as stored."""
    return {name: getattr(seen, name) for name in STORED if getattr(seen, name) != study[name]}


def _link(
    study: sqlite3.Row, seen: View, against: str | None, panel: str, to: str = "", **changes: Any
) -> str:
    """Return the address of a panel, this one if none is named, with the view as it is but for some changes."""
    query = {**_changed(study, seen), "start": seen.start, "compare": against, **changes}
    if query.get("speed", study["speed"]) != 50:
        query["start"] = 0
    kept = {name: value for name, value in query.items() if value and value != dict(study).get(name)}
    return address(study["study_id"], to or panel) + (f"?{urlencode(kept)}" if kept else "")


def _signal(visit: Visit, study_id: str) -> signal.Signal:
    return signal.read(visit.db.execute("SELECT * FROM signals WHERE study_id = ?", (study_id,)).fetchone())


def _sheets(visit: Visit, study: sqlite3.Row, seen: View, below: sqlite3.Row | None) -> list[paper.Sheet]:
    """Draw the recording, and an earlier one below it when both are compared."""
    if below is None:
        return [paper.draw(_signal(visit, study["study_id"]), seen)]
    both = (study["study_id"], below["study_id"])
    return [paper.draw(_signal(visit, each), seen, HALF, short=True) for each in both]


def render(
    visit: Visit, panel: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a panel beside the tracing: as it is, with refusals (422), or asking to confirm."""
    study = load(visit)
    workstation.show(visit, f"{panel} {study['study_id']}", study["mrn"])
    others, seen = earlier(visit, study), view(visit, study)
    below = next((row for row in others if row["study_id"] == visit.query.get("compare")), None)
    formula = visit.query.get("qtc", "bazett")
    return visit.render(
        f"{panel}.html",
        **said(visit, problems, warnings),
        study=study,
        panel=panel,
        view=seen,
        kept=not _changed(study, seen),
        below=below,
        sheets=_sheets(visit, study, seen, below),
        paper=paper,
        half=HALF,
        others=others,
        library=library(visit),
        automatic=automatic(visit, study),
        formula=formula if formula in FORMULAS else "bazett",
        corrected=corrected,
        staff=visit.staff(),
        link=partial(_link, study, seen, visit.query.get("compare"), panel),
        base=address(study["study_id"]),
        **context,
    )


def update(visit: Visit, study: sqlite3.Row, **values: Any) -> None:
    """Change fields of a recording."""
    rows.update(visit.db, "studies", {"study_id": study["study_id"]}, **values)
