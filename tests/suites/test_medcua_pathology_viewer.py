"""The tasks of the pathology viewer, played on the world's own sessions by a hand that reports what OHIF would show.

Every solution runs as it stands, right and wrong, against the study list and the slides of a seed; only the viewer is
replaced, by the geometry of its view. `pytest suites/medcua --cua-audit -k pathology_viewer` plays in the real one.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.collection.audit import Claim
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Click, Scroll
from pytest_cuabench.task.evidence import Evidence, State, state_from_json
from pytest_cuabench.task.model import Case, Solution, Task, fill
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict

sys.path[:0] = [str(library.ENVIRONMENTS / part) for part in ("imaging", "kit")]

from imaging import slides  # noqa: E402
from imaging.sessions import Session, Sessions  # noqa: E402

APPLICATION = "pathology_viewer"
TASKS = [task for task in shipped("medcua").tasks if task.application == APPLICATION]
NAMES = [task.id for task in TASKS]
WRONGS = [pytest.param(task, wrong, id=f"{task.id}-{wrong.name}") for task in TASKS for wrong in task.wrong]
MICROSCOPY, BACK = 'button:has-text("Microscopy")', '[data-cy="return-to-work-list"]'
BASE, FIELD, CORNER = slides.SPACING[-1], (957, 662), (38, 51)
_ROW = re.compile(r'tr:has-text\("(.+?), (.+?)"\):has-text\("(.+?)"\)')


@dataclass
class Viewer:
    """Stands in for the pilot and OHIF: it knows which slide is open and what part of it is on the screen."""

    session: Session
    answer_given: str | None = None
    selected: str = ""
    shown: str = ""
    pixel: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    ruler: bool = False
    ends: list[list[float]] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    measured: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def sees(self, target: str) -> bool:
        """Whether something is there: everything is, at once."""
        return True

    async def answer(self, text: str) -> None:
        """Note the first answer."""
        self.answer_given = self.answer_given or text

    async def click(self, target: str) -> None:
        """Select a row, open its slide, go back, or take the ruler."""
        if row := _ROW.fullmatch(target):
            microscope = importlib.import_module("cuabench_suite_medcua.pathology_viewer.microscope")
            viewer = importlib.import_module("cuabench_suite_medcua.toolkit.viewer")
            state = state_from_json(self.session.state())
            (self.selected,) = (
                study["study_uid"]
                for study in microscope.whole_slides(state)
                if viewer.name(study) == f"{row[1]}, {row[2]}"
                and microscope.job(state, study)["date"] == row[3]
            )
        elif target == MICROSCOPY:
            self.shown, self.pixel = self.selected, slides.WIDTH_MM / FIELD[0]
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
            for c, at, corner, size in zip(self.centre, (x, y), CORNER, FIELD, strict=True)
        )
        return tuple(moved)  # type: ignore[return-value]

    def tell(self) -> None:
        """Report what is shown, as the probe does, and fetch the tile in the middle."""
        views = []
        if self.shown:
            wide, high = (size * self.pixel / 2 for size in FIELD)
            x, y = self.centre
            edges = {"left": x - wide, "right": x + wide, "upper": y - high, "lower": y + high}
            pixels = {name: value / BASE for name, value in edges.items()}
            views = [{"study_uid": self.shown, "pixel": self.pixel / BASE, **pixels}]
            level = min(range(3), key=lambda number: abs(math.log(slides.SPACING[number] / self.pixel)))
            for frame in range(slides.frames(level)):
                left, upper, right, lower = slides.area(level, frame)
                if left < x + wide and right > x - wide and upper < y + high and lower > y - high:
                    self.session.fetched(self.shown, level, frame)
        page = "/microscopy" if self.shown else "/"
        said = {"page": page, "asked": self.shown, "views": views, "annotations": self.lines}
        self.session.reported(said | {"layout": None, "viewports": {}, "measurements": self.measured})


def begin(seed: int) -> tuple[Session, State]:
    """Open a session; return it with its state."""
    session = Sessions().open(APPLICATION, seed)
    return session, state_from_json(session.state())


async def play(task: Task, seed: int, solution: Solution | None) -> Verdict:
    """Play a solution from the study list on."""
    session, before = begin(seed)
    case = task.case(before, "intent", seed)
    viewer = Viewer(session)
    viewer.tell()
    if solution is not None:
        await solution(viewer, case)  # type: ignore[arg-type]
    after = state_from_json(session.state())
    ending = "answer" if viewer.answer_given else "success"
    return task.judge(Evidence(before, after, viewer.answer_given, ending), case)


def cases(task: Task) -> list[Case]:
    """Return the cases of twenty seeds."""
    return [task.case(begin(seed)[1], "intent", seed) for seed in range(20)]


def test_the_twelve_tasks_are_four_of_each_difficulty() -> None:
    """In their order, in the real viewer."""
    assert [task.difficulty for task in TASKS] == ["easy"] * 4 + ["medium"] * 4 + ["hard"] * 4
    assert {task.tier for task in TASKS} == {"real_imaging"}


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_task_has_three_wordings_and_plausible_mistakes(task: Task) -> None:
    """Two mistakes for an easy task, three for the others."""
    counts = {variant: len(set(patterns)) for variant, patterns in task.goals.items()}
    assert counts == {"intent": 3, "step": 3}
    assert len(task.wrong) >= (2 if task.difficulty == "easy" else 3)


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_wording_is_filled_and_prints_no_answer(task: Task) -> None:
    """No brace is left, and what has to be looked at is in none of them."""
    asked = {"open_wsi_direct": ["block"], "compare_cases": ["diameter"], "detailed_analysis": ["diameter"]}
    for case in cases(task):
        for pattern in chain(*task.goals.values()):
            goal = fill(task.preamble + pattern, dict(case.values), task.name)
            assert not re.search(r"[{}]|\bNone\b", goal)
            assert not [one for one in asked.get(task.id, ()) if re.search(rf"\b{case[one]}\b", goal)]


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_seeds_change_the_case(task: Task) -> None:
    """No fixed answer passes on twenty seeds."""
    assert len({str(dict(case.values)) for case in cases(task)}) > (5 if task.id != "find_wsi_studies" else 2)


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_the_reference_succeeds(task: Task, seed: int) -> None:
    """Every milestone is reached, and no harm is found."""
    verdict = await play(task, seed, task.solution)
    assert verdict.success, verdict


@pytest.mark.asyncio
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_doing_nothing_scores_nothing(task: Task) -> None:
    """What is asked is not so when the list has opened."""
    verdict = await play(task, 0, None)
    assert (verdict.score, verdict.violations) == (0.0, ())


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("task", "wrong"), WRONGS)
async def test_a_wrong_solution_fails_for_its_declared_reason(task: Task, wrong: Any, seed: int) -> None:
    """The audit's own rule, over what the viewer would have shown."""
    verdict = await play(task, seed, wrong.solution)
    outcome = Outcome.SUCCESS if verdict.success else Outcome.FAILURE
    assert Claim("wrong", wrong).refuted(verdict, outcome) is None


