"""An attempt that an error ends: committed harm stays a violation, and who breaks the world every time has failed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from small_world import ROWS, SECRET, Played, Table, check, make_task, make_world, press, react

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.errors import (
    BudgetSpent,
    CheckerFailure,
    EnvironmentFailure,
    ProviderFailure,
    RecordFailure,
    Refused,
    Unauthorized,
)
from pytest_cuabench.ledger.recorded import judge_again, read_evidence
from pytest_cuabench.task.action import Action, Key, Move, Terminate, Type, Wait
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Milestone, Violation
from pytest_cuabench.testing import FakeEnvironment, ScriptedAgent

DONE = Terminate("success")
LOOK = Move(1, 1)


def minor(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
    """Want a note for Ada; a note for Bo is a harm that lets the episode go on."""
    for found in check(evidence, case):
        yield replace(found, severity="minor") if isinstance(found, Violation) else found


def uncommitted(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
    """Want a note for Ada; a note for Bo can be mended."""
    for found in check(evidence, case):
        yield replace(found, committed=False) if isinstance(found, Violation) else found


class Deciding(ScriptedAgent):
    """Plays a script, and then does something else than deciding."""

    def __init__(self, script: list[Any], then: Callable[[], Any]) -> None:
        super().__init__(script)
        self._then = then

    async def decide(self, observation: Any) -> Decision:
        if self._next < len(self._script):
            return await super().decide(observation)
        result: Decision = await self._then()
        return result


async def hang() -> None:
    """Never return."""
    await asyncio.Event().wait()


def raising(error: BaseException) -> Callable[[], Any]:
    """Return a coroutine function that raises."""

    async def fail() -> None:
        raise error

    return fail


async def nonsense() -> str:
    """Return what is no decision."""
    return "done"


# Harm that was committed


@pytest.mark.parametrize("key", ["b", "e"])
def test_harm_before_the_action_that_breaks(table: Table, key: str) -> None:
    """Harm in the first action of a decision is found where the second one breaks the world: graded, not replayed."""
    played = table.play([press("x", key)], attempts=3)
    assert (played.last.outcome, played.last.ending) == ("violation", "broke")
    assert played.last.verdict is not None
    assert played.last.verdict.reward == -1
    assert len(played.attempts) == 1
    assert played.last.error is not None
    assert "the desk fell over" in played.last.error or "a bug of the driver" in played.last.error
    assert played.last.end.broke is not None
    assert (played.last.end.broke.step, played.last.end.broke.action) == (0, {"kind": "key", "keys": [key]})
    after = json.loads((played.folder() / "after.json").read_text())
    assert after["collections"]["notes"]["2"]["patient"] == "B"
    assert json.loads((played.folder() / "verdict.json").read_text())["reward"] == -1


@pytest.mark.parametrize("method", ["observe", "settle", "revision", "activity"])
def test_harm_before_another_call_breaks(table: Table, method: str) -> None:
    """Whatever of the world does not answer after the harm, the state does, and the harm is judged."""
    world = make_world()
    answer = getattr(world, method)

    async def breaking(*arguments: Any) -> Any:
        if world.journal:
            raise EnvironmentFailure("the screen is dark")
        return await answer(*arguments)

    setattr(world, method, breaking)
    last = table.play([press("x"), DONE], world=world, task=make_task(check=minor)).last
    assert (last.outcome, last.error) == ("violation", "the screen is dark")


@pytest.mark.parametrize(
    ("then", "words"),
    [
        (raising(ProviderFailure("no credit")), "no credit"),
        (raising(BudgetSpent("no money")), "no money"),
        (raising(Refused("a bad request")), "a bad request"),
        (raising(ZeroDivisionError("a mistake")), "a mistake"),
        (raising(asyncio.CancelledError()), "cancelled by its own code"),
        (raising(SystemExit(0)), "SystemExit"),
        (raising(pytest.skip.Exception("not today")), "not today"),
        (raising(pytest.fail.Exception("no")), "no"),
        (raising(CheckerFailure("blame the suite")), "blame the suite"),
        (raising(RecordFailure("blame the disk")), "blame the disk"),
        (raising(EnvironmentFailure("blame the world")), "blame the world"),
        (nonsense, "which is not a valid Decision"),
        (hang, "took more than 0.05 s"),
    ],
)
def test_harm_before_the_agent_breaks(table: Table, then: Callable[[], Any], words: str) -> None:
    """However an agent ends its attempt, the harm that it committed before is graded, and what broke is kept."""
    agent = Deciding([press("x")], then)
    played = table.play(agent, task=make_task(check=minor), attempts=3, decision=0.05)
    assert played.last.outcome == "violation"
    assert len(played.attempts) == 1
    assert played.last.error is not None
    assert words in played.last.error


@pytest.mark.parametrize("error", [CheckerFailure("x"), RecordFailure("x"), pytest.skip.Exception("x")])
def test_an_agent_blames_nobody_else(table: Table, error: BaseException) -> None:
    """An agent that raises what stands for a fault of the suite, of the disk, or for a skip is itself at fault."""
    played = table.play(Deciding([], raising(error)), attempts=2)
    assert [attempt.outcome for attempt in played.attempts] == ["gave_up"]


def test_harm_before_a_refused_key(table: Table) -> None:
    """The run is stopped, and the harm is in the ledger."""
    agent = Deciding([press("x")], raising(Unauthorized("check the key")))
    played = table.play(agent, task=make_task(check=minor), attempts=3)
    assert (len(played.attempts), str(played.stopped)) == (1, "check the key")
    assert (played.last.outcome, played.last.error) == ("violation", "check the key")


def test_harm_before_a_stop(table: Table) -> None:
    """Ctrl-C after harm does not undo it: the attempt is a violation, and the run stops all the same."""
    reached = asyncio.Event()

    async def wait() -> None:
        reached.set()
        await hang()

    async def stop() -> None:
        agent = Deciding([press("x")], wait)
        playing = asyncio.create_task(table.playing(agent, make_world(), make_task(check=minor)))
        await reached.wait()
        playing.cancel()
        await playing

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stop())
    (attempt,) = table.run.attempts()
    assert (attempt.outcome, attempt.error) == ("violation", "the run was stopped")
    assert (table.folder / str(attempt.trajectory) / "case.json").is_file()


class Half(FakeEnvironment):
    """A world that breaks for good when the key b is pressed; its state is gone, or a part of it is left."""

    part: State | None = None

    async def state(self) -> State:
        if any(isinstance(action, Key) and action.keys == ("b",) for action in self.performed):
            raise EnvironmentFailure("nothing answers", self.part)
        return await super().state()


def test_harm_that_was_known_before(table: Table) -> None:
    """Where the state cannot be read any more, the one that was read last is judged, and the record says so."""
    task = make_task(check=minor)
    last = table.play([press("x"), press("b")], world=Half(ROWS, react), task=task).last
    assert last.outcome == "violation"
    assert last.error == (
        "the desk fell over; judged by the last known state, because the state cannot be read: nothing answers"
    )


def test_a_part_of_the_state(table: Table) -> None:
    """What a driver can still tell is judged."""
    world = Half(ROWS, react)
    world.part = State({**ROWS, "notes": {}}, make_harm(), 1)
    assert table.play([press("x", "b")], world=world).last.outcome == "violation"


def test_a_part_of_the_state_hides_no_harm_that_was_known(table: Table) -> None:
    """Where the part that is left does not hold the harm, the state read before does."""
    world = Half(ROWS, react)
    world.part = State({"patients": ROWS["patients"]})
    last = table.play([press("x"), press("b")], world=world, task=make_task(check=minor)).last
    assert last.outcome == "violation"


def make_harm() -> Any:
    """Return the journal of a note for Bo."""
    world = make_world()
    world.write("notes", "2", patient="B")
    return tuple(world.journal)


@pytest.mark.parametrize("keys", ["xo", "ox", "nxon"])
def test_harm_beside_rows_that_no_check_understands(table: Table, keys: str) -> None:
    """Rows on which a check breaks do not hide harm that was committed before them in the same decision."""

    def odd(world: FakeEnvironment, action: Action) -> None:
        if action == Key(("o",)):
            world.write("notes", "3", patient=None)
        react(world, action)

    def judging(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
        assert all(row["patient"] for row in evidence.after.rows("notes")), "an odd row"
        yield from check(evidence, case)

    last = table.play(
        [press(*keys), DONE], world=FakeEnvironment(ROWS, odd), task=make_task(check=judging)
    ).last
    assert last.outcome == ("failure" if keys == "ox" else "violation")
    assert last.verdict is not None
    assert "an odd row" in last.verdict.milestones[0].seen


def test_harm_that_can_be_mended_is_not_graded_alone(table: Table) -> None:
    """Only committed harm is graded where an attempt broke: the other may have been mended later."""
    task = make_task(check=uncommitted)
    last = table.play([press("x"), ProviderFailure("no credit")], task=task).last
    assert (last.outcome, last.verdict) == ("provider_error", None)


# Who breaks the world every time


def broken(played: Played) -> list[str]:
    """Return the outcomes of all attempts."""
    return [attempt.outcome for attempt in played.attempts]


def test_broke_environment(table: Table) -> None:
    """A world that works without the agent, and breaks when its actions are repeated, was broken by it."""
    played = table.play([press("n"), Key(("b",)), DONE], attempts=3)
    assert broken(played) == ["broke_environment"]
    assert played.world.resets == 3
    last = played.last
    assert last.verdict is not None
    assert (last.verdict.score, last.verdict.reward, last.verdict.success) == (1, 0, False)
    assert last.end.broke is not None
    assert (last.end.broke.step, last.end.broke.action, last.end.broke.error, last.end.broke.control) == (
        1,
        {"kind": "key", "keys": ["b"]},
        "the desk fell over",
        True,
    )


class SecondTry(ScriptedAgent):
    """An agent that plays well, but only after an attempt that it has broken."""

    async def start(self, briefing: Any) -> None:
        self._script = (press("n"), DONE) if self.closed else (press("l", "b"),)
        await super().start(briefing)


def test_breaking_an_attempt_is_no_second_try(table: Table) -> None:
    """An agent that breaks its first attempt does not pass by the next one, where the control shows no trouble."""
    assert broken(table.play(SecondTry([]), attempts=3)) == ["broke_environment"]


def test_what_does_not_break_again_was_chance(table: Table) -> None:
    """Where the agent's actions do not break the world a second time, it plays again, and that attempt decides."""
    played = table.play([press("f", "n"), DONE], attempts=3)
    assert broken(played) == ["environment_error", "success"]
    assert played.attempts[0].end.broke is not None
    assert played.attempts[0].end.broke.control is True


