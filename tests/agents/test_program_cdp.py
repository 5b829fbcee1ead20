"""Programs may play by the Chrome DevTools Protocol: Playwright in a box, on a task of the clinic."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.pool import Pool
from pytest_cuabench.episode.loop import Limits, play_instance
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.stash import SETTINGS
from pytest_cuabench.task import library
from pytest_cuabench.task.model import Instance, Task
from pytest_cuabench.task.suite import load_suite

from .boxed import needs_box, program

pytestmark = [needs_box, pytest.mark.slow]
PACKAGES = [
    str(Path(importlib.import_module(name).__file__ or "").parent) for name in ("playwright", "greenlet")
]
PACKAGES.append(str(importlib.import_module("typing_extensions").__file__))

CONNECT = """
import re
from playwright.sync_api import Error, sync_playwright
goal = call("/v1/briefing")[1]["goal"]
user = re.search(r"user ID is (\\S+) and the password is (\\S+?)\\. ", goal)
mrn = re.search(r"MRN (\\w+)", goal)[1]
place = re.search(r"(?:choose|Select|mark) “(.+?)”", goal)[1]
playwright = sync_playwright().start()
address = os.environ["CUABENCH_URL"] + "/cdp/" + os.environ["CUABENCH_TOKEN"]
browser = playwright.chromium.connect_over_cdp(address)
page = browser.contexts[0].pages[0]
"""
SIGN_IN = """
page.get_by_label("User ID").fill(user[1])
page.get_by_label("Password").click()
page.keyboard.type(user[2])
page.keyboard.press("Enter")
"""
SOLVE = """
page.get_by_role("row", name=mrn).get_by_role("link").first.click()
page.get_by_role("link", name="Disposition").click()
page.get_by_label(place).check()
page.get_by_role("button", name="Save disposition").click()
"""


@dataclass(frozen=True)
class Clinic:
    """A task of the clinic, and where programs play it."""

    task: Task
    environment: Environment
    runner: asyncio.Runner
    folder: Path
    played: list[Attempt]

    def play(
        self, code: str, steps: int = 30, **options: Any
    ) -> tuple[Attempt, ProgramAgent, list[dict[str, Any]]]:
        """Let a program play; return the attempt, the agent and the recorded steps."""
        agent = program(code, door="cdp", files=PACKAGES, environment={"PYTHONPATH": "/opt/agent"}, **options)
        run, number = Run(self.folder), len(self.played) + 1
        instance = Instance(self.task, "step")
        attempt = self.runner.run(
            play_instance(
                instance,
                self.environment,
                agent,
                lambda number: Recorder(run, instance.id, number),
                Limits(steps=steps, seconds=120.0),
                first=number,
                agent_name="mine",
            )
        )
        self.played.append(attempt)
        file = self.folder / (attempt.trajectory or "") / "steps.jsonl"
        lines = file.read_text().splitlines() if file.exists() else []
        return attempt, agent, [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Clinic]:
    """The clinic's emergency triage, where a disposition is to be saved."""
    with asyncio.Runner() as runner:
        pool = Pool(pytestconfig.stash[SETTINGS])
        suite = load_suite(library.SUITES / "medcua")
        task = next(task for task in suite.tasks if task.name == "emergency_triage/assign_disposition")
        yield Clinic(task, pool.environment(suite), runner, tmp_path_factory.mktemp("run"), [])
        runner.run(pool.close())


def kinds(steps: list[dict[str, Any]]) -> list[str]:
    """Return what was done in each step."""
    return [" ".join(action["kind"] for action in step["actions"]) for step in steps]


def test_playwright_solves(clinic: Clinic) -> None:
    """Playwright's own client solves a task: its clicks and words are steps with pictures, its scripts are counted."""
    last, agent, steps = clinic.play(CONNECT + SIGN_IN + SOLVE)
    print(last.outcome, last.error, agent.scripts, agent._guard.count, agent._box.tail())
    for step in steps:
        print(step["actions"], step["seconds"], [r["error"] for r in step["results"]], step["raw"])
    assert (last.outcome, last.ending, last.steps) == ("success", "success", 7), (
        last.error,
        agent._box.tail(),
    )
