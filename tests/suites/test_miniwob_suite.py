"""What is true of every page of the suite."""

from __future__ import annotations

import importlib
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from shipped import shipped

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Task

SUITE = shipped("miniwob")
TASKS = {task.id: task for task in SUITE.tasks}
# What docs/other-benchmarks.md says of them: no reward, or one that depends on the speed of the agent's model.
LEFT_OUT = {"hover_shape", "chase_circle", "moving_items", "stock_market", "simon_says", "button_delay"}


def test_counts() -> None:
    """There are 124 pages, 118 of them with a solution, and none is twice."""
    assert len(TASKS) == len(SUITE.tasks) == 124
    assert Counter(task.proof.proved for task in SUITE.tasks) == {True: 118, False: 6}


@pytest.mark.skipif(find_spec("miniwob") is None, reason="type: pip install 'pytest-cuabench[miniwob]'")
def test_every_page_of_the_package() -> None:
    """Every page is a task, but for those that cannot be judged honestly."""
    spec = find_spec("miniwob")
    assert spec is not None
    assert spec.origin is not None
    pages = Path(spec.origin).parent.glob("html/miniwob/*.html")
    assert {page.stem.replace("-", "_") for page in pages} == set(TASKS) | LEFT_OUT


@pytest.mark.parametrize("application", sorted({task.application for task in SUITE.tasks}))
def test_solutions(application: str) -> None:
    """Exactly the tasks that count as proved have a solution."""
    proved = {task.id for task in SUITE.tasks if task.application == application and task.proof.proved}
    module = importlib.import_module(f"cuabench_suite_miniwob.{application}.pages")
    assert {page.replace("-", "_") for page in module.solutions} == proved


def _state(reward: float | None) -> State:
    row = {"page": "click-test", "utterance": "Click the button.", "fields": {}, "reward": reward}
    return State({"episode": {"now": row}})


def _judged(task: Task, reward: float | None) -> bool:
    case = Case("goal", {**task.values, "page": "click-test"})
    return task.judge(Evidence(_state(None), _state(reward), ending="world"), case).success


@pytest.mark.parametrize(
    ("task", "reward", "solved", "upstream"),
    [
        ("click_test", 1.0, True, True),
        ("click_test", -1.0, False, False),
        ("click_test", None, False, False),
        ("find_greatest", 0.1, False, True),
        ("bisect_angle", 0.93, True, True),
        ("bisect_angle", 0.5, False, True),
    ],
)
def test_rewards(task: str, reward: float | None, solved: bool, upstream: bool) -> None:
    """The full reward is required, or 0.9 where a distance is measured; BrowserGym takes any reward above 0."""
    assert _judged(TASKS[task], reward) is solved
    assert _judged(TASKS[task].scored_upstream(), reward) is upstream


def test_a_goal_is_what_the_page_says() -> None:
    """The utterance is the whole goal."""
    assert TASKS["click_test"].case(_state(None), "page", 0).goal == "Click the button."


def test_pages_without_a_solution_are_asked_for(pytester: pytest.Pytester) -> None:
    """They are collected with `--cua-unproved` only, and carry the marker `unproved`."""
    command = [str(SUITE.folder), "--collect-only", "-q", "--agent=noop"]
    for more, found in (([], 118), (["--cua-unproved"], 124), (["--cua-unproved", "-m", "unproved"], 6)):
        result = pytester.runpytest_inprocess(*command, *more)
        assert len([line for line in result.outlines if "::test_miniwob[" in line]) == found
