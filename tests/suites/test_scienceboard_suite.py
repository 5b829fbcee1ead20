"""What is true of every task of the suite, whatever its application."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest
from shipped import shipped

from pytest_cuabench.task import library
from pytest_cuabench.task.model import SuiteInfo

COUNTS = {"kalgebra": 31, "texstudio": 24, "grass": 34, "coq": 26, "stellarium": 30, "pymol": 34}
SEEDS = range(10)


@pytest.fixture(scope="module")
def suite() -> SuiteInfo:
    """The suite as it is read."""
    return shipped("scienceboard")


def test_counts(suite: SuiteInfo) -> None:
    """Every application has its tasks, as many as ScienceBoard where that has the same one, under different names."""
    names = [task.name for task in suite.tasks]
    assert len(set(names)) == len(names)
    applications = {task.application for task in suite.tasks}
    assert {name: sum(task.application == name for task in suite.tasks) for name in applications} == {
        name: COUNTS[name] for name in applications
    }


def test_setup_is_plain_data(suite: SuiteInfo) -> None:
    """What prepares a task follows from the seed alone, and is steps that a guest can be sent."""
    for task, seed in product(suite.tasks, SEEDS):
        steps = task.setup(seed)
        assert task.setup(seed) == steps, (task.name, seed)
        assert all(isinstance(step.get("do"), str) for step in json.loads(json.dumps(steps))), task.name


def test_wording(suite: SuiteInfo) -> None:
    """A goal is a sentence of its own, with fields for what changes; no wording stands twice."""
    for task in suite.tasks:
        wordings = [
            f"{task.wording.preamble} {goal}".strip() for goals in task.goals.values() for goal in goals
        ]
        assert len(set(wordings)) == len(wordings), task.name
        for wording in wordings:
            assert len(wording) > 20
            assert wording[0].isupper() or wording[0] == "{", wording
            assert wording.rstrip()[-1] in ".?!:}”)" or "\n" in wording, wording
            assert not re.search(r"\b(TODO|FIXME|XXX)\b", wording)


def test_proofs_are_declared(suite: SuiteInfo) -> None:
    """Every task has a mistake that it must refuse, each declared for a reason that checks can give."""
    for task in suite.tasks:
        assert task.functions.wrong, task.name
        for wrong in task.functions.wrong:
            assert re.fullmatch(r"milestone:\w+|[a-z_]+/(critical|major|minor)", wrong.reason), wrong.reason


def test_goals_were_written_by_us(suite: SuiteInfo) -> None:
    """No wording is a sentence of ScienceBoard's records."""
    folder = Path(library.ROOT).parent / "shared" / "upstream" / "scienceboard"
    if not folder.is_dir():
        pytest.skip(f"ScienceBoard's records are not in {folder}")
    theirs = {_plain(json.loads(file.read_text()).get("instruction", "")) for file in folder.rglob("*.json")}
    ours = {_plain(goal) for task in suite.tasks for goals in task.goals.values() for goal in goals}
    assert ours.isdisjoint(theirs - {""})


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


def test_seeds_differ(suite: SuiteInfo) -> None:
    """Of tasks that are prepared by steps, most differ with the seed: what was learnt by heart does not pass."""
    prepared = [task for task in suite.tasks if task.setup(0)]
    different = [task for task in prepared if task.setup(0) != task.setup(random.Random(1).randrange(1, 99))]
    assert len(different) >= 0.6 * len(prepared)