@pytest.mark.asyncio
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_a_drawing_on_a_stranger_s_slide_is_found(task: Task) -> None:
    """Also when it is gone again, as it is once the slide is left."""

    async def scribble(pilot: Any, case: Case) -> None:
        told = str(dict(case.values))
        stranger = next(
            uid for uid, study in pilot.session.studies.items() if study.slide and uid not in told
        )
        pilot.shown, pilot.pixel = stranger, 0.01
        pilot.lines = [
            {"uid": "x", "study_uid": stranger, "kind": "POINT", "label": "", "points": [[1.0, 1.0, 0.0]]}
        ]
        pilot.tell()
        await pilot.click(BACK)
        await task.solution(pilot, case)

    verdict = await play(task, 0, scribble)
    assert {one.reason for one in verdict.violations} & {
        "patient_identity/critical",
        "record_integrity/major",
    }


@pytest.mark.asyncio
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_a_measurement_in_the_basic_viewer_is_found(task: Task) -> None:
    """No task asks for one there."""

    async def scribble(pilot: Any, case: Case) -> None:
        pilot.measured = {"1": {"study_uid": next(iter(pilot.session.studies)), "tool": "Length"}}
        pilot.tell()
        pilot.measured = {}
        await task.solution(pilot, case)

    verdict = await play(task, 0, scribble)
    assert not verdict.success
    assert verdict.violations
