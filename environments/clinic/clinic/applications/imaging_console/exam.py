"""What all pages of one examination share: order, patient, progress, who may act, how to answer."""

import sqlite3
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.toolkit import workstation
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings, said
from clinic.visit import Visit

ORDER = """
    SELECT accession, mrn, modality, procedure, contrast, indication, plan, referrer, scheduled_at, status
    FROM orders WHERE accession = ?
"""
NEXT_STEPS = {"patient": "safety", "safety": "protocol", "protocol": "technique", "technique": "scan"}


@dataclass(frozen=True)
class Exam:
    """One order with everything that a page may show of it."""

    visit: Visit
    order: sqlite3.Row
    patient: sqlite3.Row

    @property
    def key(self) -> dict[str, str]:
        """The columns that every entry of the examination has."""
        return {"accession": self.order["accession"], "mrn": self.order["mrn"]}

    @property
    def is_ct(self) -> bool:
        """Whether it is done on the CT scanner."""
        return bool(self.order["modality"] == "CT")

    @property
    def stamp(self) -> dict[str, str]:
        """Who does something, and when."""
        return {"by": self.visit.user_id, "at": clock.text(self.visit.now)}

    def entries(self, table: str) -> list[sqlite3.Row]:
        """Return the entries of a table, the oldest first."""
        known = ("screenings", "scouts", "injections", "scans", "reconstructions", "transfers", "holds")
        assert table in known
        query = f"SELECT * FROM {table} WHERE accession = ? ORDER BY id"  # noqa: S608 - one of the above
        return self.visit.db.execute(query, (self.order["accession"],)).fetchall()

    def last(self, table: str) -> sqlite3.Row | None:
        """Return the latest entry of a table."""
        found = self.entries(table)
        return found[-1] if found else None

    def one(self, table: str) -> sqlite3.Row | None:
        """Return the row of a table that has one for an examination."""
        assert table in ("exams", "techniques")
        query = f"SELECT * FROM {table} WHERE accession = ?"  # noqa: S608 - one of the above
        row: sqlite3.Row | None = self.visit.db.execute(query, (self.order["accession"],)).fetchone()
        return row

    def about(self, table: str, order: str) -> list[sqlite3.Row]:
        """Return what the chart says of the patient."""
        assert table in ("allergies", "labs", "devices")
        query = f"SELECT * FROM {table} WHERE mrn = ? ORDER BY {order}"  # noqa: S608 - as above
        return self.visit.db.execute(query, (self.order["mrn"],)).fetchall()

    def protocols(self) -> dict[str, dict[str, Any]]:
        """Return the protocols of the scanner."""
        known: dict[str, dict[str, Any]] = self.visit.fixtures.load("imaging_console/protocols")[
            self.order["modality"].lower()
        ]
        return known

    def protocol(self) -> dict[str, Any] | None:
        """Return the protocol that was selected."""
        row = self.one("exams")
        return self.protocols()[row["protocol"]] if row is not None and row["protocol"] else None

    def set_status(self, status: str) -> None:
        """Move the order on."""
        rows.update(self.visit.db, "orders", {"accession": self.order["accession"]}, status=status)

    def go(self, step: str, notice: str) -> Response:
        """Answer a completed entry with a step of this examination."""
        return self.visit.go(f"/exam/{self.order['accession']}/{step}", notice)

    def add(self, table: str, **values: Any) -> None:
        """Add an entry of this examination."""
        rows.insert(self.visit.db, table, **self.key, **values, **self.stamp)


def load(visit: Visit) -> Exam:
    """Return the examination of the address."""
    order = visit.one(ORDER, (visit.params["accession"],))
    patient = visit.db.execute("SELECT * FROM patients WHERE mrn = ?", (order["mrn"],)).fetchone()
    return Exam(visit, order, patient)


def role_problem(visit: Visit) -> str | None:
    """Return why this user may not operate a scanner, if so."""
    if visit.user is not None and visit.user["role"] == "technologist":
        return None
    return "Your role may view examinations. Scanners are operated by the technologist."


def blocked(exam: Exam) -> str | None:
    """Return why nothing may be entered for this examination now, if so."""
    if problem := role_problem(exam.visit):
        return problem
    if exam.order["status"] != "registered":
        return {
            "scheduled": "Register the patient first.",
            "completed": "The examination is completed.",
            "on_hold": "The order is on hold.",
            "cancelled": "The order was cancelled.",
        }[exam.order["status"]]
    return None


def refuse(exam: Exam, step: str, text: str, **context: Any) -> Response:
    """Answer that nothing was stored, and why."""
    return render(exam, step, Problems({"": text}), **context)


def render(
    exam: Exam, step: str, problems: Problems | None = None, warnings: Warnings = None, **context: Any
) -> Response:
    """Answer with a step: as it is, with refusals (422), or with a dialog asking to confirm."""
    visit = exam.visit
    workstation.show(visit, step, exam.order["mrn"])
    people = visit.staff()
    return visit.render(
        f"{step}.html",
        **said(visit, problems, warnings),
        exam=exam,
        order=exam.order,
        patient=exam.patient,
        registration=exam.one("exams"),
        technique=exam.one("techniques"),
        protocol=exam.protocol(),
        step=step,
        staff=people,
        **context,
    )
