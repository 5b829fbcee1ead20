"""Episodes beside others: waiting for them counts on no clock, and what they break is nobody else's failure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from small_world import Table, make_world, press

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.play import Lane
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.task.action import Terminate, Wait
from pytest_cuabench.testing import ScriptedAgent

pytestmark = pytest.mark.asyncio


async def take_all(turns: Turns, until: asyncio.Event) -> None:
    """Keep every turn until an event, as busy episodes do."""

    async def keep() -> None:
        async with turns.take(None):
            await until.wait()

    keeping = [asyncio.create_task(keep()) for _ in range(1000)]
    await until.wait()
    for task in keeping:
        task.cancel()


async def test_waiting_for_others_is_no_time_of_the_world(table: Table) -> None:
    """Nothing begins, and no deadline runs, before an episode has its turn; the wait is recorded."""
    turns, over, world = Turns(shared=True), asyncio.Event(), make_world()
    busy = asyncio.create_task(take_all(turns, over))
    await asyncio.sleep(0)
    agent = ScriptedAgent([press("n"), Terminate("success")])
    playing = asyncio.create_task(table.playing(agent, world, lane=Lane(turns=turns)))
    for _ in range(100):
        await asyncio.sleep(0)
    assert (playing.done(), world.resets) == (False, 0)
    over.set()
    attempt = await playing
    await busy
    assert attempt.outcome == "success"
    assert attempt.seconds.queued > 0


async def test_the_next_episode_is_reset_before_it_has_a_place(table: Table) -> None:
    """While all places are taken its world is made ready and its agent is not asked; the wait is recorded."""
    turns, world = Turns(players=1), make_world()
    agent = ScriptedAgent([press("n"), Terminate("success")])
    async with turns.place():
        playing = asyncio.create_task(table.playing(agent, world, lane=Lane(turns=turns)))
        while not world.resets:
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        assert (turns.playing, agent.briefing) == (1, None)
    attempt = await playing
    assert (attempt.outcome, turns.playing) == ("success", 0)
    assert attempt.seconds.queued > 0


async def test_what_the_world_does_before_the_place_is_not_held_against_the_agent(table: Table) -> None:
    """A reset world that goes on by itself while it waits is judged by what the agent finds in it."""
    turns, world = Turns(players=1), make_world()
    agent = ScriptedAgent([press("n"), Terminate("success")])
    async with turns.place():
        playing = asyncio.create_task(table.playing(agent, world, lane=Lane(turns=turns)))
        while not world.resets:
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        world.write("notes", "2", patient="B", text="by the world's own clock")
    attempt = await playing
    assert (attempt.outcome, attempt.end.commits) == ("success", (0,))


async def test_a_pause_takes_no_turn(table: Table) -> None:
    """While an episode pauses, others have all the turns."""
    turns, over, paused = Turns(shared=True), asyncio.Event(), asyncio.Event()
    world = make_world()
    perform = world.perform

    async def performing(action):  # type: ignore[no-untyped-def]
        if isinstance(action, Wait):
            busy = asyncio.create_task(take_all(turns, over))
            await asyncio.sleep(0)
            paused.set()
            over.set()
            await busy
        return await perform(action)

    world.perform = performing  # type: ignore[method-assign]
    attempt = await table.playing(
        ScriptedAgent([Wait(0.01), press("n"), Terminate("success")]), world, lane=Lane(turns=turns)
    )
    assert paused.is_set()
    assert attempt.outcome == "success"


async def test_an_episode_that_ends_while_it_waits_leaves_nothing(table: Table, recwarn) -> None:  # type: ignore[no-untyped-def]
    """A cancelled wait for a turn is recorded, and no coroutine is left unawaited."""
    turns, over = Turns(shared=True), asyncio.Event()
    busy = asyncio.create_task(take_all(turns, over))
    await asyncio.sleep(0)
    playing = asyncio.create_task(table.playing(ScriptedAgent([]), make_world(), lane=Lane(turns=turns)))
    await asyncio.sleep(0.05)
    playing.cancel()
    await asyncio.wait({playing})
    over.set()
    await busy
    assert [attempt.outcome for attempt in table.run.attempts()] == ["cancelled"]
    assert not [str(warning.message) for warning in recwarn if "never awaited" in str(warning.message)]


async def test_the_last_attempt_shares_nothing(table: Table) -> None:
    """What breaks beside others is played alone at last: who did not break it is graded as ever."""
    beside, private = make_world(), make_world()
    left: list[bool] = []

    async def broken(action: object) -> None:
        raise ConnectionError("another episode broke the browser")

    beside.perform = broken  # type: ignore[assignment]

    @asynccontextmanager
    async def alone() -> AsyncIterator[Environment]:
        yield private
        left.append(True)

    agent = ScriptedAgent([press("n"), Terminate("success")])
    attempt = await table.playing(agent, beside, attempts=3, lane=Lane(alone=alone))
    assert [each.outcome for each in table.told] == ["environment_error", "environment_error", "success"]
    assert attempt.end.broke is None
    assert (beside.resets, private.resets, left) == (
        2,
        5,
        [True] * 3,
    )  # with two controls for each of the others


async def test_who_breaks_it_alone_too_has_failed(table: Table) -> None:
    """An agent that breaks the environment fails, and is checked where nothing is shared."""
    private = make_world()

    @asynccontextmanager
    async def alone() -> AsyncIterator[Environment]:
        yield private

    attempt = await table.playing(
        ScriptedAgent([press("b")]), make_world(), attempts=2, lane=Lane(alone=alone)
    )
    assert attempt.outcome == "broke_environment"
    assert private.resets == 2  # without the agent, and with its actions repeated


async def test_a_single_attempt_is_played_beside_others(table: Table) -> None:
    """With one attempt only, nothing is played alone."""

    @asynccontextmanager
    async def alone() -> AsyncIterator[Environment]:
        raise AssertionError("not needed")
        yield

    agent = ScriptedAgent([press("n"), Terminate("success")])
    attempt = await table.playing(agent, make_world(), lane=Lane(alone=alone))
    assert attempt.outcome == "success"
