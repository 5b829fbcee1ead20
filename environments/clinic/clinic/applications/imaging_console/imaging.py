"""Serves the pictures: scout, slice, phantom."""

from starlette.responses import Response

from clinic.applications.imaging_console import exam as exams
from clinic.applications.imaging_console import finishing, quality, scout_picture, slice_picture
from clinic.applications.imaging_console.exam import Exam
from clinic.applications.imaging_console.finishing import HIGHEST, WIDEST, whole
from clinic.toolkit import pictures
from clinic.visit import NotHere, Visit

BODY = ("vertex", "skull_base", "apex", "dome", "adrenals", "symphysis")


def _anatomy(exam: Exam) -> tuple[int, dict[str, int]]:
    row = exam.visit.db.execute("SELECT * FROM anatomy WHERE mrn = ?", (exam.order["mrn"],)).fetchone()
    return row["seed"], {name: row[name] for name in BODY}


def scout(visit: Visit) -> Response:
    """Serve the latest scout."""
    exam = exams.load(visit)
    taken = exam.last("scouts")
    if taken is None or taken["from_mm"] is None:
        raise NotHere
    seed, marks = _anatomy(exam)
    limits = (taken["from_mm"], taken["to_mm"])
    return pictures.png(scout_picture.draw(tuple(marks.items()), seed, taken["direction"], *limits))


def slice_of(visit: Visit) -> Response:
    """Serve a slice of the latest scan through a window."""
    exam = exams.load(visit)
    finishing.require_scan(exam)
    scan, protocol = exam.last("scans"), exam.protocol()
    assert scan is not None
    assert protocol is not None
    seed, marks = _anatomy(exam)
    window = (
        whole(visit.query.get("width", ""), 400, 1, WIDEST),
        whole(visit.query.get("level", ""), 40, -HIGHEST, HIGHEST),
    )
    at = whole(visit.query.get("at", ""), 0, 0, 2000)
    if not exam.is_ct:
        return pictures.png(slice_picture.mr(protocol["region"], seed, at, window))
    made = exam.last("reconstructions")
    series = scan if made is None else made
    part, depth = slice_picture.level_of(marks, at)
    look = slice_picture.Look(
        seed=seed + at,
        level=part,
        depth=round(depth, 2),
        contrast=bool(scan["with_contrast"]),
        dose_mgy=scan["ctdi_mgy"] / (6.0 if protocol["phantom"] == "head" else 1.0),
        slice_mm=series["slice_mm"],
        kernel=series["kernel"],
        window=window,
    )
    return pictures.png(slice_picture.ct(look))


def phantom(visit: Visit) -> Response:
    """Serve the phantom once it was scanned."""
    if quality.last_phantom(visit) is None:
        raise NotHere
    scanner = quality.scanner(visit)
    return pictures.png(slice_picture.phantom(scanner["seed"], scanner["noise"], bool(scanner["ring"])))
