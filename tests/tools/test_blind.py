"""What a blind player notes is counted with the play that it is about."""

from __future__ import annotations

import asyncio
import json
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import blind
import pytest
from small_world import ATTEMPT

from pytest_cuabench.collection.stash import RUN
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.verdict import Milestone, Verdict

PASSED = ATTEMPT.with_values(outcome="success", verdict=Verdict((Milestone("noted", True, 1.0),)))
HEADER = 2  # lines of the table above its rows


def played(desk: Path, run: Run, *attempts: Attempt) -> None:
    """Record attempts of a run, each with the instance at the desk while it was played."""
    run.create({})
    for attempt in attempts:
        run.append(attempt.with_values(max_steps=10, steps=1))


def noted(desk: Path, run: Run, instance: str, goal: str, **options: Any) -> None:
    """Note a remark on a play that has ended already, as the player does."""
    (desk / blind.GOAL).write_text(json.dumps({"run": run.name, "instance": instance, "goal": goal}))
    (desk / blind.WISH).write_text("")
    asyncio.run(blind.end(desk, Namespace(**{"clear": "yes", "remark": ""} | options)))


def cells(desk: Path, *runs: Run) -> list[list[str]]:
    """Return the rows of the table, cell by cell."""
    lines = list(blind.table([run.folder for run in runs], [desk]))[HEADER:]
    return [[cell.strip().split(" [")[0] for cell in line.strip("|").split("|")] for line in lines]


def test_notes_are_joined_by_instance_whatever_the_goal_is(tmp_path: Path) -> None:
    """A redacted goal in the record, and the other goal of a phase, lose no note."""
    run = Run(tmp_path / "first")
    played(tmp_path, run, PASSED.with_values(goal="the password is [redacted]"))
    noted(tmp_path, run, ATTEMPT.instance, "find the page", clear="no")
    noted(tmp_path, run, ATTEMPT.instance, "the password is 4711")
    assert cells(tmp_path, run)[0] == ["small", "0 of 1", "1 of 1", "–", "10%"]


def test_notes_are_joined_by_run(tmp_path: Path) -> None:
    """The same instance in another run has its own note, or none."""
    first, second = Run(tmp_path / "first"), Run(tmp_path / "second")
    played(tmp_path, first, PASSED)
    played(tmp_path, second, ATTEMPT)
    noted(tmp_path, first, PASSED.instance, ATTEMPT.goal)
    assert cells(tmp_path, first, second)[-1][:3] == ["all", "1 of 1", "1 of 1"]


def test_what_was_not_graded_is_not_counted(tmp_path: Path) -> None:
    """A failure of the environment is no honest end that was refused."""
    run = Run(tmp_path / "first")
    broken = ATTEMPT.with_values(instance="desk/other-intent", outcome="environment_error", verdict=None)
    played(tmp_path, run, PASSED, broken)
    for each in (PASSED, broken):
        noted(tmp_path, run, each.instance, each.goal)
    assert cells(tmp_path, run)[0][2] == "1 of 1"


def test_the_desk_has_the_run_and_the_instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before an instance is played, its name and that of the run are written for the player's notes."""
    instance = object.__new__(Instance)
    monkeypatch.setattr(Instance, "id", "desk/note-intent")
    monkeypatch.setattr(blind, "_desk", tmp_path)
    config = SimpleNamespace(stash={RUN: Run(tmp_path / "first")})
    item: Any = SimpleNamespace(config=config, callspec=SimpleNamespace(params={"instance": instance}))
    blind.pytest_runtest_setup(item)
    assert json.loads((tmp_path / blind.PLAY).read_text()) == {
        "run": "first",
        "instance": "desk/note-intent",
    }
