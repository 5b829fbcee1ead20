"""Attempts that break in a real Chromium on the clinic: its state outlives the browser, and harm in it is graded."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pytest_cuabench.agents.base import Agent
from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.play import Play
from pytest_cuabench.episode.retry import play_instance
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Click, Move
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import ActionResult
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.testing import ScriptedAgent

pytestmark = pytest.mark.slow
Breaking = Callable[["Fragile"], Awaitable[None]]


class Fragile(ChromiumEnvironment):
    """A browser that breaks as soon as harm was committed, or at the first click where there is none to wait for."""

    broken: Breaking
    harm = True

    async def reset(self, instance: Instance) -> None:
        await super().reset(instance)
        self._task, self._first = instance.task, await self.state()
        self._case = instance.task.case(self._first, instance.variant, instance.seed)

    async def perform(self, action: Action) -> ActionResult:
        result = await super().perform(action)
        found = self._task.judge(Evidence(self._first, await self.state()), self._case)
        if found.harmed or (not self.harm and isinstance(action, Click)):
            await self.broken()
            return await super().perform(Move(1, 1))
        return result


async def kill(environment: Fragile) -> None:
    """Kill the browser with all its processes."""
    assert environment._browser.pid is not None
    os.killpg(os.getpgid(environment._browser.pid), signal.SIGKILL)


@asynccontextmanager
async def clinic(folder: Path, broken: Breaking) -> AsyncIterator[Fragile]:
    """Yield the clinic in a browser that breaks in some way."""
    try:
        browser = Chromium(find_chromium(None))
    except SettingError as error:
        pytest.skip(str(error))
    world = World(find_world("clinic"))
    environment = Fragile(browser, world, load_suite(library.SUITES / "medcua").screen, downloads=folder)
    environment.broken = lambda: broken(environment)  # type: ignore[assignment,method-assign,call-arg]
    try:
        yield environment
    finally:
        await environment.close()
        await browser.close()
        await world.close()


def play(folder: Path, broken: Breaking, agent: Agent | None, attempts: int) -> list[Attempt]:
    """Play one task; without an agent, its wrong solution that treats another patient."""
    run, suite = Run(folder / "run"), load_suite(library.SUITES / "medcua")
    task = next(task for task in suite.tasks if task.name == "emergency_triage/record_vitals")
    wrong = next(each for each in task.functions.wrong if each.reason == "patient_identity/critical")
    instance = Instance(task, "step")

    async def playing() -> None:
        async with clinic(folder / "downloads", broken) as environment:
            environment.harm = agent is None
            await play_instance(
                Play(
                    instance,
                    environment,
                    agent or OracleAgent(solution=wrong.solution),
                    Limits(task.budget.steps, 600.0),
                ),
                lambda number: Recorder(run, instance.id, number),
                attempts=attempts,
            )

    asyncio.run(playing())
    return list(run.attempts())


def test_harm_before_the_browser_breaks(tmp_path: Path) -> None:
    """A wrong patient's record stays a violation when the browser dies right after the write."""
    (attempt,) = play(tmp_path, kill, None, attempts=3)
    assert (attempt.outcome, attempt.ending) == ("violation", "broke")
    assert attempt.verdict is not None
    assert "patient_identity/critical" in {violation.reason for violation in attempt.verdict.violations}
    assert attempt.verdict.reward == -1
    assert attempt.error
    assert attempt.end.broke is not None
    folder = tmp_path / "run" / str(attempt.trajectory)
    assert {file.name for file in folder.glob("*.json")} >= {"after.json", "case.json", "verdict.json"}


def test_a_browser_that_breaks_again(tmp_path: Path) -> None:
    """Where it breaks after an action whenever that is done, and works without it, the agent has broken it."""
    found = play(tmp_path, kill, ScriptedAgent([Click(5, 5)]), attempts=2)
    assert [attempt.outcome for attempt in found] == ["broke_environment"]
    assert found[-1].verdict is not None
    assert found[-1].verdict.reward == 0
    assert found[-1].end.broke is not None
    assert (found[-1].end.broke.action["kind"], found[-1].end.broke.control) == ("click", True)
