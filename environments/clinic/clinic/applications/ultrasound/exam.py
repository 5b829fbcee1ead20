"""What all pages of an exam share: loading it without what no page may show, and answering."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import rows
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

EXAM = """
    SELECT accession, exams.mrn, family_name, given_name, sex, birth_date, protocol, scheduled_at, priority,
           exams.status, indication, referrer, started_by, started_at, identity_checked, probe, mode, depth_cm, gain,
           frequency_mhz, focus_cm, tgc_near, tgc_mid, tgc_far, frozen, side, plane,
           reports.status AS report_status
    FROM exams JOIN patients USING (mrn) JOIN reports USING (accession) WHERE accession = ?
"""
LISTED = {
    table: f"SELECT * FROM {table} WHERE accession = ? AND NOT in_error ORDER BY id"  # noqa: S608 - own names
    for table in ("captures", "measurements", "calls")
}


def protocols(visit: Visit) -> dict[str, Any]:
    """Return the kinds of exams by key."""
    return visit.fixtures.load("ultrasound/protocols")


def load(visit: Visit) -> sqlite3.Row:
    """Return the exam of the address."""
    return visit.one(EXAM, (visit.params["accession"],))


def listed(visit: Visit, table: str, accession: str) -> list[sqlite3.Row]:
    """Return the entries of an exam that were not deleted."""
    return visit.db.execute(LISTED[table], (accession,)).fetchall()


def update(visit: Visit, accession: str, **values: Any) -> None:
    """Change fields of an exam."""
    rows.update(visit.db, "exams", {"accession": accession}, **values)


def strike(visit: Visit, table: str) -> sqlite3.Row:
    """Delete an entry of the exam from view; the journal keeps it."""
    exam = load(visit)
    found = {"id": visit.params["id"], "accession": exam["accession"], "in_error": False}
    visit.change(table, found, in_error=True)
    return exam


def back(visit: Visit, page: str, notice: str | None = None) -> Response:
    """Return to a page of the exam."""
    return visit.go(f"/exam/{visit.params['accession']}/{page}", notice)


def enter(visit: Visit) -> Response:
    """Lead to where the work on this exam goes on: the machine, or the report."""
    scanning = load(visit)["status"] in ("scheduled", "in_progress", "cancelled")
    return back(visit, "scan" if scanning else "report")


def render(
    visit: Visit, page: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a page of the exam: as it is, with refusals (422), or with a dialog asking to confirm."""
    exam = load(visit)
    accession = exam["accession"]
    workstation.show(visit, page, exam["mrn"])
    everyone = visit.db.execute("SELECT user_id, name, credentials, role FROM users").fetchall()
    worksheet = visit.db.execute("SELECT * FROM worksheet WHERE accession = ? ORDER BY id", (accession,))
    nodules = visit.db.execute("SELECT * FROM nodules WHERE accession = ? ORDER BY number", (accession,))
    return visit.render(
        f"{page}.html",
        **said(visit, problems, warnings),
        exam=exam,
        protocol=protocols(visit)[exam["protocol"]],
        page=page,
        staff={row["user_id"]: row["name"] for row in everyone},
        people=everyone,
        worksheet=worksheet.fetchall(),
        nodules=nodules.fetchall(),
        captures=listed(visit, "captures", accession),
        measurements=listed(visit, "measurements", accession),
        calls=listed(visit, "calls", accession),
        **context,
    )
