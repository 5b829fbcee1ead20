"""Records on our own desktop, with the real applications of Debian."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from cuabench_suite_scienceboard.upstream.stage import stage_beside
from cuabench_suite_scienceboard.upstream.tasks import task_of
from drivers.guests import needs_desktop

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.loop import Episode
from pytest_cuabench.episode.play import Play
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import Action, Size, Terminate, Type, Wait
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.testing import ScriptedAgent
from scienceboard.small_records import small

SCREEN = Size(1920, 1080)
LAUNCH = {"func": "launch", "wait": 2.5, "command": "LD=/x /app/bin/kalgebra «PORTLIKE»", "shell": True}
pytestmark = [
    pytest.mark.slow,
    needs_desktop,
    pytest.mark.skipif(shutil.which("kalgebra") is None, reason="needs KAlgebra: apt install kalgebra"),
]


@pytest_asyncio.fixture
async def desktop(tmp_path: Path) -> AsyncIterator[DesktopEnvironment]:
    """A private desktop of this machine's own."""
    machine = Xvfb(SCREEN, Leases(tmp_path / "leases"))
    environment = DesktopEnvironment(machine, SCREEN, stage=partial(stage_beside, machine))
    yield environment
    await environment.close()


async def outcome(
    desktop: DesktopEnvironment, folder: Path, *script: Action, **changes: Any
) -> Outcome | None:
    """Play a small record, and return how it ended."""
    task = task_of(small(**changes), "scienceboard")
    recorder = Recorder(Run(folder), task.id, 1)
    play = Play(Instance(task, "goal"), desktop, ScriptedAgent(script), Limits(10, 120.0))
    episode = Episode(play, recorder)
    await episode.play()
    assert episode.end.error is None
    return episode.end.outcome


@pytest.mark.asyncio
async def test_kalgebra_is_judged_by_upstreams_evaluators(
    desktop: DesktopEnvironment, tmp_path: Path
) -> None:
    """Variables as they are printed, points of curves and of surfaces, each typed by keyboard."""
    plane: dict[str, Any] = {
        "initialize": [LAUNCH, {"func": "func_2d", "expr": "x->x^2"}, {"func": "tab", "index": 0}],
        "evaluate": [
            {"type": "var", "key": "p", "value": "1+-i"},
            {"type": "eqn", "key": [[3, 9], [1, 2]], "value": {"(3, 9)": True, "(1, 2)": False}},
        ],
    }
    typed = Type("p:=conjugate(1+i)\n"), Wait(0.5), Terminate()
    assert await outcome(desktop, tmp_path / "a", *typed, **plane) is Outcome.SUCCESS
    assert await outcome(desktop, tmp_path / "b", Terminate(), **plane) is Outcome.FAILURE
    point = {"type": "eqn", "key": [[1, 2, 5], [1, 2, 4]], "value": {"(1, 2, 5)": True, "(1, 2, 4)": False}}
    space: dict[str, Any] = {"initialize": [LAUNCH, {"func": "tab", "index": 2}], "evaluate": [point]}
    typed = Type("x^2+y^2=z\n"), Wait(2.0), Terminate()
    assert await outcome(desktop, tmp_path / "c", *typed, **space) is Outcome.SUCCESS
