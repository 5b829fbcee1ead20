"""Hands that play tasks of the OHIF Viewer on the world's own sessions, and tell what the viewer would show.

Every solution runs as it stands, right and wrong, against the studies of a seed; only the viewer is replaced, by what
it would hold. `pytest suites/medcua --cua-audit -k "pacs or pathology"` plays in the real one.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

from shipped import shipped

from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Click, Drag, Scroll
from pytest_cuabench.task.case import Case, Solution
from pytest_cuabench.task.evidence import Evidence, State, state_from_json
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

sys.path[:0] = [str(library.ENVIRONMENTS / part) for part in ("imaging", "kit")]

from imaging import part10, radiology, slides  # noqa: E402
from imaging.elements import code, el  # noqa: E402
from imaging.phantoms import SIZE  # noqa: E402
from imaging.sessions import Session, Sessions  # noqa: E402

MICROSCOPY, BACK = 'button:has-text("Microscopy")', '[data-cy="return-to-work-list"]'
PRESETS = {"2": (1500, -600), "3": (150, 90), "4": (2500, 480)}
_CELL = re.compile(r'\[data-cy="Layout-(\d)-(\d)"\]')
_PLACE = re.compile(r'\[data-cy="viewport-pane"\] >> nth=(\d)')
_ROW = re.compile(r'tr:has-text\("(.+?), (.+?)"\):has-text\("(.+?)"\)(?::has-text\("(.+?)"\))?')


@dataclass
class Hand(ABC):
    """Stands in for the pilot and for OHIF, of which it knows what is on the screen."""

    session: Session
    answer_given: str | None = None
    selected: str = ""

    @abstractmethod
    def tell(self) -> None:
        """Report what is shown, as the probe does."""

    async def sees(self, target: str) -> bool:
        """Whether something is there: everything is, at once."""
        return True

    async def answer(self, text: str) -> None:
        """Note the first answer."""
        self.answer_given = self.answer_given or text

    def chosen(self, target: str) -> str | None:
        """Return the study of a row in the list; None if the target is no row."""
        row = _ROW.fullmatch(target)
        if row is None:
            return None
        family, given, date, description = row.groups()
        (uid,) = (
            uid
            for uid, study in self.session.studies.items()
            if (study.family, study.given, dated(study)) == (family, given, date)
            and description in (None, study.description)
        )
        return uid


@dataclass
class Radiology(Hand):
    """The basic viewer: it knows which studies are open, at which images, and what was drawn."""

    CORNER: ClassVar = (287, 51)
    FIELD: ClassVar = (955, 662)

    ports: dict[str, dict[str, Any]] = field(default_factory=dict)
    grid: tuple[int, int] = (0, 0)
    active: int = 0
    prior: str = ""
    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    title: str = ""

    async def read(self, target: str) -> str:
        """Return the number of the image in a viewport."""
        port = self.ports[target.rpartition("=")[2]]
        return f"I:{port['image']} ({port['image']}/{self.study(port['study_uid']).kind.slices})"

    async def fill(self, target: str, text: str) -> None:
        """Name the report."""
        assert target == '[placeholder="Report name"]'
        self.title = text

    async def press(self, chord: str, repeat: int = 1) -> None:
        """Turn to another image, or set a window."""
        port = self.ports[str(self.active)]
        if chord in PRESETS:
            port["width"], port["level"] = PRESETS[chord]
        else:
            port["image"] += {"Down": repeat, "Up": -repeat}[chord]
        self.tell()

    async def click(self, target: str, count: int = 1) -> None:
        """Do what a click on this does."""
        if uid := self.chosen(target):
            self.selected = uid
        elif target == 'button:has-text("Basic Viewer")':
            self.grid, self.ports = (1, 1), {"0": self.port(self.selected)}
        elif cell := _CELL.fullmatch(target):
            self.grid = int(cell[2]) + 1, int(cell[1]) + 1
        elif place := _PLACE.fullmatch(target):
            self.active = int(place[1])
        elif target.startswith("text="):
            own = self.session.studies[self.selected]
            (self.prior,) = (
                uid
                for uid, study in self.session.studies.items()
                if study.mrn == own.mrn and dated(study) in target
            )
        elif target.endswith("nth=1") and count == 2:
            self.ports[str(self.active)] = self.port(self.prior)
        elif target.endswith(':has-text("SEG")') and count == 2:
            outlines = [one.name for one in self.study(self.selected).segments]
            self.ports["0"] |= {"outlines": outlines}
        elif target.endswith('button:has-text("Save")'):
            self.store()
            self.lines = {}
        self.tell()

    async def act(self, *actions: Action, thought: str = "") -> None:
        """Draw a line on the image that is shown."""
        for action in actions:
            if isinstance(action, Drag):
                port = self.ports[str(self.active)]
                image = f"{self.study(port['study_uid']).series}.{port['image']}"
                points = [self.under(port, *point) for point in action.path]
                line = {"study_uid": port["study_uid"], "image_uid": image, "tool": "Length", "label": ""}
                self.lines[str(len(self.lines))] = line | {"points": points}
        self.tell()

    def under(self, port: dict[str, Any], x: int, y: int) -> list[float]:
        """Return the place under a pixel of the screen, in millimetres."""
        extent = SIZE * self.study(port["study_uid"]).kind.spacing
        scale = extent / self.FIELD[1]
        middle = (self.CORNER[0] + self.FIELD[0] / 2, self.CORNER[1] + self.FIELD[1] / 2)
        return [extent / 2 + (x - middle[0]) * scale, extent / 2 + (y - middle[1]) * scale, 0]

    def study(self, uid: str) -> radiology.Study:
        """Return a study."""
        study = self.session.studies[uid]
        assert isinstance(study, radiology.Study)
        return study

    def port(self, uid: str) -> dict[str, Any]:
        """Return a viewport at the first image of a study."""
        study = self.study(uid)
        window = dict(zip(("width", "level"), study.kind.window, strict=True))
        return {"study_uid": uid, "series_uid": study.series, "image": 1, **window, "outlines": []}

    def store(self) -> None:
        """Store a report on the lines."""
        sent = self.session.acceptable(self.report())
        assert sent
        self.session.keep(sent)

    def report(self) -> bytes:
        """Return the file of a report on the lines."""
        spacing = self.study(self.selected).kind.spacing
        numbers = []
        for line in self.lines.values():
            ends = [value / spacing + 0.5 for point in line["points"] for value in point[:2]]
            image = {"00081199": el("SQ", {"00081155": el("UI", line["image_uid"])})}
            place = {"0040A040": el("CS", "SCOORD"), "00700022": el("FL", *ends), "0040A730": el("SQ", image)}
            value = {"0040A30A": el("DS", 1), "004008EA": el("SQ", code("mm", "UCUM", "mm"))}
            numbers.append(
                {
                    "0040A040": el("CS", "NUM"),
                    "0040A043": el("SQ", code("410668003", "SCT", "Length")),
                    "0040A300": el("SQ", value),
                    "0040A730": el("SQ", place),
                }
            )
        held = {
            "00080016": el("UI", "1.2.840.10008.5.1.4.1.1.88.33"),
            "00080018": el("UI", f"2.25.{len(self.session.reports) + 1}"),
            "0008103E": el("LO", self.title),
            "0020000D": el("UI", self.selected),
            "0020000E": el("UI", "2.25.9"),
            "0040A730": el("SQ", *numbers),
        }
        return part10.written(held)

    def tell(self) -> None:
        """Report what is shown, as the probe does."""
        page = "/viewer" if self.ports else "/"
        layout = dict(zip(("rows", "columns"), self.grid, strict=True)) if self.ports else None
        ports = {key: dict(port) for key, port in self.ports.items()}
        said = {"page": page, "asked": self.selected, "views": [], "annotations": []}
        said |= {"layout": layout, "viewports": ports, "measurements": dict(self.lines)}
        self.session.reported(said)


@dataclass
class Pathology(Hand):
    """The microscope: it knows which slide is open and what part of it is on the screen."""

    CORNER: ClassVar = (38, 51)
    FIELD: ClassVar = (957, 662)

    shown: str = ""
    pixel: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    ruler: bool = False
    ends: list[list[float]] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    measured: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def click(self, target: str) -> None:
        """Select a row, open its slide, go back, or take the ruler."""
        if uid := self.chosen(target):
            self.selected = uid
        elif target == MICROSCOPY:
            self.shown, self.pixel = self.selected, slides.WIDTH_MM / self.FIELD[0]
            self.centre = (slides.WIDTH_MM / 2, slides.HEIGHT_MM / 2)
        elif target == BACK:
            self.shown, self.lines = "", []
        else:
            self.ruler = True
        self.tell()

    async def act(self, *actions: Action, thought: str = "") -> None:
        """Turn the wheel or click on the slide."""
        for action in actions:
            if isinstance(action, Scroll):
                place = self.under(action.x, action.y)
                self.pixel /= 2
                self.centre = tuple((c + p) / 2 for c, p in zip(self.centre, place, strict=True))  # type: ignore[assignment]
            elif isinstance(action, Click) and self.ruler:
                x, y = self.under(action.x, action.y)
                self.ends.append([y, x, 0.0])
            if len(self.ends) == 2:
                line = {"uid": str(len(self.lines)), "study_uid": self.shown, "kind": "POLYLINE"}
                self.lines.append(line | {"label": "", "points": self.ends})
                self.ends = []
        self.tell()

    def under(self, x: int, y: int) -> tuple[float, float]:
        """Return the place under a pixel of the screen."""
        moved = (
            c + (at - corner - size / 2) * self.pixel
            for c, at, corner, size in zip(self.centre, (x, y), self.CORNER, self.FIELD, strict=True)
        )
        return tuple(moved)  # type: ignore[return-value]

    def tell(self) -> None:
        """Report what is shown, as the probe does, and fetch the tile in the middle."""
        views = []
        if self.shown:
            wide, high = (size * self.pixel / 2 for size in self.FIELD)
            x, y = self.centre
            edges = {"left": x - wide, "right": x + wide, "upper": y - high, "lower": y + high}
            pixels = {name: value / slides.SPACING[-1] for name, value in edges.items()}
            views = [{"study_uid": self.shown, "pixel": self.pixel / slides.SPACING[-1], **pixels}]
            level = min(range(3), key=lambda number: abs(math.log(slides.SPACING[number] / self.pixel)))
            for frame in range(slides.frames(level)):
                left, upper, right, lower = slides.area(level, frame)
                if left < x + wide and right > x - wide and upper < y + high and lower > y - high:
                    self.session.fetched(self.shown, level, frame)
        page = "/microscopy" if self.shown else "/"
        said = {"page": page, "asked": self.shown, "views": views, "annotations": self.lines}
        self.session.reported(said | {"layout": None, "viewports": {}, "measurements": self.measured})


HANDS: dict[str, type[Hand]] = {"pacs_radiology": Radiology, "pathology_viewer": Pathology}
TASKS = [task for task in shipped("medcua").tasks if task.application in HANDS]


def dated(study: Any) -> str:
    """Return the date of a study as the list has it."""
    viewer = importlib.import_module("cuabench_suite_medcua.toolkit.viewer")
    return str(viewer.date({"date": study.date}))


def begin(application: str, seed: int) -> tuple[Hand, State]:
    """Open a session whose list is shown; return the hand that plays it, and its state."""
    hand = HANDS[application](Sessions().open(application, seed))
    hand.tell()
    return hand, state_from_json(hand.session.state())


async def play(task: Task, seed: int, solution: Solution | None) -> Verdict:
    """Play a solution from the study list on."""
    hand, before = begin(task.application, seed)
    case = task.case(before, "intent", seed)
    if solution is not None:
        await solution(hand, case)  # type: ignore[arg-type]
    after = state_from_json(hand.session.state())
    ending = "answer" if hand.answer_given else "success"
    return task.judge(Evidence(before, after, hand.answer_given, ending), case)


def cases(task: Task) -> list[Case]:
    """Return the cases of twenty seeds."""
    return [task.case(begin(task.application, seed)[1], "intent", seed) for seed in range(20)]
