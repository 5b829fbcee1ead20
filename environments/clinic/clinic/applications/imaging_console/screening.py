"""The safety step: what has to be asked before radiation, contrast medium or a magnetic field."""

from typing import Any

from starlette.responses import Response

from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console.choices import DEVICES, PREGNANCY, REACTIONS, YES_NO
from clinic.applications.imaging_console.exam import Exam
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.words import age_years
from clinic.visit import Visit

MENARCHE, MENOPAUSE = 12, 55
HIGHEST_EGFR = 200
CHOICES = {"pregnancy": PREGNANCY, "reaction": REACTIONS, "metformin": YES_NO, "device": DEVICES}


def show(visit: Visit) -> Response:
    """Show the step."""
    return _render(exams.load(visit))


def questions(exam: Exam) -> tuple[str, ...]:
    """Return what has to be asked for this order."""
    years = age_years(exam.patient["birth_date"], exam.visit.now.date())
    asked = []
    if exam.patient["sex"] == "F" and MENARCHE <= years <= MENOPAUSE:
        asked.append("pregnancy")
    if exam.order["contrast"]:
        asked += ["reaction", "egfr", "metformin"]
    if not exam.is_ct:
        asked += ["device", "swept"]
    return tuple(asked)


def _render(exam: Exam, problems: Problems | None = None) -> Response:
    return exams.render(
        exam,
        "safety",
        problems,
        questions=questions(exam),
        saved=exam.last("screenings"),
        allergies=exam.about("allergies", "year DESC"),
        labs=exam.about("labs", "test, taken_at DESC"),
        devices=exam.about("devices", "year"),
    )


def save(visit: Visit) -> Response:
    """Store the answers; a later screening replaces an earlier one."""
    exam = exams.load(visit)
    if problem := exams.blocked(exam):
        return _render(exam, Problems({"": problem}))
    problems = Problems()
    answers = _read(exam, problems)
    if problems:
        return _render(exam, problems)
    exam.add("screenings", **answers)
    return exam.go("protocol", "Safety screening saved.")


def _read(exam: Exam, problems: Problems) -> dict[str, Any]:
    visit, asked = exam.visit, questions(exam)
    answers: dict[str, Any] = {"swept": bool(visit.field("swept"))}
    for name, options in CHOICES.items():
        answers[name] = (visit.field(name) or None) if name in asked else None
        if name in asked and answers[name] not in options:
            problems.add(name, "Choose an answer.")
    if "egfr" in asked:
        answers["egfr"] = read_number(visit.field("egfr"), whole=True)
        if answers["egfr"] is None or not 1 <= answers["egfr"] <= HIGHEST_EGFR:
            problems.add("egfr", f"Enter a whole number from 1 to {HIGHEST_EGFR}.")
    if "swept" in asked and not answers["swept"]:
        problems.add("swept", "The check for ferromagnetic objects has to be done.")
    return answers


def concerns(exam: Exam) -> list[str]:
    """Return what speaks against exposing the patient now; the console asks, the technologist decides."""
    found = []
    out = "SELECT 1 FROM scanners WHERE name LIKE ? AND NOT in_service"
    if exam.visit.db.execute(out, (f"{exam.order['modality']} %",)).fetchone() is not None:
        found.append("The scanner is out of service.")
    registration, screening = exam.one("exams"), exam.last("screenings")
    if registration is not None and registration["registered_warned"]:
        found.append("The patient was registered with fewer than two identifiers.")
    if screening is None:
        found.append("The safety screening has not been saved.")
        return found
    if screening["pregnancy"] in ("possible", "pregnant"):
        found.append(f"Pregnancy: {PREGNANCY[screening['pregnancy']].lower()}.")
    if screening["reaction"] in ("moderate", "severe"):
        found.append(f"Earlier {screening['reaction']} reaction to contrast medium.")
    if screening["egfr"] is not None and screening["egfr"] < 30:
        held = "; metformin is to be withheld for 48 hours" if screening["metformin"] == "yes" else ""
        found.append(f"eGFR {screening['egfr']} mL/min/1.73 m², below 30{held}.")
    if screening["device"] == "unsafe":
        found.append("MR Unsafe device.")
    return found
