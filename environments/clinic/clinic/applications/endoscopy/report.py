"""The report: what was recorded, what follows from it, and the signature."""

import secrets
import sqlite3

from starlette.responses import Response

from clinic import clock
from clinic.applications.endoscopy import case as cases
from clinic.applications.endoscopy.choices import RECOMMENDATIONS, SEGMENTS_SCORED
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

LONGEST_COMMENT = 500


def show(visit: Visit) -> Response:
    """Show the report."""
    return cases.render(visit, "report")


def sign(visit: Visit) -> Response:
    """Sign with the password once more; a report with gaps is refused."""
    case = cases.load(visit)
    problems = Problems()
    if problem := cases.writing_problem(visit, case):
        problems.add("", problem)
    elif case["status"] != "completed":
        problems.add("", "The procedure has not ended.")
    else:
        _complete(case, problems)
    recommendation, comment = visit.field("recommendation"), visit.field("comment").replace("\r\n", "\n")
    problems.add_if(recommendation not in RECOMMENDATIONS, "recommendation", "Choose what follows.")
    problems.add_if(len(comment) > LONGEST_COMMENT, "comment", f"At most {LONGEST_COMMENT} characters.")
    given = visit.form.get("signature", "").encode()
    if visit.user is None or not secrets.compare_digest(visit.user["password"].encode(), given):
        problems.add("signature", "The password is not right.")
    if problems:
        return cases.render(visit, "report", problems)
    cases.update(
        visit,
        case["case_no"],
        status="reported",
        recommendation=recommendation,
        comment=comment,
        signed_by=visit.user_id,
        signed_at=clock.text(visit.now),
    )
    return cases.back(visit, "report", "Report signed.")


def _complete(case: sqlite3.Row, problems: Problems) -> None:
    if case["kind"] != "colonoscopy":
        return
    if case["caecum"] is None or any(case[name] is None for name in SEGMENTS_SCORED):
        problems.add("", "Caecum or preparation is not recorded on the page Procedure.")
    elif case["caecum"] == "reached" and case["withdrawal_min"] is None:
        problems.add("", "The withdrawal time is not recorded on the page Procedure.")