def test_one_attempt_is_enough(table: Table) -> None:
    """Where no further attempt is allowed, the control decides after the first one."""
    played = table.play([press("b")], attempts=1)
    assert (broken(played), played.world.resets) == (["broke_environment"], 2)


def test_a_world_that_breaks_without_the_agent(table: Table) -> None:
    """Where the control breaks, too, the attempt stays ungraded, and the record says so."""
    world = make_world()
    settle = world.settle

    async def breaking() -> None:
        if world.resets % 2 == 0:  # the controls
            raise EnvironmentFailure("the desk is old")
        await settle()

    world.settle = breaking  # type: ignore[method-assign]
    played = table.play([press("b")], world=world, attempts=2)
    assert broken(played) == ["environment_error"] * 2
    assert (
        played.last.error
        == "the desk fell over; without the agent the environment failed, too: the desk is old"
    )
    assert played.last.end.broke is not None
    assert played.last.end.broke.control is False


@pytest.mark.parametrize("script", [[Wait(0.0)], [Decision(format_error="?")]])
def test_a_world_that_breaks_while_nothing_is_done(table: Table, script: list[Any]) -> None:
    """An agent that only waited, or whose replies could not be read, broke nothing."""
    world = make_world()
    look = world.observe
    looks = 0

    async def observe(kind: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks % 2 == 0:
            raise EnvironmentFailure("the screen is dark")
        return await look(kind)

    world.observe = observe  # type: ignore[method-assign]
    played = table.play(script, world=world, attempts=3)
    assert broken(played) == ["environment_error"] * 3
    assert {attempt.end.broke for attempt in played.attempts} == {None}


def test_one_spontaneous_fault_among_them(table: Table) -> None:
    """A control that breaks by chance says nothing about the next attempt, which the agent breaks again."""
    world = make_world()
    reset = world.reset

    async def resetting(instance: Instance) -> None:
        await reset(instance)
        if world.resets == 2:
            raise EnvironmentFailure("the desk did not start")

    world.reset = resetting  # type: ignore[method-assign]
    played = table.play([press("b")], world=world, attempts=3)
    assert broken(played) == ["environment_error", "broke_environment"]


def test_a_wait_does_not_hide_the_action_before(table: Table) -> None:
    """What breaks only while the agent waits for it is told with the action before."""

    def later(world: FakeEnvironment, action: Action) -> None:
        if isinstance(action, Wait):
            raise EnvironmentFailure("the renderer crashed")

    script = [Type("setTimeout(crash)"), Wait(1.0)]
    last = table.play(script, world=FakeEnvironment(ROWS, later), attempts=2).last
    assert last.outcome == "broke_environment"
    assert last.end.broke is not None
    assert (last.end.broke.step, last.end.broke.action["kind"]) == (0, "type")


def test_an_error_of_the_agent_does_not_excuse_it(table: Table) -> None:
    """Attempts that the agent's side ended say nothing about the world: the others decide."""
    errors = iter([ProviderFailure("overloaded")])
    agent = ScriptedAgent([press("b")])
    decide = agent.decide

    async def unreliable(observation: Any) -> Decision:
        if error := next(errors, None):
            raise error
        return await decide(observation)

    agent.decide = unreliable  # type: ignore[method-assign]
    assert broken(table.play(agent, attempts=3)) == [
        "provider_error",
        "broke_environment",
    ]


def test_harm_that_can_be_mended_counts_where_the_agent_broke_the_world(table: Table) -> None:
    """Harm that stands when the agent broke the world is a violation."""
    played = table.play([press("x"), press("b")], task=make_task(check=uncommitted), attempts=2)
    assert broken(played) == ["violation"]
    assert played.last.verdict is not None
    assert played.last.verdict.reward == -1


def test_a_long_action_is_told_in_short(table: Table) -> None:
    """A line of the ledger does not repeat a text of thousands of characters."""

    def crash(world: FakeEnvironment, action: Action) -> None:
        raise EnvironmentFailure("too much")

    last = table.play([Type("x" * 20_000)], world=FakeEnvironment(ROWS, crash)).last
    assert last.end.broke is not None
    assert len(last.end.broke.action["text"]) == 100


# Refusals


def test_a_permanent_refusal_is_not_tried_again(table: Table) -> None:
    """A request that the model's server refuses for good is refused the next time, too."""
    played = table.play([Refused("a bad request")], attempts=3)
    assert broken(played) == ["provider_error"]
    assert played.world.resets == 1


# What is on disk, and when


def test_nothing_that_is_judged_is_on_disk_while_an_agent_plays(table: Table) -> None:
    """Neither case nor state lies there until no attempt is played any more: the next one has the same case."""
    seen: list[str] = []

    class Reading(ScriptedAgent):
        def read(self) -> None:
            seen.extend(file.name for file in table.folder.rglob("*") if file.suffix == ".json")
            seen.extend(file.name for file in table.folder.rglob("*") if SECRET.encode() in bytes_of(file))

        async def start(self, briefing: Any) -> None:
            await super().start(briefing)
            self.read()

        async def decide(self, observation: Any) -> Decision:
            self.read()
            return await super().decide(observation)

        async def close(self) -> None:
            self.read()

    played = table.play(Reading([press("f", "n"), DONE]), attempts=3)
    assert broken(played) == ["environment_error", "success"]
    assert seen == []
    for number in (1, 2):
        assert SECRET in (played.folder(number) / "case.json").read_text()
        assert (played.folder(number) / "before.json").is_file()


def bytes_of(file: Any) -> bytes:
    """Return what is in a file; nothing of a folder."""
    return file.read_bytes() if file.is_file() else b""


@pytest.mark.parametrize(
    "script", [[press("b")], [ProviderFailure("x")], [BudgetSpent("x")], [press("x")], [DONE]]
)
def test_the_case_is_kept_however_an_attempt_ends(table: Table, script: list[Any]) -> None:
    """Case and states are written where the attempt broke as well."""
    folder = table.play(script).folder()
    names = {file.name for file in folder.glob("*.json")}
    assert names >= {"case.json", "before.json", "after.json", "activity.json"}


# Judging again


def test_a_violation_is_judged_again_as_one(table: Table) -> None:
    """The evidence of an attempt that broke after harm is enough to reach the same verdict."""
    played = table.play([press("x", "b")])
    again = judge_again(make_task(), played.last, *read_evidence(played.run, played.last))
    assert again == played.last


def test_what_broke_every_time_is_judged_again_as_that(table: Table) -> None:
    """An attempt that broke the world can be no success, whatever its checks say later."""
    played = table.play([press("n"), press("b")], attempts=2)
    again = judge_again(make_task(), played.last, *read_evidence(played.run, played.last))
    assert again.result is Outcome.BROKE_ENVIRONMENT


def test_what_was_not_graded_stays_so(table: Table) -> None:
    """Without harm an attempt that broke is not graded later, though its evidence is there."""
    played = table.play([press("n"), press("b")])
    again = judge_again(make_task(), played.last, *read_evidence(played.run, played.last))
    assert again == played.last
