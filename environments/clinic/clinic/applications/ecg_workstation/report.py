"""The report: over-read measurements, statements, comparison, and the signature."""

import secrets
import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.ecg_workstation import study
from clinic.applications.ecg_workstation.choices import COMPARISONS, CRITICAL
from clinic.applications.ecg_workstation.intervals import FORMULAS, corrected
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

# What a form field may hold; outside of it no heart and no recording has ever been.
LIMITS = {
    "heart_rate": (15, 350, "Rate"),
    "pr_ms": (60, 600, "PR"),
    "qrs_ms": (40, 300, "QRS"),
    "qt_ms": (150, 800, "QT"),
    "axis": (-180, 180, "Axis"),
}
LONGEST_COMMENT = 400
_BLANK = {"statements": "", "qtc_formula": "bazett", "comparison": "", "comment": ""}


def stored(visit: Visit) -> sqlite3.Row | None:
    """Return the report of the recording as it was saved last."""
    query = "SELECT * FROM reports WHERE study_id = ?"
    row: sqlite3.Row | None = visit.db.execute(query, (visit.params["study_id"],)).fetchone()
    return row


def show(visit: Visit) -> Response:
    """Show the form, or the signed report."""
    return _render(visit)


def _start(visit: Visit) -> dict[str, str]:
    """Return what the form begins with: the saved report, else the automatic analysis."""
    row = stored(visit) or study.automatic(visit, study.load(visit)) or ()
    return _BLANK | {name: "" if value is None else str(value) for name, value in dict(row).items()}


def _render(visit: Visit, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    entered = {name: value for name, value in visit.form.items() if name != "password"}
    values = entered or _start(visit)
    known = study.library(visit)
    chosen = [code for code in values.get("statements", "").split(",") if code in known]
    return study.render(
        visit, "report", problems, warnings, values=values, chosen=chosen, report=stored(visit), limits=LIMITS
    )


def _read(visit: Visit, problems: Problems) -> dict[str, Any]:
    """Read the form into the columns of a report."""
    values: dict[str, Any] = {name: _whole(visit, name, problems) for name in LIMITS}
    codes = list(dict.fromkeys(code for code in visit.field("statements").split(",") if code))
    if any(code not in study.library(visit) for code in codes):
        problems.add("statements", "Choose statements from the list.")
    formula, comparison, comment = (visit.field(name) for name in ("qtc_formula", "comparison", "comment"))
    problems.add_if(formula not in FORMULAS, "qtc_formula", "Choose a formula.")
    problems.add_if(comparison and comparison not in COMPARISONS, "comparison", "Choose from the list.")
    problems.add_if(len(comment) > LONGEST_COMMENT, "comment", f"At most {LONGEST_COMMENT} characters.")
    if problems:
        return {}
    rate, qt = values["heart_rate"], values["qt_ms"]
    values["qtc_ms"] = corrected(qt, rate, formula) if rate and qt else None
    texts = {"statements": ",".join(codes), "comparison": comparison, "comment": comment}
    return values | texts | {"qtc_formula": formula}


def _whole(visit: Visit, name: str, problems: Problems) -> int | None:
    text = visit.field(name).replace("−", "-")
    low, high, _ = LIMITS[name]
    if not text:
        return None
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        problems.add(name, "Whole number.")
        return None
    if not low <= int(text) <= high:
        problems.add(name, f"{low} to {high}.")
    return int(text)


def _store(visit: Visit, recording: sqlite3.Row, values: dict[str, Any], **more: Any) -> None:
    row = values | more | {"saved_by": visit.user_id, "saved_at": clock.text(visit.now)}
    if not rows.update(visit.db, "reports", {"study_id": recording["study_id"]}, **row):
        rows.insert(visit.db, "reports", study_id=recording["study_id"], mrn=recording["mrn"], **row)


def _refusal(visit: Visit, recording: sqlite3.Row) -> Problems:
    """Refuse users who may not read ECGs, and reports that are signed already."""
    problems = Problems()
    if visit.user is None or visit.user["role"] != "reader":
        problems.add("", "Your role may view and analyse; reports are written by a reading cardiologist.")
    problems.add_if(recording["status"] == "signed", "", "This report is signed and cannot be changed.")
    return problems


def save(visit: Visit) -> Response:
    """Keep the report as a draft."""
    recording = study.load(visit)
    problems = _refusal(visit, recording)
    values = _read(visit, problems)
    if problems:
        return _render(visit, problems)
    _store(visit, recording, values)
    study.update(visit, recording, status="draft")
    return visit.go(study.address(recording["study_id"], "report"), "Draft saved.")


def sign(visit: Visit) -> Response:
    """Sign the report with the password; what looks forgotten is asked for first."""
    recording = study.load(visit)
    problems = _refusal(visit, recording)
    values = _read(visit, problems)
    if not problems:
        _check_signature(visit, values, problems)
    if problems:
        return _render(visit, problems)
    odd = _oddities(visit, recording, values)
    if odd and not visit.field("confirmed"):
        return _render(visit, warnings=odd)
    signature = {"signed_by": visit.user_id, "signed_at": clock.text(visit.now)}
    _store(visit, recording, values, warned=bool(odd), **signature)
    study.update(visit, recording, status="signed")
    return visit.go(study.address(recording["study_id"], "report"), "Report signed.")


def _check_signature(visit: Visit, values: dict[str, Any], problems: Problems) -> None:
    problems.add_if(not values["statements"], "statements", "A report needs a statement.")
    problems.add_if(values["heart_rate"] is None, "heart_rate", "Needed.")
    assert visit.user is not None
    given = visit.form.get("password", "").encode()
    if not secrets.compare_digest(visit.user["password"].encode(), given):
        problems.add("password", "The password is not right.")


def _oddities(visit: Visit, recording: sqlite3.Row, values: dict[str, Any]) -> list[str]:
    codes, known = values["statements"].split(","), study.library(visit)
    told = visit.db.execute("SELECT 1 FROM alerts WHERE study_id = ?", (recording["study_id"],)).fetchone()
    odd = []
    if recording["analysed_at"] is None:
        odd.append("The automatic analysis was not run.")
    if told is None:
        odd += [f"{known[code]}: nobody was alerted." for code in codes if code in CRITICAL]
    if "normal_ecg" in codes and any(code in CRITICAL or code == "lbbb" for code in codes):
        odd.append("“Normal ECG” contradicts another statement.")
    return odd
