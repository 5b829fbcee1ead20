"""Writes that arrive late in a user's own application: they belong to their own episode, and never to the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.action import Terminate, Wait
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.testing import ScriptedAgent

_BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "late_writes.py"
_SPEC = spec_from_file_location(
    "late_writes", _BENCHMARK
)  # by its file: other names there are those of tests' folders
assert _SPEC is not None
assert _SPEC.loader is not None
_module = module_from_spec(_SPEC)
_SPEC.loader.exec_module(_module)
Late = _module.Late

pytestmark = pytest.mark.slow
CASES = [  # kind, seconds, note: each came too late without an end that waits
    ("commit", 3.6, "harm"),
    ("autosave", 8.0, "note"),
    ("beacon", 0.3, "note"),
    ("job", 0.5, "harm"),
]


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Late]]:
    """Makes the application."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))
    monkeypatch.setenv("LATE_WRITE", "")  # set by the application, and undone
    made: list[Late] = []
    with asyncio.Runner() as runner:

        def make(**options: bool) -> Late:
            made.append(Late(tmp_path, runner, **options))
            return made[-1]

        yield make
        for each in made:
            each.arena.close()


def test_a_late_write_is_judged_in_its_own_episode(late: Callable[..., Late]) -> None:
    """A harm that arrives within the bound is a violation, a save a success; the next episode sees neither."""
    application = late()
    for kind, delay, note in CASES:
        own, following = application.pair(kind, delay, note, wait=0.1)
        assert (own, following) == ("success" if note == "note" else "violation", ["failure"]), kind


class Releasing(ScriptedAgent):
    """Lets a job of the application go on that waits for a file, and waits."""

    def __init__(self, application: Late) -> None:
        super().__init__([Wait(2), Terminate("success")])
        self.file = application.order.with_name(f"{application.order.name}.go")

    async def decide(self, observation: Observation) -> Decision:
        """Make the file."""
        self.file.touch()
        return await super().decide(observation)


def test_a_write_of_another_episode_is_told(late: Callable[..., Late]) -> None:
    """Where an application does not say what it does, a job that ends in the next episode has that played again.

    One that ends between the reset and the first look has the reset done again.
    """
    application = late(idle=False)
    application.pair("held", 0, "harm", wait=0.1)
    agent = Releasing(application)

    assert application.play(agent) == ["environment_error", "failure"]

    told = str([each.error for each in Run(application.arena.folder).attempts()])
    assert "(insert of 1 in notes): a write of the episode before, notes/keep_note" in told
    application.order.write_text("start 0 harm")
    agent.file.touch()
    assert application.play(ScriptedAgent([Terminate("success")])) == ["failure"]
    assert application.environment._baseline.collections == {"notes": {}}
