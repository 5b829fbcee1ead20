"""The tasks of the radiology workstation, played on the world's own sessions by a hand that tells what OHIF would show.

Every solution runs as it stands, right and wrong, against the studies of a seed; only the viewer is replaced.
`pytest suites/medcua --cua-audit -k pacs_radiology` plays in the real one.
"""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.collection.audit import Claim
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Drag
from pytest_cuabench.task.evidence import Evidence, State, state_from_json
from pytest_cuabench.task.model import Case, Solution, Task, fill
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict

sys.path[:0] = [str(library.ENVIRONMENTS / part) for part in ("imaging", "kit")]

from imaging import part10, radiology  # noqa: E402
from imaging.elements import code, el  # noqa: E402
from imaging.phantoms import SIZE  # noqa: E402
from imaging.sessions import Session, Sessions  # noqa: E402

APPLICATION = "pacs_radiology"
TASKS = [task for task in shipped("medcua").tasks if task.application == APPLICATION]
NAMES = [task.id for task in TASKS]
WRONGS = [pytest.param(task, wrong, id=f"{task.id}-{wrong.name}") for task in TASKS for wrong in task.wrong]
CORNER, FIELD = (287, 51), (955, 662)
PRESETS = {"2": (1500, -600), "3": (150, 90), "4": (2500, 480)}
_ROW = re.compile(r'tr:has-text\("(.+?), (.+?)"\):has-text\("(.+?)"\):has-text\("(.+?)"\)')
_CELL = re.compile(r'\[data-cy="Layout-(\d)-(\d)"\]')
_PLACE = re.compile(r'\[data-cy="viewport-pane"\] >> nth=(\d)')


@dataclass
class Viewer:
    """Stands in for the pilot and OHIF: it knows which studies are open, at which images, and what was drawn."""

    session: Session
    answer_given: str | None = None
    selected: str = ""
    ports: dict[str, dict[str, Any]] = field(default_factory=dict)
    grid: tuple[int, int] = (0, 0)
    active: int = 0
    prior: str = ""
    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    title: str = ""

    async def sees(self, target: str) -> bool:
        """Whether something is there: everything is, at once."""
        return True

    async def answer(self, text: str) -> None:
        """Note the first answer."""
        self.answer_given = self.answer_given or text

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
        if row := _ROW.fullmatch(target):
            (self.selected,) = (
                uid
                for uid, study in self.session.studies.items()
                if (study.family, study.given, dated(study), study.description) == row.groups()
            )
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
            assert self.session.store(self.report())
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
        scale = extent / FIELD[1]
        middle = (CORNER[0] + FIELD[0] / 2, CORNER[1] + FIELD[1] / 2)
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


def dated(study: Any) -> str:
    """Return the date of a study as the list has it."""
    viewer = importlib.import_module("cuabench_suite_medcua.toolkit.viewer")
    return str(viewer.date({"date": study.date}))


def begin(seed: int) -> tuple[Session, State]:
    """Open a session whose list is shown; return it with its state."""
    session = Sessions().open(APPLICATION, seed)
    Viewer(session).tell()
    return session, state_from_json(session.state())


async def play(task: Task, seed: int, solution: Solution | None) -> Verdict:
    """Play a solution from the study list on."""
    session, before = begin(seed)
    case = task.case(before, "intent", seed)
    viewer = Viewer(session)
    if solution is not None:
        await solution(viewer, case)  # type: ignore[arg-type]
    after = state_from_json(session.state())
    ending = "answer" if viewer.answer_given else "success"
    return task.judge(Evidence(before, after, viewer.answer_given, ending), case)


def cases(task: Task) -> list[Case]:
    """Return the cases of twenty seeds."""
    return [task.case(begin(seed)[1], "intent", seed) for seed in range(20)]


def test_the_twelve_tasks_have_the_published_difficulties() -> None:
    """In their order, in the real viewer."""
    assert [task.difficulty for task in TASKS] == ["easy"] * 4 + ["medium"] * 4 + ["hard"] * 4
    assert {task.tier for task in TASKS} == {"real_imaging"}


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_task_has_three_wordings_and_plausible_mistakes(task: Task) -> None:
    """Two mistakes for an easy task, and all patterns of words differ."""
    counts = {variant: len(set(patterns)) for variant, patterns in task.goals.items()}
    assert counts == {"intent": 3, "step": 3}
    assert len(task.wrong) >= 2


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_wording_is_filled_and_prints_no_answer(task: Task) -> None:
    """No brace is left, and what has to be looked at is in none of them."""
    measured = dict.fromkeys(("measure_with_ruler", "identify_finding", "full_workflow"), "{diameter} mm")
    secret = (measured | {"segmentation_review": "{misplaced}"}).get(task.id)
    for case in cases(task):
        for pattern in chain(*task.goals.values()):
            goal = fill(task.preamble + pattern, dict(case.values), task.name)
            assert not re.search(r"[{}]|\bNone\b", goal)
            assert secret is None or secret.format(**case.values) not in goal


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_seeds_change_the_case(task: Task) -> None:
    """No fixed answer passes on twenty seeds."""
    assert len({str(dict(case.values)) for case in cases(task)}) > 10


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
@pytest.mark.parametrize("stored", [False, True], ids=["drawn", "stored"])
async def test_what_is_left_on_a_stranger_s_study_is_found(task: Task, stored: bool) -> None:
    """A line that is gone again once the study is left, and a report."""

    async def scribble(pilot: Any, case: Case) -> None:
        told = str(dict(case.values))
        pilot.selected = next(uid for uid in pilot.session.studies if uid not in told)
        image = f"{pilot.study(pilot.selected).series}.1"
        line = {"study_uid": pilot.selected, "image_uid": image, "tool": "Length", "label": ""}
        pilot.lines = {"x": line | {"points": [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0]]}}
        if stored:
            pilot.session.store(pilot.report())
        else:
            pilot.tell()
        pilot.lines = {}
        await task.solution(pilot, case)

    verdict = await play(task, 0, scribble)
    assert {one.reason for one in verdict.violations} & {
        "patient_identity/critical",
        "record_integrity/major",
    }


@pytest.mark.asyncio
async def test_a_second_report_is_one_too_many() -> None:
    """The archive would hold the same finding twice."""
    task = next(task for task in TASKS if task.id == "full_workflow")

    async def twice(pilot: Any, case: Case) -> None:
        await task.solution(pilot, case)
        await pilot.click('[role="dialog"] >> button:has-text("Save")')

    verdict = await play(task, 0, twice)
    assert [one.reason for one in verdict.violations] == ["data_accuracy/major"]
