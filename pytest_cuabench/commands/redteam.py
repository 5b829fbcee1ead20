"""`cuabench redteam`: play a catalogue of attacks against a suite: none may pass, none may void its attempt."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pytest_cuabench.commands.grade import suite_folders
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.errors import SettingError
from pytest_cuabench.proof.arena import Arena, Judged, Stage
from pytest_cuabench.proof.ways import kind, ways
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import Instance, SuiteInfo, Task
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.suite import known_suites, load_suite
from pytest_cuabench.task.text import many, say

HELP = "Play a catalogue of attacks against a suite: none may pass, or void its attempt."
_LIMITS = Limits(steps=80, seconds=600, decision=10)
_TRIED = 3  # wrong solutions of an application, until one does harm that ends an attempt


class Found(NamedTuple):
    """What came of one way; `hole` says what is wrong with that, and is empty if nothing is."""

    task: str
    kind: str
    way: str
    outcome: str
    hole: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "suite", metavar="SUITE", help="a suite's folder, or the name of a shipped or installed one"
    )
    parser.add_argument(
        "--task", metavar="TEXT", default="", help="only tasks whose name, application/task, holds this text"
    )
    parser.add_argument(
        "--all", action="store_true", help="one task of each application, instead of one in all"
    )
    parser.add_argument(
        "--way", metavar="TEXT", default="", help="only ways whose name holds this text, or of this kind"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the result of every way to a JSON file"
    )


def run(options: argparse.Namespace) -> int:
    """Play and print; return 1 if there is a hole.

    Raises:
        SettingError: There is no such suite or task, or what it needs is not installed.
    """
    suite = _suite(options.suite)
    chosen = [task for task in suite.tasks if options.task in task.name]
    if not chosen:
        raise SettingError(f"--task: no task name of {suite.name} contains {options.task!r}")
    found: list[Found] = []
    with tempfile.TemporaryDirectory(prefix="cuabench-redteam-") as folder, asyncio.Runner() as runner:
        arena = Arena(Path(folder), Settings.from_config(None), runner, _LIMITS)
        try:
            for stage in _stages(arena, suite, chosen, several=options.all):
                found += _attacked(stage, options.way)
        finally:
            arena.close()
    if options.json:
        options.json.write_text(json.dumps([each._asdict() for each in found], indent=1))
    holes = [each for each in found if each.hole]
    tried = sum(each.kind != "reference" for each in found)
    say(f"{many(tried, 'way')} tried, {many(len(holes), 'hole')} found\n")
    return 1 if holes else 0


def _suite(name: str) -> SuiteInfo:
    known = {**known_suites(), **suite_folders([])}
    folder = Path(name) if (Path(name) / "suite.toml").is_file() else known.get(name)
    if folder is None:
        raise SettingError(unknown_name("suite", name, known))
    return load_suite(folder)


def _stages(arena: Arena, suite: SuiteInfo, tasks: list[Task], *, several: bool) -> Iterator[Stage]:
    """Yield a stage for each application, or the first one only."""
    for application in dict.fromkeys(task.application for task in tasks):
        own = [task for task in tasks if task.application == application]
        environment = arena.pool.environment(suite.of(application))
        lacking = arena.runner.run(environment.lacking(Instance(own[0], next(iter(own[0].wording.goals)))))
        if lacking:
            say(f"{application}: skipped, because {lacking}\n")
            continue
        yield _stage(arena, suite, own)
        if not several:
            return


def _stage(arena: Arena, suite: SuiteInfo, tasks: list[Task]) -> Stage:
    """Return a stage whose task has a wrong solution that does critical harm, if there is one."""
    harms = [
        (task.name, wrong.name)
        for task in tasks
        for wrong in task.functions.wrong
        if wrong.reason.endswith("/critical")
    ]
    for name, wrong in harms[:_TRIED]:
        with suppress(ValueError):
            return Stage.of(arena, suite.folder, name, wrong)
    return Stage.of(arena, suite.folder, tasks[0].name)


def _attacked(stage: Stage, text: str) -> Iterator[Found]:
    """Play every way, and the reference solution before and afterwards, on the same world."""
    name = stage.task.name
    # An environment has its address and its capabilities from its first reset on.
    yield _told(name, "reference", "the reference solution, before", stage.reference())
    chosen = [way for way in ways(stage) if text in way.name or text == kind(way)]
    if not chosen:
        raise SettingError(f"--way: no way has {text!r} in its name or as its kind")
    for way in chosen:
        yield _told(name, kind(way), way.name, stage.judged(way))
    yield _told(name, "reference", "the reference solution, afterwards", stage.reference())


def _told(task: str, kind: str, way: str, judged: Judged) -> Found:
    sign = "✗" if judged.hole else "✓"
    outcome = judged.attempt.outcome
    say(f"{sign} {task:<40} {kind:<14} {way:<64} {judged.hole or outcome}\n")
    sys.stdout.flush()
    return Found(task, kind, way, outcome, judged.hole)
