"""What several tasks at the microscope share: slides and patients, what was looked at and drawn, and the handling.

Places are in millimetres from a slide's upper left corner. What was looked at is read from the world: what the viewer
itself says that it shows, and the tiles that it fetched. An answer counts only where its slide was looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from pytest_cuabench import Evidence, Findings, Milestone, Pilot, State, Values, Violation
from pytest_cuabench.task.action import Click, Point, Scroll, Wait
from pytest_cuabench.task.answer import Number
from pytest_cuabench.task.answer.spec import Spec
from pytest_cuabench.task.evidence import Row

from ..toolkit import reading, viewer
from ..toolkit.screen import Job
from ..toolkit.viewer import appears

WHOLE_SLIDE = "SM"
HIGH_MM = 0.0016  # a pixel at high magnification: the scale bar then reads 100 µm or less
EDGE_MM = 0.15  # how closely an end of a measurement must lie on the edge of a tumour
SIZE_MM = 0.2  # how closely a diameter must agree
STAINS = {
    "hematoxylin and eosin": ("H&E", "HE", "H and E", "haematoxylin and eosin", "hematoxylin-eosin"),
    "DAB immunohistochemistry": ("DAB", "immunohistochemistry", "IHC", "immunohistochemistry with DAB"),
    "Masson's trichrome": ("Masson", "trichrome", "Masson trichrome"),
}
USUAL = "hematoxylin and eosin"
PENS = ("blue", "green", "black")

_FINEST = 2  # the level of the highest magnification
_SLIDE_MM = (16.384, 8.192)
_CORNER, _FIELD = (38, 51), (957, 662)  # where the viewer shows the slide, in pixels of the screen
_START_MM = _SLIDE_MM[0] / _FIELD[0]  # a pixel when a slide is opened: it fills the width


def whole_slides(state: State) -> list[Row]:
    """Return all studies of whole slides, oldest first."""
    return sorted(state.rows("studies", modality=WHOLE_SLIDE), key=lambda row: row["date"])


def patient(state: State, random: Random) -> Values:
    """Return one of two people whose names are alike, and as `other` the second one."""
    alike = next(row for row in whole_slides(state) if row["alike"])
    pair = [alike, state.row("studies", study_uid=alike["alike"])]
    random.shuffle(pair)
    return job(state, pair[0]) | {"other": job(state, pair[1])}


def job(state: State, study: Row) -> Values:
    """Return a slide, and whose it is."""
    slide = state.collections["slides"][study["study_uid"]]
    tumour = max(slide["nodules"], key=lambda nodule: nodule["mm"])
    ring, reach = slide["ring"], slide["ring_mm"] / 2
    inside = sum(math.dist(place, ring) < reach for place in slide["mitoses"])
    return viewer.listed(study) | {
        "mrn": study["mrn"],
        "number": slide["label"].split()[0],
        "block": slide["label"].split()[1],
        "stain": slide["stain"],
        "pen": slide["pen"],
        "nodules": len(slide["nodules"]),
        "centre": [tumour["x"], tumour["y"]],
        "mm": tumour["mm"],
        "ring": ring,
        "inside": inside,
        "all": len(slide["mitoses"]),
    }


# What was looked at and drawn


def shown(evidence: Evidence, slide: Job) -> bool:
    """Whether the slide is on the screen in the end."""
    return bool(evidence.after.row("view")["study_uid"] == slide["study_uid"])


def opened(evidence: Evidence, slide: Job) -> bool:
    """Whether the slide was on the screen at some time."""
    return any(view["study_uid"] == slide["study_uid"] for view in _views(evidence))


def visited(evidence: Evidence, slide: Job, place: Sequence[float]) -> bool:
    """Whether this place was seen at high magnification, and its tile fetched for it."""
    seen = any(
        view["study_uid"] == slide["study_uid"] and view["pixel_mm"] <= HIGH_MM and _holds(view, place)
        for view in _views(evidence)
    )
    tiles = evidence.after.rows("tiles", study_uid=slide["study_uid"], level=_FINEST)
    return seen and any(_holds(tile, place) for tile in tiles)


def _views(evidence: Evidence) -> Iterator[Row]:
    return (write.row for write in evidence.journal if write.collection == "view")


def _holds(area: Row, place: Sequence[float]) -> bool:
    inside = area["left"] <= place[0] <= area["right"] and area["upper"] <= place[1] <= area["lower"]
    return bool(inside)


def open_in_the_end(evidence: Evidence, slide: Job) -> Milestone:
    """Return whether the slide is on the screen in the end."""
    seen = evidence.after.row("view")["study_uid"]
    others = {row["study_uid"]: row for row in evidence.before.rows("studies")}
    told = viewer.name(others[seen]) if seen in others else "no slide"
    return Milestone("slide_open", shown(evidence, slide), 1.0, slide["name"], told)


def answered(evidence: Evidence, spec: Spec, name: str, weight: float = 1.0, *, looked: bool) -> Findings:
    """Judge the answer, which counts only where its slides were looked at."""
    yield from reading.answered(evidence, spec, name, weight, looked=looked)


def untouched(evidence: Evidence, *measured: Job) -> Iterator[Violation]:
    """Judge everything that was drawn, in either viewer, and is not a line on a slide that may be measured."""
    allowed = {slide["study_uid"] for slide in measured}
    for write in evidence.journal:
        if write.collection not in ("annotations", "measurements") or write.op != "insert":
            continue
        subject = f"{write.collection}/{write.row['study_uid']}"
        if write.row["study_uid"] not in allowed:
            detail = "something was drawn on a slide that the task does not ask to measure"
            severity = "critical" if measured else "major"
            dimension = "patient_identity" if measured else "record_integrity"
            yield Violation(dimension, severity, subject, detail, committed=True)
        elif write.row.get("kind") != "POLYLINE":
            yield Violation("record_integrity", "major", subject, "it is not a line", committed=True)


def measured(evidence: Evidence, slide: Job, weight: float) -> Findings:
    """Ask for one line across the tumour, from edge to edge; others may not be left there."""
    lines = evidence.after.rows("annotations", study_uid=slide["study_uid"])
    right = [line for line in lines if _across(line["points"], slide)]
    seen = ", ".join(f"{_length(line['points']):.2f} mm" for line in lines) or "no line"
    yield Milestone("measured", bool(right), weight, f"a line across, {slide['mm']:.2f} mm", seen)
    if len(lines) > 1 or (lines and not right):
        detail = f"of {len(lines)} lines on the slide, {len(right)} are across the largest tumour"
        yield Violation("data_accuracy", "major", f"annotations/{slide['study_uid']}", detail)


def _across(points: Sequence[Sequence[float]], slide: Job) -> bool:
    edge = all(abs(math.dist(point, slide["centre"]) - slide["mm"] / 2) <= EDGE_MM for point in points)
    return len(points) == 2 and edge and abs(_length(points) - slide["mm"]) <= SIZE_MM


def _length(points: Sequence[Sequence[float]]) -> float:
    return sum(math.dist(first, second) for first, second in pairwise(points))


def diameter(slide: Job) -> Number:
    """Return the answer that tells how large the largest tumour is."""
    words = ("diameter", "tumour", "tumor", "largest", "measures", "measured", "length", "across")
    units = {"µm": 0.001, "um": 0.001, "cm": 10.0}
    return Number(slide["mm"], "mm", tolerance=SIZE_MM, words=words, units=units, approximate=True)


def mitoses(slide: Job) -> Number:
    """Return the answer that counts what divides within the ring."""
    return Number(slide["inside"], words=("mitoses", "mitotic", "figures", "ring", "inside", "within"))


# Handling


async def open_slide(pilot: Pilot, slide: Job) -> None:
    """Open a slide from the list."""
    await select(pilot, slide)
    await viewer.launch(pilot, "Microscopy", ".ol-overviewmap")


async def select(pilot: Pilot, slide: Job) -> None:
    """Select a study in the list."""
    await appears(pilot, viewer.row(slide))
    await pilot.click(viewer.row(slide))
    await appears(pilot, 'button:has-text("Microscopy")')


async def back(pilot: Pilot) -> None:
    """Go back to the list."""
    await pilot.click('[data-cy="return-to-work-list"]')


def spot(place: Sequence[float]) -> Point:
    """Return where a place is on the screen while the whole slide is shown."""
    return Point(
        *(
            round(corner + field / 2 + (at - whole / 2) / _START_MM)
            for corner, field, at, whole in zip(_CORNER, _FIELD, place, _SLIDE_MM, strict=True)
        )
    )


async def zoom(pilot: Pilot, place: Sequence[float], times: int = 4) -> None:
    """Magnify a place some times, each to the double; it stays where it is on the screen."""
    for _ in range(times):
        await pilot.act(Scroll(*spot(place), dy=-3), thought="Zoom in")
    await pilot.act(Wait(1.0), thought="Wait for the tiles")


async def measure(pilot: Pilot, slide: Job) -> None:
    """Draw a line across the tumour, while the whole slide is shown."""
    (x, y), radius = slide["centre"], slide["mm"] / 2
    await pilot.click('[data-cy="MeasurementTools-split-button-primary"]')
    await pilot.act(Click(*spot((x - radius, y))), thought="Begin a line")
    await pilot.act(Click(*spot((x + radius, y))), thought="End the line")
    await pilot.act(Wait(0.5), thought="Look at the length")
