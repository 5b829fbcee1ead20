"""Players for the sample suite, and what their runs leave behind.

A player's script is words: a key to press, `=2` to answer 2, `.` done, `-` given up, `%` infeasible, `wait` for ever,
`idle` to wait while the world breaks.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run

INSTANCES = [f"desk/{task}-{variant}" for task in ("note", "count", "both") for variant in ("intent", "step")]
OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")  # what a user need not have
PLAYERS = '''
"""Who plays is decided by the goal; each word of a script is one decision."""
import asyncio
import json
import os
from pathlib import Path

from pytest_cuabench.task.action import Answer, Click, Key, Terminate, Wait
from pytest_cuabench.agents.base import Decision
from pytest_cuabench.errors import ProviderFailure, Unauthorized
from pytest_cuabench.testing import ScriptedAgent

SCRIPTS = json.loads(Path(__file__).with_suffix(".json").read_text())
GOALS = {
    "Note that": "desk/note-intent", "Press n for": "desk/note-step",
    "How many": "desk/count-intent", "Count the": "desk/count-step",
    "then answer how": "desk/both-intent", "Press n, count": "desk/both-step",
}
END = {".": "success", "-": "failure", "%": "infeasible"}


class Player(ScriptedAgent):
    def __init__(self):
        super().__init__(())

    async def start(self, briefing):
        await super().start(briefing)
        instance = next(name for words, name in GOALS.items() if words in briefing.goal)
        self._script = SCRIPTS.get(instance, SCRIPTS["*"]).split()

    async def decide(self, observation):
        word = (await super().decide(observation)).actions[0]
        if word == "wait":
            Path(f"waiting-{os.getpid()}-{id(self)}").touch()
            await asyncio.Event().wait()
        if word == "idle":
            return Decision((Wait(0.0),))
        if word == "broke":
            raise ProviderFailure("no credit is left")
        if word == "refused":
            raise Unauthorized("Maker returned 401: the key is invalid; check MAKER_API_KEY")
        if word == "bug":
            raise KeyError("a mistake of the player")
        if word == "huh":
            return Decision(format_error="no JSON")
        if word == "miss":
            return Decision((Click(9999, 1),))
        if word.startswith("="):
            return Decision((Answer(word[1:]),))
        return Decision((Terminate(END[word]),) if word in END else (Key((word,)),))
'''
DRIVER = '''
"""The fake world of `conftest.py` as a driver whose environments may be played in at the same time."""
from pytest_cuabench.drivers.driver import Driver
from pytest_cuabench.testing import FakeEnvironment

from fake import react


class DeskDriver(Driver):
    def concurrent(self, suite, place):
        return True

    def open(self, context):
        return FakeEnvironment({"patients": {"A": {"name": "Ada"}, "B": {"name": "Bo"}}}, react)
'''


@pytest.fixture(scope="session", autouse=True)
def imported() -> None:
    """What is imported once here is not imported again by every session that runs within this process."""
    for module in ("allure", "page", "markdown"):
        import_module(f"pytest_cuabench.reporting.{module}")
    for module in (
        "agents.profile",
        "collection.attempts",
        "collection.items",
        "collection.terminal",
        "collection.gatekeeper",
        "testing",
    ):
        import_module(f"pytest_cuabench.{module}")


@pytest.fixture
def desk(sample: pytest.Pytester) -> pytest.Pytester:
    """The sample suite on a driver of its own instead of a fixture."""
    suite = sample.path / "suites" / "sample"
    text = (suite / "conftest.py").read_text()
    (suite / "fake.py").write_text(text.partition("@pytest.fixture")[0])
    (suite / "conftest.py").write_text("")
    (suite / "desk_driver.py").write_text(DRIVER)
    about = suite / "suite.toml"
    about.write_text(about.read_text().replace('driver = "chromium"', 'driver = "desk_driver:DeskDriver"'))
    return sample


@pytest.fixture
def players(sample: pytest.Pytester) -> Callable[..., str]:
    """Write `the_players.py` with a script for all instances, and others for some; return the option for it."""

    def write(everywhere: str = ".", **some: str) -> str:
        scripts = {"desk/" + name.replace("_", "-"): script for name, script in some.items()}
        assert set(scripts) <= set(INSTANCES)
        (sample.path / "the_players.py").write_text(PLAYERS)
        (sample.path / "the_players.json").write_text(json.dumps({"*": everywhere, **scripts}))
        sample.syspathinsert()
        return "--agent=the_players:Player"

    return write


@pytest.fixture
def play(sample: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the sample suite within this process."""

    def run(*options: str) -> pytest.RunResult:
        return sample.runpytest_inprocess(*OTHERS, "suites/sample", *options)

    return run


@pytest.fixture
def the_run(sample: pytest.Pytester) -> Callable[[], Run]:
    """Return the one run that was recorded."""

    def find() -> Run:
        (folder,) = (sample.path / "reports").iterdir()
        return Run(folder)

    return find


@pytest.fixture
def played(the_run: Callable[[], Run]) -> Callable[[], dict[str, list[Attempt]]]:
    """Return the attempts of the one run by instance."""

    def read() -> dict[str, list[Attempt]]:
        found: dict[str, list[Attempt]] = {}
        for attempt in the_run().attempts():
            found.setdefault(attempt.instance, []).append(attempt)
        return found

    return read


@pytest.fixture
def outcomes(played: Any) -> Callable[[], dict[str, list[str]]]:
    """Return the outcomes of all attempts of the one run by instance."""

    def read() -> dict[str, list[str]]:
        return {name: [attempt.outcome for attempt in attempts] for name, attempts in played().items()}

    return read


@pytest.fixture
def change(sample: pytest.Pytester) -> Callable[[str, str, str], Path]:
    """Replace a part of a file of the sample suite."""

    def replace(name: str, old: str, new: str) -> Path:
        file = sample.path / "suites" / "sample" / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")
        return file

    return replace
