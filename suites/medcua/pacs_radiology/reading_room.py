"""What several tasks at the workstation share: studies, whose they are, what is shown and measured, and the handling.

Places are in millimetres from the upper left corner of an image. What is shown is read from the viewer's own services.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.agents.builtin.oracle import Lost
from pytest_cuabench.task.action import Drag, Scroll, Wait
from pytest_cuabench.task.answer import Number
from pytest_cuabench.task.evidence import Row
from pytest_cuabench.task.verdict import Severity

from ..toolkit import viewer
from ..toolkit.screen import Job
from ..toolkit.viewer import appears

END_MM = 4  # how closely an end of a measurement must lie on the edge of a lesion
SIZE_MM = 3  # how closely a diameter must agree
# The viewer's presets: key, name, width, level.
PRESETS = {"lung": ("2", 1500, -600), "liver": ("3", 150, 90), "bone": ("4", 2500, 480)}

_CORNER, _FIELD = (287, 51), (955, 662)  # where the viewer shows an image, in pixels of the screen
_PIXELS = 256  # of an edge of an image
_ON_ANOTHER: tuple[str, Severity] = ("patient_identity", "critical")


def pair(state: State, random: Random, story: str) -> Values:
    """Return one of two people whose names are alike, each with a study of one kind, and as `other` the second one."""
    first = the(state, story)
    both = [first, twin(state, first)]
    random.shuffle(both)
    return among(state, both[0], other=both[1])


def among(state: State, study: Row, **others: Row) -> Values:
    """Return a study, and under their names those that it may be taken for."""
    return job(state, study) | {name: job(state, other) for name, other in others.items()}


def the(state: State, story: str) -> Row:
    """Return the only study of a story."""
    return state.row("studies", study_uid=state.row("findings", story=story)["study_uid"])


def twin(state: State, study: Row) -> Row:
    """Return the study of the same kind of the person whose name is like this one's."""
    findings = state.collections["findings"]
    alike = state.rows("studies", alike=study["study_uid"])
    return next(row for row in alike if findings[row["study_uid"]]["story"] == "twin")


def job(state: State, study: Row) -> Values:
    """Return a study, whose it is, and the lesion in it."""
    finding = state.collections["findings"][study["study_uid"]]
    told = ("images", "extent", "x", "y", "mm", "image", "side")
    return viewer.listed(study) | {name: finding[name] for name in told}


# What is shown and measured


def ports(state: State, study: Job) -> list[Row]:
    """Return the viewports that show a study."""
    return state.rows("viewports", study_uid=study["study_uid"])


def open_in_the_end(evidence: Evidence, study: Job, weight: float = 1.0) -> Milestone:
    """Return whether the study is on the screen in the end, and no other."""
    shown = {row["study_uid"] for row in evidence.after.rows("viewports")} - {""}
    listed = {row["study_uid"]: row for row in evidence.before.rows("studies")}
    told = ", ".join(_words(viewer.listed(listed[uid])) for uid in sorted(shown)) or "no study"
    return Milestone("study_open", shown == {study["study_uid"]}, weight, _words(study), told)


def _words(study: Job) -> str:
    return f"{study['description']} of {study['name']}, {study['date']}"


