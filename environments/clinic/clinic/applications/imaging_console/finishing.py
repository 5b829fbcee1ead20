"""The images step and the finish step: look, reconstruct, send, complete."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console.choices import DESTINATIONS, KERNELS, SLICES, WINDOWS
from clinic.applications.imaging_console.exam import Exam
from clinic.toolkit.entry import Problems
from clinic.toolkit.pages import Warnings
from clinic.visit import NotHere, Visit

WIDEST, HIGHEST = 4000, 2000


def show_images(visit: Visit) -> Response:
    """Show a slice of the scan with a window."""
    return _images(exams.load(visit))


def _images(exam: Exam, problems: Problems | None = None) -> Response:
    visit = exam.visit
    scan = exam.last("scans")
    preset = visit.query.get("preset", "")
    width, level = WINDOWS.get(preset, WINDOWS["Soft tissue"])
    width = whole(visit.query.get("width", ""), width, 1, WIDEST)
    level = whole(visit.query.get("level", ""), level, -HIGHEST, HIGHEST)
    low, high = (scan["from_mm"], scan["to_mm"]) if scan is not None and exam.is_ct else (0, 100)
    at = whole(visit.query.get("at", ""), (low + high) // 2, low, high)
    return exams.render(
        exam,
        "images",
        problems,
        scan=scan,
        made=exam.entries("reconstructions"),
        width=width,
        level=level,
        at=at,
        ends=(low, high),
    )


def whole(text: str, default: int, low: int, high: int) -> int:
    """Return a whole number of an address, kept within limits."""
    digits = text[1:] if text.startswith("-") else text
    known = digits.isascii() and digits.isdigit() and len(digits) < 6
    return max(low, min(high, int(text))) if known else default


def reconstruct(visit: Visit) -> Response:
    """Compute another series from the scan."""
    exam = exams.load(visit)
    problem = exams.blocked(exam)
    if problem is None and (not exam.is_ct or exam.last("scans") is None):
        problem = "There is no CT scan to reconstruct."
    if problem:
        return _images(exam, Problems({"": problem}))
    problems = Problems()
    problems.add_if(visit.field("kernel") not in KERNELS, "kernel", "Choose a kernel.")
    problems.add_if(visit.field("slice_mm") not in SLICES, "slice_mm", "Choose a slice thickness.")
    if problems:
        return _images(exam, problems)
    exam.add("reconstructions", kernel=visit.field("kernel"), slice_mm=float(visit.field("slice_mm")))
    return exam.go("images", "Series reconstructed.")


def show(visit: Visit) -> Response:
    """Show the dose report and what is left to do."""
    return _render(exams.load(visit))


def _render(exam: Exam, problems: Problems | None = None, warnings: Warnings = None) -> Response:
    return exams.render(
        exam,
        "finish",
        problems,
        warnings,
        scans=exam.entries("scans"),
        transfers=exam.entries("transfers"),
    )


def send(visit: Visit) -> Response:
    """Send the images and the dose report."""
    exam = exams.load(visit)
    problem = exams.blocked(exam)
    if problem is None and exam.last("scans") is None:
        problem = "There are no images to send."
    if problem:
        return _render(exam, Problems({"": problem}))
    if visit.field("destination") not in DESTINATIONS:
        return _render(exam, Problems({"destination": "Choose where to send the images."}))
    exam.add("transfers", destination=visit.field("destination"))
    return exam.go("finish", f"Images and dose report sent: {visit.field('destination')}.")


def complete(visit: Visit) -> Response:
    """Close the examination; images that were not sent only ask for a confirmation."""
    exam = exams.load(visit)
    problem = exams.blocked(exam)
    if problem is None and exam.last("scans") is None:
        problem = "An examination without a scan cannot be completed. Put the order on hold instead."
    if problem:
        return _render(exam, Problems({"": problem}))
    unsent = exam.last("transfers") is None
    if unsent and not visit.field("confirmed"):
        return _render(exam, warnings=["The images have not been sent."])
    stamp = {"completed_by": visit.user_id, "completed_at": clock.text(visit.now)}
    rows.update(visit.db, "exams", exam.key, completed_warned=unsent, **stamp)
    exam.set_status("completed")
    return exam.go("finish", "Examination completed.")


def require_scan(exam: Exam) -> None:
    """Answer "not here" for a picture that was never taken."""
    if exam.last("scans") is None:
        raise NotHere
