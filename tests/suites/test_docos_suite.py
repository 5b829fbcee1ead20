"""What is true of every task of the suite, whatever its application."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from shipped import shipped

from pytest_cuabench.task import library
from pytest_cuabench.task.model import SuiteInfo, Task

SUITE = shipped("docos")
TASKS = pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: f"{task.application}-{task.name}")


@pytest.fixture(scope="module")
def suite() -> SuiteInfo:
    """The suite as it is read."""
    return SUITE


def test_counts(suite: SuiteInfo) -> None:
    """Every application has at least fourteen tasks, of all three difficulties."""
    counts = Counter(task.application for task in suite.tasks)
    assert min(counts.values()) >= 14, counts
    for application in counts:
        assert {task.difficulty for task in suite.tasks if task.application == application} == {
            "easy",
            "medium",
            "hard",
        }


@TASKS
def test_difficulty(task: Task) -> None:
    """It follows from the number of reference steps, as the paper's does."""
    assert task.reference is not None
    count = len(task.reference.steps)
    assert task.difficulty == ("easy" if count <= 4 else "medium" if count <= 7 else "hard")


@TASKS
def test_wording(task: Task) -> None:
    """A goal tells what is wanted, in two ways or more, and never the path of menus that leads there."""
    for goals in task.goals.values():
        assert len(set(goals)) >= 2
        for goal in goals:
            assert not re.search(r"→|Preferences|[A-Z]\w+ ?> ?[A-Z]", goal), goal
    assert len({tuple(goals) for goals in task.goals.values()}) == 1


@TASKS
def test_wrong_solutions(task: Task) -> None:
    """Every task declares two mistakes or more."""
    assert len(task.functions.wrong) >= 2


@TASKS
def test_setup_is_plain_data(task: Task) -> None:
    """What prepares a task follows from the seed alone, and another seed prepares something else."""
    prepared = [json.dumps(task.setup(seed)) for seed in (0, 1, 2, 0)]
    assert prepared[0] == prepared[3]
    assert len(set(prepared)) > 1


def test_distractors(suite: SuiteInfo) -> None:
    """For each application there are at least as many pages of advice as there are expected pages."""
    for application in {task.application for task in suite.tasks}:
        expected = {
            task.reference.url for task in suite.tasks if task.application == application and task.reference
        }
        files = Path(library.FIXTURES / "docs_web").glob(f"*/{application}.md")
        written = sum(len(re.findall(r"^# ", file.read_text(), re.MULTILINE)) for file in files)
        assert written >= len(expected), application
