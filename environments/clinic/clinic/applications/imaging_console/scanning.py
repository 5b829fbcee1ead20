"""The scan step: scout, range, and the scan itself; and the injector beside it."""

import sqlite3
from typing import Any

from starlette.responses import Response

from clinic.applications.imaging_console import dose, screening
from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console.choices import DIRECTIONS, MODES, POSITIONS
from clinic.applications.imaging_console.exam import Exam
from clinic.toolkit.entry import Problems, read_number
from clinic.toolkit.pages import Warnings
from clinic.visit import Visit

TABLE_MM = 1500
SHORTEST_MM, LONGEST_SCOUT_MM = 20, 900
DEFAULT_SCOUT = (100, 300)
# Lowest and highest that the injector can do; the flag says whether only whole numbers are taken.
INJECTOR = {"volume_ml": (1, 200, True), "rate_ml_s": (0.1, 10, False), "delay_s": (0, 300, True)}


def show(visit: Visit) -> Response:
    """Show the step."""
    return _render(exams.load(visit))


def _render(exam: Exam, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    scout = exam.last("scouts")
    return exams.render(
        exam,
        "scan",
        problems,
        warnings,
        scout=scout,
        scans=exam.entries("scans"),
        injection=exam.last("injections"),
        limits=_proposed(scout, exam.last("scans")),
        default_scout=DEFAULT_SCOUT,
        asked="scout" if exam.visit.path.endswith("/scout") else "start",
    )


def _proposed(scout: sqlite3.Row | None, scan: sqlite3.Row | None) -> tuple[int, int]:
    """Return the range on the scout before anybody plans: the last one, or a box that knows no anatomy."""
    if scout is None or scout["from_mm"] is None:
        return (0, 0)
    if scan is not None:
        return scan["from_mm"], scan["to_mm"]
    return scout["from_mm"] + 20, min(scout["from_mm"] + 140, scout["to_mm"] - 20)


def _range(
    visit: Visit, problems: Problems, start: str, end: str, within: tuple[int, int], longest: int
) -> dict[str, int]:
    """Read two table positions that lie within limits, the first above the second."""
    low, high = within
    found: dict[str, int] = {}
    for column, name in (("from_mm", start), ("to_mm", end)):
        value = read_number(visit.field(name), whole=True)
        if value is None or not low <= value <= high:
            problems.add(name, f"Enter a whole number from {low} to {high}.")
        else:
            found[column] = int(value)
    if len(found) == 2 and not SHORTEST_MM <= found["to_mm"] - found["from_mm"] <= longest:
        problems.add(end, f"The range must be {SHORTEST_MM} to {longest} mm long, from head to feet.")
    return found


def acquire_scout(visit: Visit) -> Response:
    """Take the scout, or the localizer of an MR examination."""
    exam = exams.load(visit)
    problem = exams.blocked(exam)
    if problem is None and exam.protocol() is None:
        problem = "Select a protocol first."
    if problem:
        return _render(exam, Problems({"": problem}))
    problems = Problems()
    values: dict[str, Any] = {"direction": "three_plane"}
    if exam.is_ct:
        values = _scout_values(visit, problems)
    if problems:
        return _render(exam, problems)
    concerns = screening.concerns(exam)
    if concerns and not visit.field("confirmed"):
        return _render(exam, warnings=concerns)
    exam.add("scouts", **values, warned=bool(concerns))
    return exam.go("scan", "Scout acquired." if exam.is_ct else "Localizer acquired.")


def _scout_values(visit: Visit, problems: Problems) -> dict[str, Any]:
    position, direction = visit.field("position"), visit.field("direction")
    problems.add_if(position not in POSITIONS, "position", "Choose how the patient lies.")
    problems.add_if(direction not in DIRECTIONS, "direction", "Choose a direction.")
    limits = _range(visit, problems, "scout_from", "scout_to", (0, TABLE_MM), LONGEST_SCOUT_MM)
    return {"position": position, "direction": direction, **limits}


def start(visit: Visit) -> Response:
    """Scan the planned range, or run the sequences."""
    exam = exams.load(visit)
    scout = exam.last("scouts")
    problem = exams.blocked(exam)
    if problem is None and scout is None:
        problem = f"Acquire the {'scout' if exam.is_ct else 'localizer'} first."
    if problem or scout is None:
        return _render(exam, Problems({"": problem or ""}))
    problems = Problems()
    values = _ct_scan(exam, scout, problems) if exam.is_ct else _mr_scan(exam)
    if problems:
        return _render(exam, problems)
    concerns = [*screening.concerns(exam), *_last_look(exam)]
    if concerns and not visit.field("confirmed"):
        return _render(exam, warnings=concerns)
    exam.add("scans", **values, warned=bool(concerns))
    return exam.go("scan", "Scan completed." if exam.is_ct else "All sequences completed.")


def _ct_scan(exam: Exam, scout: sqlite3.Row, problems: Problems) -> dict[str, Any]:
    technique = exam.one("techniques")
    assert technique is not None
    within = (scout["from_mm"], scout["to_mm"])
    limits = _range(exam.visit, problems, "range_from", "range_to", within, LONGEST_SCOUT_MM)
    if problems:
        return {}
    ctdi = technique["ctdi_mgy"]
    return {
        **limits,
        **{name: technique[name] for name in ("kv", "ma", "slice_mm", "kernel")},
        "ctdi_mgy": ctdi,
        "dlp_mgy_cm": dose.dlp_mgy_cm(ctdi, limits["from_mm"], limits["to_mm"]),
        "with_contrast": exam.last("injections") is not None,
    }


def _mr_scan(exam: Exam) -> dict[str, Any]:
    technique = exam.one("techniques")
    assert technique is not None
    return {"mode": technique["mode"], "with_contrast": False}


def _last_look(exam: Exam) -> list[str]:
    """Return what the console asks right before the scan."""
    protocol, technique = exam.protocol(), exam.one("techniques")
    if protocol is not None and "injection" in protocol and exam.last("injections") is None:
        return ["The protocol is for contrast medium, but the injector is not armed."]
    if technique is not None and technique["mode"] == "first_level":
        return [
            f"Operating mode {MODES['first_level']}: whole-body SAR above 2 W/kg, under supervision only."
        ]
    if exam.last("scans") is not None:
        return ["This examination was scanned already."]
    return []


def show_injector(visit: Visit) -> Response:
    """Show the injector."""
    exam = exams.load(visit)
    return exams.render(exam, "injector", injection=exam.last("injections"))


def arm(visit: Visit) -> Response:
    """Program and arm the injector; what is armed is injected with the scan."""
    exam = exams.load(visit)
    problem = exams.blocked(exam)
    if problem is None and not exam.is_ct:
        problem = "This scanner has no injector."
    if problem is None and exam.last("scans") is not None:
        problem = "The scan was done."
    injection = exam.last("injections")
    if problem:
        return exams.refuse(exam, "injector", problem, injection=injection)
    problems = Problems()
    values: dict[str, Any] = {}
    for name, (low, high, whole) in INJECTOR.items():
        values[name] = read_number(visit.field(name), whole)
        if values[name] is None or not low <= values[name] <= high:
            problems.add(name, f"Enter a {'whole ' if whole else ''}number from {low:g} to {high:g}.")
    if problems:
        return exams.render(exam, "injector", problems, injection=injection)
    concerns = [] if exam.order["contrast"] else ["The order is for an examination without contrast medium."]
    if concerns and not visit.field("confirmed"):
        return exams.render(exam, "injector", warnings=concerns, injection=injection)
    exam.add("injections", **values, warned=bool(concerns))
    return exam.go("injector", "Injector armed.")
