"""The report: structured findings and impression, as a draft, and signed."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.ultrasound import exam as exams
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

LONGEST_IMPRESSION = 600


def show(visit: Visit) -> Response:
    """Show the report."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    accession = visit.params["accession"]
    report = visit.db.execute("SELECT * FROM reports WHERE accession = ?", (accession,)).fetchone()
    return exams.render(visit, "report", problems, warnings, report=report, values=_values(visit))


def _values(visit: Visit) -> dict[str, str]:
    query = "SELECT field, value FROM report_values WHERE accession = ?"
    return {row["field"]: row["value"] for row in visit.db.execute(query, (visit.params["accession"],))}


def save(visit: Visit) -> Response:
    """Keep a draft, or sign; a signed report stays as it is."""
    exam = exams.load(visit)
    problems = _obstacles(visit, exam)
    fields = exams.protocols(visit)[exam["protocol"]]["fields"]
    entered = {field["key"]: visit.field(field["key"]) for field in fields}
    for field in fields:
        _check(field, entered[field["key"]], problems)
    if len(visit.field("impression")) > LONGEST_IMPRESSION:
        problems.add("impression", f"At most {LONGEST_IMPRESSION} characters.")
    signing = visit.field("action") == "sign"
    if signing:
        _complete(fields, entered, problems)
    if problems:
        return _render(visit, problems)
    warnings = _warnings(visit, exam, fields, entered) if signing else []
    if warnings and not visit.field("confirmed"):
        return _render(visit, warnings=warnings)
    _store(visit, exam, entered)
    if not signing:
        return exams.back(visit, "report", "Draft saved.")
    _sign(visit, exam, warned=bool(warnings))
    return exams.back(visit, "report", "Report signed.")


def _obstacles(visit: Visit, exam: sqlite3.Row) -> Problems:
    problems = Problems()
    if visit.user is None or visit.user["role"] not in ("sonologist", "resident"):
        problems.add("", "Your role may read reports, but not write them.")
    if exam["report_status"] == "signed":
        problems.add("", "The report is signed and cannot be changed.")
    elif exam["status"] not in ("in_progress", "scanned"):
        problems.add("", "There is nothing to report yet: the exam was not started.")
    if visit.field("action") not in ("save", "sign"):
        problems.add("", "Choose Save draft or Sign report.")
    elif visit.field("action") == "sign" and visit.user is not None and visit.user["role"] == "resident":
        problems.add("", "A resident's report is signed by the sonologist.")
    return problems


def _check(field: Mapping[str, Any], value: str, problems: Problems) -> None:
    if not value:
        return
    if "options" in field:
        if value not in field["options"]:
            problems.add(field["key"], "Choose one of those shown.")
        return
    number, (low, high) = read_number(value, whole=False), field["limits"]
    if number is None or not low <= number <= high:
        problems.add(field["key"], f"Enter {low} to {high} {field['unit']}.")


def _complete(fields: list[dict[str, Any]], entered: Mapping[str, str], problems: Problems) -> None:
    for field in fields:
        if not entered[field["key"]]:
            problems.add(field["key"], "Needed before signing.")


def _warnings(
    visit: Visit, exam: sqlite3.Row, fields: list[dict[str, Any]], entered: Mapping[str, str]
) -> list[str]:
    warnings = []
    if not exams.listed(visit, "captures", exam["accession"]):
        warnings.append("No picture was stored in this exam.")
    alert = any(entered[field["key"]] in field.get("alerts", ()) for field in fields)
    if alert and not exams.listed(visit, "calls", exam["accession"]):
        warnings.append("This result is on the critical-results list, and nobody has been told.")
    return warnings


def _store(visit: Visit, exam: sqlite3.Row, entered: Mapping[str, str]) -> None:
    known, accession = _values(visit), exam["accession"]
    for name, value in entered.items():
        if name in known:
            rows.update(visit.db, "report_values", {"accession": accession, "field": name}, value=value)
        elif value:
            about = {"accession": accession, "field": name, "mrn": exam["mrn"]}
            rows.insert(visit.db, "report_values", **about, value=value)
    stamp = {"saved_by": visit.user_id, "saved_at": clock.text(visit.now)}
    impression = visit.field("impression").replace("\r\n", "\n")
    rows.update(visit.db, "reports", {"accession": accession}, status="draft", impression=impression, **stamp)


def _sign(visit: Visit, exam: sqlite3.Row, *, warned: bool) -> None:
    stamp = {"signed_by": visit.user_id, "signed_at": clock.text(visit.now)}
    rows.update(
        visit.db, "reports", {"accession": exam["accession"]}, status="signed", warned=warned, **stamp
    )
    exams.update(visit, exam["accession"], status="reported")
