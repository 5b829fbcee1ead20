"""In every shipped web world the driver throws nothing into a page, logs nothing there and changes no layout."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from shipped import shipped

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.collection.stash import SETTINGS
from pytest_cuabench.drivers.chromium.session.session import Session
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.proof.arena import Arena
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Click, Drag, Move, Type, Wait
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import Observation

from .recording import Recorder

pytestmark = pytest.mark.slow
OFTEN = {"outpatient_pharmacy", "pacs_radiology", "admin", "widgets"}  # the others are played in the night
ABSENT = {"openemr"}  # played where an OpenEMR runs
LOOKS: tuple[Action, ...] = (
    *(Move(x, y) for y in range(40, 700, 110) for x in range(60, 1000, 170)),
    *(action for at in ((300, 20), (500, 420), (90, 300)) for action in (Move(*at), Wait(0.8))),
)
APPLICATIONS = [
    pytest.param(name, application, marks=() if application in OFTEN else pytest.mark.nightly)
    for name in ("medcua", "scuba", "miniwob")
    for application in dict.fromkeys(task.application for task in shipped(name).tasks)
    if application not in ABSENT
]


class Resting(OracleAgent):
    """Plays the reference, and rests with the pointer after whatever it does."""

    def __init__(self) -> None:
        super().__init__()
        self._looks = LOOKS

    async def decide(self, observation: Observation) -> Decision:
        """Return the next decision with a pause; first it looks about."""
        if self._looks:
            looks, self._looks = self._looks, ()
            return Decision(looks, "Look about")
        decision = await super().decide(observation)
        if any(isinstance(one, Click | Type | Drag) for one in decision.actions):
            return Decision((*decision.actions, Wait(0.7)), decision.thought)
        return decision


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Hears every page that is opened."""
    found, adopt = Recorder(), Session._adopt

    async def adopted(self: Session, page: object, behind: bool) -> None:
        await found.listen(page)  # type: ignore[arg-type]
        await adopt(self, page, behind)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "_adopt", adopted)
    return found


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Arena]:
    """The worlds of this module."""
    with asyncio.Runner() as runner:
        limits = Limits(steps=400, seconds=900, decision=120)
        found = Arena(tmp_path_factory.mktemp("run"), pytestconfig.stash[SETTINGS], runner, limits)
        yield found
        found.close()


@pytest.mark.parametrize(("suite", "application"), APPLICATIONS)
def test_a_reference_is_played_unseen(suite: str, application: str, arena: Arena, recorder: Recorder) -> None:
    """While a reference looks about, hovers, presses and types, nothing of the driver is thrown, logged or told."""
    tasks = [task.name for task in shipped(suite).tasks if task.application == application]
    task, environment = arena.task(library.SUITES / suite, tasks[len(tasks) // 2])
    if lacking := arena.runner.run(environment.lacking(Instance(task, next(iter(task.goals))))):
        pytest.skip(lacking)
    attempt = arena.play(task, environment, Resting(), attempts=1)
    assert attempt.result.graded, attempt.error
    assert [one.text for one in recorder.heard if one.ours] == []
    if suite != "miniwob":  # where looking about may be an attempt already
        assert attempt.outcome == "success", attempt.error or attempt.ending
    if shipped(suite).of(application).world in ("clinic", "salesforce"):  # all that runs there is known
        assert [one.text for one in recorder.heard] == []
