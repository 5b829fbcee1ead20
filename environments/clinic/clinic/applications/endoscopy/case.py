"""What all pages of a procedure share: loading it without what no page may show, and answering."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import rows
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

CASE = """
    SELECT case_no, procedures.mrn, family_name, given_name, sex, birth_date, history, medication, allergies, kind,
           room, scheduled_at, status, indication, endoscopist, nurse, asa, last_fluids, antithrombotic, consent,
           allergies_confirmed, assessed_by, assessed_at, timeout_with, timeout_at, started_by, started_at, caecum,
           withdrawal_min, bbps_right, bbps_transverse, bbps_left, ended_at, recommendation, comment, signed_by,
           signed_at
    FROM procedures JOIN patients USING (mrn) WHERE case_no = ?
"""
WRITERS = ("endoscopist", "other_endoscopist")
FIRST_PAGE = {
    "scheduled": "assessment",
    "in_progress": "procedure",
    "completed": "report",
    "reported": "report",
}


def kinds(visit: Visit) -> dict[str, Any]:
    """Return the kinds of procedures by key."""
    return visit.fixtures.load("endoscopy/procedures")


def load(visit: Visit) -> sqlite3.Row:
    """Return the procedure of the address."""
    return visit.one(CASE, (visit.params["case_no"],))


def findings(visit: Visit, case_no: str) -> list[sqlite3.Row]:
    """Return the findings that were not struck out."""
    query = "SELECT * FROM findings WHERE case_no = ? AND NOT in_error ORDER BY id"
    return visit.db.execute(query, (case_no,)).fetchall()


def images(visit: Visit, case_no: str) -> list[sqlite3.Row]:
    """Return the pictures taken, without what they show."""
    query = "SELECT number, taken_at, label FROM images WHERE case_no = ? ORDER BY number"
    return visit.db.execute(query, (case_no,)).fetchall()


def update(visit: Visit, case_no: str, **values: Any) -> None:
    """Change fields of a procedure."""
    rows.update(visit.db, "procedures", {"case_no": case_no}, **values)


def writing_problem(visit: Visit, case: sqlite3.Row) -> str | None:
    """Return why nothing may be written into this case any more, or by this user."""
    if case["signed_at"] is not None:
        return "The report is signed; the case cannot be changed."
    if case["status"] == "cancelled":
        return "The procedure was cancelled."
    if visit.user is None or visit.user["role"] not in WRITERS:
        return "Your role may read this case; the endoscopist writes it."
    return None


def back(visit: Visit, page: str, notice: str | None = None) -> Response:
    """Return to a page of the case."""
    return visit.go(f"/case/{visit.params['case_no']}/{page}", notice)


def enter(visit: Visit) -> Response:
    """Lead to where the work on this case goes on."""
    return back(visit, FIRST_PAGE.get(load(visit)["status"], "assessment"))


def render(
    visit: Visit, page: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a page of the case: as it is, with refusals (422), or with a dialog asking to confirm."""
    case = load(visit)
    case_no = case["case_no"]
    workstation.show(visit, page, case["mrn"])
    notes = visit.db.execute("SELECT * FROM notes WHERE case_no = ? ORDER BY at, id", (case_no,)).fetchall()
    staff = visit.db.execute("SELECT user_id, name FROM users").fetchall()
    return visit.render(
        f"{page}.html",
        **said(visit, problems, warnings),
        case=case,
        kind=kinds(visit)[case["kind"]],
        page=page,
        staff={row["user_id"]: row["name"] for row in staff},
        notes=notes,
        findings=findings(visit, case_no),
        images=images(visit, case_no),
        **context,
    )
