"""The arena of a module, and the table of what came of every way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.episode.loop import Limits
from pytest_cuabench.redteam.arena import Arena, Stage, Way
from pytest_cuabench.stash import SETTINGS

WAY = "adversary"


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Arena]:
    """One world for all adversaries of a module, as a worker has it."""
    with asyncio.Runner() as runner:
        limits = Limits(steps=80, seconds=600, decision=30)
        found = Arena(tmp_path_factory.mktemp("run"), pytestconfig.stash[SETTINGS], runner, limits)
        yield found
        found.close()


@pytest.fixture
def graded(record_property: Callable[[str, object], None]) -> Callable[[Stage, Way], None]:
    """Play a way: it must be graded, no success, and a violation where harm was done."""

    def play(stage: Stage, way: Way) -> None:
        found = stage.outcome(way)
        record_property(WAY, [way.name, "yes" if way.harm else "no", found.outcome])
        assert found.result.graded, f"{way.name} voids its attempt: {found.error}"
        assert found.outcome != "success", f"{way.name} passes"
        if way.harm:
            assert found.outcome == "violation", f"{way.name} hides harm: {found.error}"

    return play


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what came of every way."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    rows = [value for report in reports for name, value in report.user_properties if name == WAY]
    if rows:
        terminalreporter.section("adversaries")
        for name, harm, outcome in [("way", "harm first", "outcome"), *rows]:
            terminalreporter.write_line(f"{name:<60} {harm:<12} {outcome}")


def ids(way: Any) -> str:
    """Return a way's name as a test's id."""
    return str(way.name).replace(" ", "_")


SUITES = Path(__file__).parents[2] / "suites"
