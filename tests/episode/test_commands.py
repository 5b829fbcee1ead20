"""What a person who watches can do to an attempt: pause, resume and abort it, between two steps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from small_world import SECRET, Table, check, make_task, make_world, press

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.errors import RecordFailure, RunAborted
from pytest_cuabench.ledger import live
from pytest_cuabench.task.action import Move, Terminate
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.verdict import Milestone, Violation
from pytest_cuabench.testing import ScriptedAgent

DONE = Terminate("success")
KEY = "trajectories/desk/note-intent/1"


class Commanded(ScriptedAgent):
    """A scripted agent; at each of some decisions something is commanded."""

    def __init__(self, script: Any, at: dict[int, Callable[[], None]]) -> None:
        super().__init__(script)
        self._at, self.decided = at, 0

    async def decide(self, observation: Observation) -> Decision:
        """Command, then decide."""
        self._at.get(self.decided, lambda: None)()
        self.decided += 1
        return await super().decide(observation)


@pytest.fixture
def session(table: Table) -> Table:
    """A table whose run is led by a session."""
    table.run.folder.mkdir(parents=True, exist_ok=True)
    live.open_session(table.run.folder)
    return table


def ask(table: Table, command: live.Command, key: str | None = KEY) -> Callable[[], None]:
    """Return a function that commands."""
    return lambda: live.ask(table.run.folder, command, key)


def lines(table: Table) -> list[dict[str, Any]]:
    """Return all that was told while episodes were played."""
    return [
        json.loads(line) for file in live.files_of(table.run.folder) for line in file.read_text().splitlines()
    ]


@pytest.mark.parametrize("key", [KEY, None], ids=["one", "all"])
def test_abort(session: Table, key: str | None) -> None:
    """An aborted attempt ends before its next step: cancelled, not graded, with the reason in its record."""
    agent = Commanded([Move(1, 1)], {1: ask(session, "abort", key)})
    if key is None:
        with pytest.raises(RunAborted):
            asyncio.run(session.playing(agent, make_world()))
        (last,) = session.run.attempts()
    else:
        last = session.play(agent).last
    assert (last.outcome, last.verdict, last.steps) == ("cancelled", None, 2)
    assert last.error == ("aborted by a person" if key else "the run was aborted by a person")


def test_abort_seen_by_another_episode(session: Table) -> None:
    """An attempt that is cancelled because another one has seen the run's abort names the abort as its reason."""

    async def stop() -> None:
        agent = Commanded([Move(1, 1)], {0: ask(session, "pause")})
        playing = asyncio.create_task(session.playing(agent, make_world()))
        while not any(line.get("state") == "paused" for line in lines(session)):
            await asyncio.sleep(0.01)
        ask(session, "abort", None)()
        playing.cancel()
        await playing

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stop())
    (attempt,) = session.run.attempts()
    assert (attempt.outcome, attempt.error) == ("cancelled", "the run was aborted by a person")


def test_abort_is_not_retried(session: Table) -> None:
    """An aborted attempt is the last one at its instance."""
    played = session.play(Commanded([Move(1, 1)], {0: ask(session, "abort")}), attempts=3)
    assert len(list(played.run.attempts())) == 1


def test_abort_does_not_undo_harm(session: Table) -> None:
    """Harm that was committed before the abort stays a violation."""

    def major(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
        for found in check(evidence, case):
            yield replace(found, severity="major") if isinstance(found, Violation) else found

    agent = Commanded([press("x"), DONE], {0: ask(session, "abort")})
    last = session.play(agent, task=make_task(check=major)).last
    assert (last.outcome, last.steps, last.error) == ("violation", 1, "aborted by a person")


def test_abort_of_another_attempt(session: Table) -> None:
    """A command for another attempt has no effect."""
    other = KEY.replace("/1", "/2")
    agent = Commanded([press("n"), DONE], {0: ask(session, "abort", other)})
    assert session.play(agent).last.outcome == "success"


def test_pause(session: Table) -> None:
    """A pause holds the attempt before its next step; it is recorded, and no clock counts it."""

    async def playing() -> None:
        agent = Commanded([press("n"), DONE], {0: ask(session, "pause")})
        episode = asyncio.create_task(session.playing(agent, make_world(), seconds=0.5))
        while not any(line.get("state") == "paused" for line in lines(session)):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.6)  # longer than the budget of seconds
        assert agent.decided == 1
        ask(session, "resume", None)()
        await episode

    asyncio.run(playing())
    (last,) = session.run.attempts()
    assert last.outcome == "success"
    (pause,) = last.intervention.pauses
    assert (pause.step, pause.phase) == (1, "")
    assert pause.seconds >= 0.6
    assert last.seconds.world + last.seconds.model < pause.seconds <= last.seconds.total


def test_abort_ends_a_pause(session: Table) -> None:
    """An attempt that is paused can be aborted."""
    at = {0: lambda: (ask(session, "pause", None)(), ask(session, "abort")())}
    last = session.play(Commanded([Move(1, 1)], at)).last  # type: ignore[arg-type]
    assert last.error == "aborted by a person"


def test_told_without_secrets_and_evidence(session: Table) -> None:
    """While an episode is played the folder tells its goal and steps, and neither secrets nor what judges it."""
    goals = {"intent": ("Note that {name} was seen; sign in with {secret}.",), "step": ("-",)}
    session.play([Decision((Move(1, 1),), f"I type {SECRET}"), press("n"), DONE], task=make_task(goals=goals))
    told = lines(session)
    assert SECRET not in json.dumps(told)
    (goal,) = [line["goal"] for line in told if "goal" in line]
    assert goal.endswith("Note that Ada was seen; sign in with •••.")
    assert next(line["step"]["thought"] for line in told if "step" in line) == "I type •••"
    known = {
        "attempt",
        "time",
        "phase",
        "state",
        "instance",
        "number",
        "max_steps",
        "goal",
        "picture",
        "step",
    }
    assert {name for line in told for name in line} == known | {"cost", "seconds", "outcome"}
    states = [line["state"] for line in told if "state" in line]
    assert states == ["resetting", "waiting", "starting", *["deciding"] * 3, "judging", "ended"]


def test_nothing_is_told_without_a_session(table: Table) -> None:
    """Episodes outside of a session write no live lines."""
    table.play([press("n"), DONE])
    assert not (table.run.folder / live.FOLDER).exists()
    with pytest.raises(RecordFailure):
        live.ask(table.run.folder, "pause")


def test_what_cannot_be_told_costs_no_attempt(session: Table) -> None:
    """An attempt whose live lines cannot be written is played all the same."""
    live.close_session(session.run.folder)
    (session.run.folder / live.FOLDER).write_text("a file")
    assert session.play([press("n"), DONE]).last.outcome == "success"
