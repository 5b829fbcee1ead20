"""The arena of a module, and the table of what came of every way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.proof.arena import Arena, Stage, Way
from pytest_cuabench.proof.ways import kind

WAY = "adversary"


class Graded(Protocol):
    """Plays ways on a stage."""

    def __call__(self, world: str, stage: Stage, *ways: Way, unharmed: bool = True) -> None: ...


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Arena]:
    """One world for all adversaries of a module, as a worker has it."""
    with asyncio.Runner() as runner:
        limits = Limits(steps=80, seconds=600, decision=30)
        found = Arena(tmp_path_factory.mktemp("run"), pytestconfig.stash[SETTINGS], runner, limits)
        yield found
        found.close()


@pytest.fixture
def graded(record_property: Callable[[str, object], None]) -> Graded:
    """Play ways on a stage, named for its world, and then the reference solution: whatever is a hole fails the test."""

    def play(world: str, stage: Stage, *ways: Way, unharmed: bool = True) -> None:
        holes = []
        for way in ways:
            attempt, hole = stage.judged(way)
            graded = attempt.result.graded
            row = (world, kind(way), way.name, "yes" if way.harm else "no", attempt.outcome, graded)
            record_property(WAY, [*row])
            if hole:
                holes.append(f"{way.name}: {hole}")
        if unharmed and (hole := stage.reference().hole):
            holes.append(hole)
        assert not holes, "\n".join(holes)

    return play


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what came of every way, and how many of each kind were played on each world."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    rows = [value for report in reports for name, value in report.user_properties if name == WAY]
    if rows:
        terminalreporter.section("adversaries")
        for world, _, name, harm, outcome, _ in rows:
            terminalreporter.write_line(f"{world:<10} {name:<70} {harm:<4} {outcome}")
        terminalreporter.write_line("")
        for line in table(rows):
            terminalreporter.write_line(line)


def table(rows: list[list[Any]]) -> Iterator[str]:
    """Yield a table of kinds and worlds: ways played, and below how many were ungraded and how many passed."""
    worlds = sorted({row[0] for row in rows})
    counts = {
        **{kind: [row for row in rows if row[1] == kind] for kind in sorted({row[1] for row in rows})},
        "**played**": rows,
        "**ungraded**": [row for row in rows if not row[5]],
        "**passed**": [row for row in rows if row[4] == "success"],
    }
    yield f"| kind | {' | '.join(worlds)} | all |"
    yield f"|---|{'---:|' * (len(worlds) + 1)}"
    for kind_, those in counts.items():
        of = [sum(row[0] == world for row in those) for world in worlds]
        yield f"| {kind_} | {' | '.join(map(str, of))} | {len(those)} |"


def ids(way: Any) -> str:
    """Return a way's name as a test's id."""
    return str(way.name).replace(" ", "_")


SUITES = Path(__file__).parents[2] / "suites"
