"""The procedure: time-out and start, course, end, and findings."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.endoscopy import case as cases
from clinic.applications.endoscopy.choices import CAECUM, METHODS, PARIS, SCORES, SEGMENTS_SCORED
from clinic.toolkit import second_person
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

NURSES = frozenset({"endoscopy_nurse"})
SHORTEST_WITHDRAWAL = 6
LONGEST_WITHDRAWAL = 120
LARGEST_MM = 100


def show(visit: Visit) -> Response:
    """Show the page, with a finding in the form if one is to be changed."""
    return _render(visit)


def _render(
    visit: Visit, problems: Problems | None = None, warnings: Warnings = None, asking_for: str = ""
) -> Response:
    chosen = visit.params.get("id") or visit.query.get("finding")
    listed = cases.findings(visit, visit.params["case_no"])
    finding = next((row for row in listed if str(row["id"]) == chosen), None)
    jars = [row["jar"] for row in listed if row["jar"] is not None]
    return cases.render(
        visit,
        "procedure",
        problems,
        warnings,
        asking_for=asking_for,
        finding=finding,
        next_jar=max(jars, default=0) + 1,
    )


def start(visit: Visit) -> Response:
    """Record the time-out and begin; without time-out or assessment this has to be confirmed."""
    case = cases.load(visit)
    problems = Problems()
    if problem := cases.writing_problem(visit, case):
        problems.add("", problem)
    elif case["status"] != "scheduled":
        problems.add("", "The procedure was started before.")
    signing = any(visit.field(name) for name in ("second_user", "second_password", "said_aloud"))
    second = second_person.read(visit, NURSES, problems) if signing else None
    if signing and visit.field("said_aloud") != "yes":
        problems.add("said_aloud", "Confirm what was said aloud.")
    if problems:
        return _render(visit, problems)
    warnings = [] if second else ["No time-out with the nurse is recorded."]
    if case["assessed_at"] is None:
        warnings.append("There is no pre-assessment.")
    if warnings and not visit.field("confirmed"):
        return _render(visit, warnings=warnings, asking_for="start")
    now = clock.text(visit.now)
    timeout = {"timeout_with": second["user_id"], "timeout_at": now} if second else {}
    begun = {"status": "in_progress", "started_by": visit.user_id, "started_at": now}
    cases.update(visit, case["case_no"], **begun, **timeout, start_warned=bool(warnings))
    return cases.back(
        visit, "procedure", "Time-out recorded, procedure started." if second else "Procedure started."
    )


def save(visit: Visit) -> Response:
    """Keep caecum, withdrawal time and preparation scores, and end the procedure if that was pressed."""
    case = cases.load(visit)
    problems = Problems()
    ending = visit.field("action") == "end"
    if problem := cases.writing_problem(visit, case) or _not_begun(case):
        problems.add("", problem)
    elif ending and case["status"] != "in_progress":
        problems.add("", "The procedure has ended.")
    values = _course(visit, case["kind"], problems)
    if problems:
        return _render(visit, problems)
    warnings = _doubts(case["kind"], values) if ending else []
    if warnings and not visit.field("confirmed"):
        return _render(visit, warnings=warnings, asking_for="course")
    if ending:
        values |= {"status": "completed", "ended_by": visit.user_id, "ended_at": clock.text(visit.now)}
        values |= {"end_warned": bool(warnings)}
    cases.update(visit, case["case_no"], **values)
    return cases.back(
        visit, "report" if ending else "procedure", "Procedure ended." if ending else "Course saved."
    )


def _not_begun(case: sqlite3.Row) -> str | None:
    return "Start the procedure first." if case["status"] == "scheduled" else None


def _course(visit: Visit, kind: str, problems: Problems) -> dict[str, Any]:
    if kind != "colonoscopy":
        return {}
    caecum, minutes = visit.field("caecum"), visit.field("withdrawal_min")
    problems.add_if(caecum and caecum not in CAECUM, "caecum", "Choose one.")
    number = read_number(minutes, whole=True) if minutes else None
    if minutes and (number is None or not 1 <= number <= LONGEST_WITHDRAWAL):
        problems.add("withdrawal_min", f"1 to {LONGEST_WITHDRAWAL} minutes.")
    scores = {name: visit.field(name) for name in SEGMENTS_SCORED}
    if any(score and score not in SCORES for score in scores.values()):
        problems.add("bbps", "Scores are 0 to 3.")
    whole = {name: int(score) if score in SCORES else None for name, score in scores.items()}
    return {"caecum": caecum or None, "withdrawal_min": number, **whole}


def _doubts(kind: str, values: dict[str, Any]) -> list[str]:
    if kind != "colonoscopy":
        return []
    doubts = []
    if values["caecum"] is None:
        doubts.append("Whether the caecum was reached is not recorded.")
    if any(values[name] is None for name in SEGMENTS_SCORED):
        doubts.append("The preparation of a segment is not scored.")
    minutes = values["withdrawal_min"]
    if values["caecum"] == "reached" and (minutes is None or minutes < SHORTEST_WITHDRAWAL):
        doubts.append(f"Withdrawal of {SHORTEST_WITHDRAWAL} minutes or more is not recorded.")
    return doubts


def add_finding(visit: Visit) -> Response:
    """Add a lesion to the record."""
    case = cases.load(visit)
    problems = Problems()
    values = _lesion(visit, case, problems)
    if problems:
        return _render(visit, problems)
    about = {"case_no": case["case_no"], "mrn": case["mrn"], "by": visit.user_id, "at": clock.text(visit.now)}
    rows.insert(visit.db, "findings", **about, **values)
    return cases.back(visit, "procedure", f"Lesion of {values['size_mm']} mm added.")


def change_finding(visit: Visit) -> Response:
    """Correct a lesion."""
    case = cases.load(visit)
    problems = Problems()
    values = _lesion(visit, case, problems)
    if problems:
        return _render(visit, problems)
    found = {"id": visit.params["id"], "case_no": case["case_no"], "in_error": False}
    visit.change("findings", found, **values)
    return cases.back(visit, "procedure", "Lesion changed.")


def strike_finding(visit: Visit) -> Response:
    """Mark a lesion as recorded in error."""
    case = cases.load(visit)
    if problem := cases.writing_problem(visit, case):
        return _render(visit, Problems({"": problem}))
    found = {"id": visit.params["id"], "case_no": case["case_no"], "in_error": False}
    visit.change("findings", found, in_error=True)
    return cases.back(visit, "procedure", "The lesion was marked as recorded in error.")


def _lesion(visit: Visit, case: sqlite3.Row, problems: Problems) -> dict[str, Any]:
    if problem := cases.writing_problem(visit, case) or _not_begun(case):
        problems.add("", problem)
    offered = {"segment": cases.kinds(visit)[case["kind"]]["segments"], "paris": PARIS, "method": METHODS}
    values: dict[str, Any] = {name: visit.field(name) for name in offered}
    for name, options in offered.items():
        if values[name] not in options:
            problems.add(name, "Choose one.")
    size = read_number(visit.field("size_mm"), whole=True)
    problems.add_if(size is None or not 1 <= size <= LARGEST_MM, "size_mm", f"1 to {LARGEST_MM} mm.")
    jar = read_number(visit.field("jar"), whole=True) if visit.field("jar") else None
    problems.add_if(visit.field("jar") and (jar is None or not 1 <= jar <= 20), "jar", "1 to 20, or blank.")
    return values | {"size_mm": size, "jar": jar}
