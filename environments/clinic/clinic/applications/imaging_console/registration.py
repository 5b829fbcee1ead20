"""The patient step: who it is, registration on the console, and putting an order on hold."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console import worklist
from clinic.applications.imaging_console.choices import HOLD_REASONS, IDENTIFIERS
from clinic.applications.imaging_console.exam import Exam
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

LONGEST_NOTE = 300
# A room is where somebody lies, not who it is.
IDENTIFYING = ("checked_name", "checked_birth_date", "checked_mrn")


def show(visit: Visit) -> Response:
    """Show the step."""
    return _render(exams.load(visit))


def _render(exam: Exam, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    informed = exam.visit.db.execute(
        "SELECT user_id, name FROM users WHERE role IN ('radiologist', 'physicist') ORDER BY name"
    )
    return exams.render(
        exam,
        "patient",
        problems,
        warnings,
        allergies=exam.about("allergies", "year DESC"),
        labs=exam.about("labs", "test, taken_at DESC"),
        devices=exam.about("devices", "year"),
        informed={row["user_id"]: row["name"] for row in informed},
        duties=worklist.duties(exam.visit),
        hold=exam.last("holds"),
    )


def register(visit: Visit) -> Response:
    """Register the patient on the console; fewer than two identifiers have to be confirmed."""
    exam = exams.load(visit)
    if problem := exams.role_problem(visit):
        return _render(exam, Problems({"": problem}))
    if exam.order["status"] != "scheduled":
        return _render(exam, Problems({"": "Only a scheduled order can be registered."}))
    checked = {name: bool(visit.field(name)) for name in IDENTIFIERS}
    unsure = sum(checked[name] for name in IDENTIFYING) < 2
    if unsure and not visit.field("confirmed"):
        return _render(exam, warnings=["Fewer than two patient identifiers were compared."])
    rows.insert(
        visit.db,
        "exams",
        **exam.key,
        **checked,
        registered_warned=unsure,
        registered_by=visit.user_id,
        registered_at=clock.text(visit.now),
    )
    exam.set_status("registered")
    return exam.go("safety", "Patient registered.")


def hold(visit: Visit) -> Response:
    """Stop an order that is not completed, for a reason, and say who was told."""
    exam = exams.load(visit)
    if problem := exams.role_problem(visit):
        return _render(exam, Problems({"": problem}))
    reason, notified, note = (visit.field(name) for name in ("reason", "notified", "note"))
    problems = Problems()
    if exam.order["status"] not in ("scheduled", "registered"):
        problems.add("", "Only an open order can be put on hold.")
    problems.add_if(reason not in HOLD_REASONS, "reason", "Choose a reason.")
    known = "SELECT 1 FROM users WHERE user_id = ? AND role IN ('radiologist', 'physicist')"
    if visit.db.execute(known, (notified,)).fetchone() is None:
        problems.add("notified", "Choose who was told.")
    problems.add_if(len(note) > LONGEST_NOTE, "note", f"At most {LONGEST_NOTE} characters.")
    if problems:
        return _render(exam, problems)
    exam.add("holds", reason=reason, notified=notified, note=note)
    exam.set_status("on_hold")
    return exam.go("patient", "The order is on hold.")
