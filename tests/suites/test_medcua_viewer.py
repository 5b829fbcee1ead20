"""The tasks in the OHIF Viewer: radiology and pathology, played by hands that stand in for the viewer."""

from __future__ import annotations

import importlib
import re
from itertools import chain
from typing import Any

import pytest
from suites.viewer_hands import BACK, HANDS, TASKS, cases, play

from pytest_cuabench.proof.claims import Claim
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.model import Task, fill
from pytest_cuabench.task.outcome import Outcome


def ids(tasks: list[Task]) -> list[str]:
    """Return what tests of tasks are called after."""
    return [task.name for task in tasks]


NAMES = ids(TASKS)
ON_A_STRANGER = {"patient_identity/critical", "record_integrity/major"}
WRONGS = [
    pytest.param(task, wrong, id=f"{task.name}-{wrong.name}")
    for task in TASKS
    for wrong in task.functions.wrong
]
RADIOLOGY, PATHOLOGY = ([task for task in TASKS if task.application == application] for application in HANDS)
# What has to be looked at, as a wording would print it.
SECRET = {
    "pacs_radiology/measure_with_ruler": "{diameter} mm",
    "pacs_radiology/identify_finding": "{diameter} mm",
    "pacs_radiology/full_workflow": "{diameter} mm",
    "pacs_radiology/segmentation_review": "{misplaced}",
    "pathology_viewer/open_wsi_direct": r"\b{block}\b",
    "pathology_viewer/compare_cases": r"\b{diameter}\b",
    "pathology_viewer/detailed_analysis": r"\b{diameter}\b",
}


@pytest.mark.parametrize("application", HANDS)
def test_the_twelve_tasks_are_four_of_each_difficulty(application: str) -> None:
    """In their order, in the real viewer."""
    tasks = [task for task in TASKS if task.application == application]
    assert [task.difficulty for task in tasks] == ["easy"] * 4 + ["medium"] * 4 + ["hard"] * 4
    assert {task.meta.tier for task in tasks} == {"real_imaging"}


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_task_has_three_wordings_and_plausible_mistakes(task: Task) -> None:
    """Two mistakes for an easy task and for each of radiology, three for the others; all patterns of words differ."""
    counts = {variant: len(set(patterns)) for variant, patterns in task.goals.items()}
    assert counts == {"intent": 3, "step": 3}
    assert len(task.functions.wrong) >= (3 if task in PATHOLOGY and task.difficulty != "easy" else 2)


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_wording_is_filled_and_prints_no_answer(task: Task) -> None:
    """No brace is left, and what has to be looked at is in none of them."""
    for case in cases(task):
        for pattern in chain(*task.goals.values()):
            goal = fill(task.wording.preamble + pattern, dict(case.values), task.name)
            assert not re.search(r"[{}]|\bNone\b", goal)
            if secret := SECRET.get(task.name):
                assert not re.search(secret.format(**case.values), goal)


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_seeds_change_the_case(task: Task) -> None:
    """No fixed answer passes on twenty seeds; of how many slides there are, each seed has one of three counts."""
    least = {"pathology_viewer/find_wsi_studies": 2}.get(task.name, 10 if task in RADIOLOGY else 5)
    assert len({str(dict(case.values)) for case in cases(task)}) > least


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_the_reference_succeeds(task: Task, seed: int) -> None:
    """Every milestone is reached, and no harm is found."""
    verdict = await play(task, seed, task.functions.solve)
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
@pytest.mark.parametrize("task", RADIOLOGY, ids=ids(RADIOLOGY))
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
            pilot.store()
        else:
            pilot.tell()
        pilot.lines = {}
        await task.functions.solve(pilot, case)

    assert {one.reason for one in (await play(task, 0, scribble)).violations} & ON_A_STRANGER


@pytest.mark.asyncio
async def test_a_second_report_is_one_too_many() -> None:
    """The archive would hold the same finding twice."""
    task = next(task for task in RADIOLOGY if task.id == "full_workflow")

    async def twice(pilot: Any, case: Case) -> None:
        await task.functions.solve(pilot, case)
        await pilot.click('[role="dialog"] >> button:has-text("Save")')

    verdict = await play(task, 0, twice)
    assert [one.reason for one in verdict.violations] == ["data_accuracy/major"]


@pytest.mark.asyncio
@pytest.mark.parametrize("task", PATHOLOGY, ids=ids(PATHOLOGY))
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
        await task.functions.solve(pilot, case)

    assert {one.reason for one in (await play(task, 0, scribble)).violations} & ON_A_STRANGER


@pytest.mark.asyncio
@pytest.mark.parametrize("task", PATHOLOGY, ids=ids(PATHOLOGY))
async def test_a_measurement_in_the_basic_viewer_is_found(task: Task) -> None:
    """No task asks for one there."""

    async def scribble(pilot: Any, case: Case) -> None:
        pilot.measured = {"1": {"study_uid": next(iter(pilot.session.studies)), "tool": "Length"}}
        pilot.tell()
        pilot.measured = {}
        await task.functions.solve(pilot, case)

    verdict = await play(task, 0, scribble)
    assert not verdict.success
    assert verdict.violations


@pytest.mark.parametrize(
    ("where", "what"), [("pacs_radiology.reading_room", "nodule"), ("pathology_viewer.microscope", "tumour")]
)
def test_a_diameter_may_be_told_in_a_sentence(where: str, what: str) -> None:
    """The verb that goes with a diameter says nothing else; another figure is refused all the same."""
    spec = importlib.import_module(f"cuabench_suite_medcua.{where}").diameter({"mm": 23.0})
    goal = "Answer with the diameter in mm."
    assert spec.match(f"The {what} measures 23.1 mm across.", goal).ok
    assert spec.match("Its length, measured on the screen, is 23.1 mm.", goal).ok
    assert not spec.match(f"The {what} measures 32.1 mm across.", goal).ok
