"""Daily quality control of the CT scanner on a water phantom."""

import re
import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console.choices import ARTEFACTS, RESULTS
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import said
from clinic.visit import Visit

SCANNER = "CT 1"
SIGNED = re.compile(r"[-−]?[0-9]{1,3}(\.[0-9])?", re.ASCII)
# Label, and the lowest and highest value that passes.
LIMITS = {
    "water_hu": ("Water, centre", -5.0, 5.0),
    "noise_hu": ("Noise", 0.0, 6.0),
    "uniformity_hu": ("Uniformity", 0.0, 5.0),
}
EDGES = {"north": "12 o'clock", "east": "3 o'clock", "south": "6 o'clock", "west": "9 o'clock"}
POSSIBLE = (-200.0, 200.0)


def scanner(visit: Visit) -> sqlite3.Row:
    """Return the CT scanner."""
    row: sqlite3.Row = visit.db.execute("SELECT * FROM scanners WHERE name = ?", (SCANNER,)).fetchone()
    return row


def last_phantom(visit: Visit) -> sqlite3.Row | None:
    """Return the latest scan of the phantom."""
    row: sqlite3.Row | None = visit.db.execute("SELECT * FROM phantom_scans ORDER BY id DESC").fetchone()
    return row


def show(visit: Visit) -> Response:
    """Show the page."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    workstation.show(visit, "quality")
    informed = visit.db.execute("SELECT user_id, name FROM users WHERE role = 'physicist' ORDER BY name")
    return visit.render(
        "quality.html",
        **said(visit, problems),
        scanner=scanner(visit),
        phantom=last_phantom(visit),
        history=visit.db.execute("SELECT * FROM qc_results ORDER BY at DESC, id DESC").fetchall(),
        staff=visit.staff(),
        informed={row["user_id"]: row["name"] for row in informed},
        duty=visit.db.execute(
            "SELECT name FROM duties JOIN users ON user_id = user WHERE post = 'physicist'"
        ).fetchone(),
        limits=LIMITS,
        edges=EDGES,
    )


def _back(visit: Visit, notice: str) -> Response:
    return visit.go("/quality", notice)


def scan_phantom(visit: Visit) -> Response:
    """Scan the water phantom."""
    if problem := exams.role_problem(visit):
        return _render(visit, Problems({"": problem}))
    stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
    rows.insert(visit.db, "phantom_scans", scanner=SCANNER, **stamp)
    return _back(visit, "Phantom scanned.")


def save(visit: Visit) -> Response:
    """Store what was measured and the decision; the console does not decide."""
    if problem := exams.role_problem(visit):
        return _render(visit, Problems({"": problem}))
    phantom = last_phantom(visit)
    if phantom is None:
        return _render(visit, Problems({"": "Scan the phantom first."}))
    problems = Problems()
    values = {name: _number(visit, name, problems) for name in LIMITS}
    for name, options in (("artefact", ARTEFACTS), ("result", RESULTS)):
        if visit.field(name) not in options:
            problems.add(name, "Choose one.")
    if problems:
        return _render(visit, problems)
    rows.insert(
        visit.db,
        "qc_results",
        scanner=SCANNER,
        phantom_scan=phantom["id"],
        **values,
        artefact=visit.field("artefact"),
        result=visit.field("result"),
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    return _back(visit, "Result saved.")


def _number(visit: Visit, name: str, problems: Problems) -> float:
    text = visit.field(name)
    value = float(text.replace("−", "-")) if SIGNED.fullmatch(text) else None
    if value is None or not POSSIBLE[0] <= value <= POSSIBLE[1]:
        problems.add(name, "Enter a number with at most one decimal, for example -1.2.")
        return 0.0
    return value


def take_out(visit: Visit) -> Response:
    """Take the scanner out of service and say who was told."""
    if problem := exams.role_problem(visit):
        return _render(visit, Problems({"": problem}))
    informed = visit.field("informed")
    known = "SELECT 1 FROM users WHERE user_id = ? AND role = 'physicist'"
    if visit.db.execute(known, (informed,)).fetchone() is None:
        return _render(visit, Problems({"informed": "Choose who was told."}))
    _set_service(visit, in_service=False, informed=informed)
    return _back(visit, "The scanner is out of service.")


def put_back(visit: Visit) -> Response:
    """Put the scanner back into service."""
    if problem := exams.role_problem(visit):
        return _render(visit, Problems({"": problem}))
    _set_service(visit, in_service=True, informed=None)
    return _back(visit, "The scanner is in service.")


def _set_service(visit: Visit, *, in_service: bool, informed: str | None) -> None:
    stamp = {"changed_by": visit.user_id, "changed_at": clock.text(visit.now)}
    rows.update(visit.db, "scanners", {"name": SCANNER}, in_service=in_service, informed=informed, **stamp)