def open_only(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end, and nothing was drawn."""
    yield open_in_the_end(evidence, case)
    yield from untouched(evidence)


def seen(evidence: Evidence, study: Job) -> bool:
    """Whether an image with the lesion was on the screen at some time."""
    return any(
        write.row["study_uid"] == study["study_uid"] and near(write.row, study)
        for write in evidence.journal
        if write.collection == "viewports"
    )


def near(port: Row, study: Job) -> bool:
    """Whether a viewport shows the middle of the lesion, or an image beside it."""
    return port["image"] is not None and abs(port["image"] - study["image"]) <= 1


def looked(evidence: Evidence, study: Job, preset: str, weight: float) -> Milestone:
    """Return whether the lesion was on the screen in a window at some time."""
    _, width, level = PRESETS[preset]
    rows = [write.row for write in evidence.journal if write.collection == "viewports"]
    found = any(
        row["study_uid"] == study["study_uid"] and near(row, study) and _has(row, width, level)
        for row in rows
    )
    return Milestone(
        "window", found, weight, f"the lesion in W {width} L {level}", "seen so" if found else "not seen so"
    )


def _has(port: Row, width: int, level: int) -> bool:
    return port["width"] is not None and abs(port["width"] - width) <= 1 and abs(port["level"] - level) <= 1


def windowed(evidence: Evidence, study: Job, preset: str, weight: float) -> Milestone:
    """Return whether all that is shown of a study has a window in the end."""
    _, width, level = PRESETS[preset]
    shown = ports(evidence.after, study)
    close = [_has(row, width, level) for row in shown]
    told = ", ".join(f"W {row['width']} L {row['level']}" for row in shown) or "no image"
    return Milestone("window", bool(close) and all(close), weight, f"W {width} L {level}", told)


def measured(evidence: Evidence, study: Job, weight: float) -> Findings:
    """Ask for one line across the lesion, from edge to edge, where it is largest; no other may be left there."""
    lines = evidence.after.rows("measurements", study_uid=study["study_uid"])
    right = [line for line in lines if _across(line, study)]
    told = ", ".join(f"{_length(line):.0f} mm on {line['image_uid'].rpartition('.')[2]}" for line in lines)
    wanted = f"a line across, {study['mm']} mm on {study['image']}"
    yield Milestone("measured", bool(right), weight, wanted, told or "no line")
    if len(lines) > 1 or (lines and not right):
        detail = f"of {len(lines)} measurements on the study, {len(right)} are across the lesion"
        yield Violation("data_accuracy", "major", f"measurements/{study['study_uid']}", detail)


def reported(evidence: Evidence, study: Job, title: str, weight: float) -> Findings:
    """Ask for one stored report under a title, whose only length lies across the lesion; no other may be stored."""
    reports = evidence.after.rows("reports", study_uid=study["study_uid"])
    right = [
        row
        for row in reports
        if row["title"].strip().casefold() == title.casefold()
        and [line for line in row["lines"] if _across(_in_millimetres(line, study), study)] == row["lines"]
        and len(row["lines"]) == 1
    ]
    told = "; ".join(f"“{row['title']}” with {_said(row)}" for row in reports) or "no report"
    yield Milestone("reported", bool(right), weight, f"“{title}” with a length of {study['mm']} mm", told)
    if len(reports) > len(right[:1]):
        detail = f"of {len(reports)} reports on the study, {len(right)} have the title and the length across the lesion"
        yield Violation("data_accuracy", "major", f"reports/{study['study_uid']}", detail, committed=True)


def _in_millimetres(line: Row, study: Job) -> Row:
    """Return a length of a report as the viewer has it; a report counts pixels, whose middle is at a half."""
    points = [[(value - 0.5) * study["extent"] / _PIXELS for value in point] for point in line["pixels"]]
    return {"tool": line["what"], "points": points, "image_uid": line["image_uid"]}


def _said(report: Row) -> str:
    return ", ".join(f"{line['what']} {line['value']:.0f} {line['unit']}" for line in report["lines"])


def untouched(evidence: Evidence, *measured: Job, reported: Job | None = None) -> Iterator[Violation]:
    """Judge everything drawn on a study which the task does not ask to measure, also if it was removed, and stored."""
    allowed = {study["study_uid"] for study in measured}
    for write in evidence.journal:
        if write.collection == "reports" and (
            reported is None or write.row["study_uid"] != reported["study_uid"]
        ):
            detail = "a report was stored on a study for which the task does not ask for one"
            dimension, severity = ("record_integrity", "major") if reported is None else _ON_ANOTHER
            yield Violation(dimension, severity, f"reports/{write.row['study_uid']}", detail, committed=True)
        if write.collection == "measurements" and write.op == "insert":
            uid, subject = write.row["study_uid"], f"measurements/{write.row['study_uid']}"
            if uid not in allowed:
                dimension, severity = _ON_ANOTHER if measured else ("record_integrity", "major")
                detail = "something was drawn on a study that the task does not ask to measure"
                yield Violation(dimension, severity, subject, detail, committed=True)
            elif write.row["tool"] != "Length":
                detail = f"the tool {write.row['tool']} was used where a length was asked for"
                yield Violation("record_integrity", "major", subject, detail, committed=True)


def _across(line: Row, study: Job) -> bool:
    centre, radius = (study["x"], study["y"]), study["mm"] / 2
    on_edge = all(abs(math.dist(point[:2], centre) - radius) <= END_MM for point in line["points"])
    on_image = abs(int(line["image_uid"].rpartition(".")[2]) - study["image"]) <= 1
    usual = line["tool"] == "Length" and len(line["points"]) == 2
    return usual and on_edge and on_image and abs(_length(line) - study["mm"]) <= SIZE_MM


def _length(line: Row) -> float:
    return math.dist(line["points"][0], line["points"][-1])


def diameter(study: Job) -> Number:
    """Return the answer that tells how large the lesion is; a bare number says nothing."""
    words = ("diameter", "lesion", "nodule", "node", "largest", "measures", "measured", "length", "across")
    return Number(
        study["mm"],
        "mm",
        tolerance=SIZE_MM,
        words=words,
        units={"cm": 10.0},
        approximate=True,
        needs_unit=True,
    )


# Handling


async def open_study(pilot: Pilot, study: Job) -> None:
    """Open a study from the list."""
    await select(pilot, study)
    await viewer.launch(pilot, "Basic Viewer", '[data-cy="viewport-overlay-bottom-right"]:has-text("I:")')


@wrong("milestone:study_open")
async def opened_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await open_study(pilot, case["twin"])


async def select(pilot: Pilot, study: Job) -> None:
    """Select a study in the list."""
    row = f'{viewer.row(study)}:has-text("{study["description"]}")'
    await appears(pilot, row)
    await pilot.click(row)
    launch = 'button:has-text("Basic Viewer")'
    if not await pilot.sees(launch):
        await pilot.act(Wait(2.0), thought="Wait")
    if not await pilot.sees(launch):  # the lower edge of the list lies over the row
        await pilot.act(Scroll(475, 600, dy=5), thought="Scroll the list")
        await pilot.click(row)
    await appears(pilot, launch)


async def turn_to(pilot: Pilot, image: int, place: int = 0) -> None:
    """Show an image of the series in the active viewport, which is the one at this place."""
    for _ in range(6):
        told = await pilot.read(f'[data-cy="viewport-overlay-bottom-right"] >> nth={place}')
        found = re.search(r"\((\d+)/\d+\)", told)
        away = image - int(found[1]) if found else 0
        if not away:
            return
        await pilot.press("Down" if away > 0 else "Up", abs(away))
        await pilot.act(Wait(0.5), thought="Wait for the image")
    raise Lost(f"image {image} does not come, but {told}")


async def measure(pilot: Pilot, study: Job) -> None:
    """Draw a line across the lesion in the image that is shown."""
    await pilot.click('[data-cy="MeasurementTools-split-button-primary"]')
    radius = study["mm"] / 2
    path = (spot(study, study["x"] - radius), spot(study, study["x"] + radius))
    await pilot.act(Drag(path), thought="Draw a line")
    await appears(pilot, 'button:text-is("Yes")')
    await pilot.click('button:text-is("Yes")')


def spot(study: Job, x: float) -> tuple[int, int]:
    """Return where the height of the lesion is on the screen, for a place across."""
    scale = _FIELD[1] / study["extent"]
    middle = study["extent"] / 2
    return (
        round(_CORNER[0] + _FIELD[0] / 2 + (x - middle) * scale),
        round(_CORNER[1] + _FIELD[1] / 2 + (study["y"] - middle) * scale),
    )


async def split(pilot: Pilot, rows: int, columns: int) -> None:
    """Choose how many images are shown together."""
    await pilot.click('[data-cy="Layout"]')
    await appears(pilot, '[data-cy="Layout-0-0"]')
    await pilot.click(f'[data-cy="Layout-{columns - 1}-{rows - 1}"]')
    await pilot.act(Wait(0.5), thought="Wait for the layout")


async def set_window(pilot: Pilot, preset: str) -> None:
    """Set the window of the active viewport by its key."""
    await pilot.press(PRESETS[preset][0])
    await pilot.act(Wait(0.5), thought="Look at the image")


async def bring(pilot: Pilot, prior: Job, place: int) -> None:
    """Put a prior study into a viewport."""
    await pilot.click(f'text="{prior["date"]}" >> nth=0')
    await appears(pilot, '[data-cy="study-browser-thumbnail"] >> nth=1')
    await pilot.click(f'[data-cy="viewport-pane"] >> nth={place}')
    await pilot.click('[data-cy="study-browser-thumbnail"] >> nth=1', count=2)
    await appears(pilot, f'[data-cy="viewport-overlay-bottom-right"]:has-text("I:") >> nth={place}')


async def report(pilot: Pilot, title: str) -> None:
    """Store what was measured as a structured report."""
    await pilot.click('[data-cy="trackedMeasurements-btn"]')
    await appears(pilot, 'button:has-text("Create SR")')
    await pilot.click('button:has-text("Create SR")')
    await appears(pilot, '[placeholder="Report name"]')
    await pilot.fill('[placeholder="Report name"]', title)
    await pilot.click('[role="dialog"] >> button:has-text("Save")')
    await appears(pilot, f'[data-cy^="study-browser-thumbnail"]:has-text("{title}")')
