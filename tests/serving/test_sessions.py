"""Sessions on a fake world: rewards at the end, places that come free, and callers that leave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from serving.conftest import COUNT, NOTE, STOP, keys

from pytest_cuabench.errors import ActionError, EnvironmentFailure
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.serving.catalogue import Catalogue
from pytest_cuabench.serving.sessions import Sessions, Turn

Collected = Callable[..., Catalogue]


def play(catalogue: Catalogue, work: Callable[[Sessions], Awaitable[Any]], **options: Any) -> Any:
    """Run `work` with sessions, and close them."""

    async def running() -> Any:
        sessions = Sessions(catalogue, **options)
        try:
            return await work(sessions)
        finally:
            await sessions.close()
            assert sessions.playing == 0
            assert not sessions.pool.scratch.exists()

    return asyncio.run(running())


async def steps(sessions: Sessions, *given: object, instance: str = NOTE) -> list[Turn]:
    """Play steps in a new session."""
    session = sessions.session()
    turns = [await session.reset(sessions.catalogue.named(instance))]
    return turns + [await session.step(step) for step in given]


def test_the_reward_comes_at_the_end(collected: Collected) -> None:
    """Only the last step has a reward and milestones, not the step that solves the task."""
    first, solved, last = play(collected(), lambda sessions: steps(sessions, keys("n"), STOP))
    assert [turn.reward for turn in (first, solved, last)] == [None, None, 1.0]
    assert not first.info
    assert not solved.info
    assert last.info["success"] is True
    assert [milestone["name"] for milestone in last.info["milestones"]] == ["noted"]
    assert last.seen is not None
    assert last.seen.screenshot


def test_doing_nothing_has_the_reward_of_doing_nothing(collected: Collected) -> None:
    """An episode that is ended at once has the reward 0, and one with harm less."""

    async def both(sessions: Sessions) -> list[float | None]:
        return [
            (await steps(sessions, STOP))[-1].reward,
            (await steps(sessions, keys("x")))[-1].reward,
        ]

    assert play(collected(), both) == [0.0, -1.0]


def test_budgets_are_those_of_the_task(collected: Collected) -> None:
    """An episode ends with its budget of steps, and says so."""
    turns = play(collected("--cua-max-steps=2"), lambda sessions: steps(sessions, keys("tab"), keys("tab")))
    assert [turn.done for turn in turns] == [False, False, True]
    assert turns[-1].ended_by_budget
    assert turns[-1].info["outcome"] == "budget_exhausted"


def test_a_world_that_breaks_gives_no_reward(collected: Collected) -> None:
    """A broken world is an error without a reward, and the same session can reset and succeed."""

    async def again(sessions: Sessions) -> tuple[Turn, Turn]:
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        broke = await session.step(keys("b"))
        await session.reset(sessions.catalogue.named(NOTE))
        await session.step(keys("n"))
        return broke, await session.step(STOP)

    broke, mended = play(collected(), again)
    assert (broke.done, broke.reward) == (True, None)
    assert "the desk fell over" in broke.info["error"]
    assert mended.reward == 1.0


def test_steps_outside_of_an_episode_are_refused(collected: Collected) -> None:
    """A step before the reset or after the end is refused in one sentence, and changes nothing."""

    async def outside(sessions: Sessions) -> None:
        session = sessions.session()
        with pytest.raises(ActionError, match="before its first step"):
            await session.step(STOP)
        await session.reset(sessions.catalogue.named(NOTE))
        assert (await session.step(STOP)).reward == 0.0
        with pytest.raises(ActionError, match="the episode has ended: reset"):
            await session.step(keys("n"))

    play(collected(), outside)


@pytest.mark.parametrize(
    "garbage",
    [
        None,
        [],
        {"actions": []},
        {"actions": "click"},
        {"actions": [{}] * 51},
        {"actions": [{"kind": "wait", "seconds": 1}], "evil": 1},
        {"actions": [{"kind": "wait", "seconds": 1}], "thought": "x" * 100_000},
    ],
)
def test_what_is_no_step_is_refused(collected: Collected, garbage: object) -> None:
    """Data of another form than a step is refused, counts as no step, and the episode goes on."""

    async def sending(sessions: Sessions) -> Turn:
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        with pytest.raises(ActionError):
            await session.step(garbage)
        assert session.steps == 0
        await session.step(keys("n"))
        return await session.step(STOP)

    assert play(collected(), sending).reward == 1.0


def test_an_action_that_cannot_be_read_is_the_agents_mistake(collected: Collected) -> None:
    """An unknown or huge action is counted and told to the agent, as for every agent."""
    huge = {"actions": [{"kind": "type", "text": "x" * 30_000}]}
    turns = play(
        collected(), lambda sessions: steps(sessions, {"actions": [{"kind": "explode"}]}, huge, STOP)
    )
    assert "unknown action 'explode'" in turns[1].seen.notices[0]
    assert "30000 characters" in turns[2].seen.notices[0]
    assert turns[-1].steps == 3


def test_eight_sessions_share_four_places(collected: Collected) -> None:
    """Eight sessions at once on four places all succeed, and never more than four play."""
    most = 0

    async def one(sessions: Sessions) -> float | None:
        nonlocal most
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        most = max(most, sessions.playing)
        await asyncio.sleep(0.01)
        await session.step(keys("n"))
        return (await session.step(STOP)).reward

    async def crowd(sessions: Sessions) -> list[float | None]:
        return await asyncio.gather(*(one(sessions) for _ in range(8)))

    assert play(collected(), crowd, at_once=4) == [1.0] * 8
    assert most == 4


def test_a_place_that_does_not_come_free_is_an_error(collected: Collected) -> None:
    """A reset that waits too long for a place is an error that names the option, not a reward."""

    async def full(sessions: Sessions) -> None:
        await steps(sessions)
        with pytest.raises(EnvironmentFailure, match="larger --at-once"):
            await steps(sessions)

    play(collected(), full, at_once=1, patience=0.05)


def test_the_place_of_a_caller_that_left_is_clean(collected: Collected, tmp_path: Path) -> None:
    """After a session was closed in the middle of an episode, its place is free and the next one finds a new world."""

    async def leaving(sessions: Sessions) -> tuple[float | None, list[bool]]:
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        await session.step(keys("n"))
        suite = sessions.catalogue.named(NOTE).suite
        left: Any = sessions.pool.environment(suite, 1)
        await session.close()
        assert sessions.playing == 0
        turns = await steps(sessions, STOP)
        new: Any = sessions.pool.environment(suite, 1)
        return turns[-1].reward, [left.closed, new is left]

    run = Run(tmp_path / "run")
    assert play(collected(), leaving, at_once=1, run=run) == (0.0, [True, False])
    assert [attempt.outcome for attempt in run.attempts()] == ["cancelled", "failure"]


def test_a_silent_caller_loses_its_place(collected: Collected) -> None:
    """An episode without a step for too long ends without a reward, its place is free, and its caller is told."""

    async def silent(sessions: Sessions) -> Turn:
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        async with asyncio.timeout(10):
            while sessions.playing:
                await asyncio.sleep(0.01)
        return await session.step(keys("n"))

    told = play(collected(), silent, at_once=1, idle=0.05)
    assert (told.done, told.reward) == (True, None)
    assert "more than 0.05 s" in told.info["error"]


def test_sessions_without_a_step_count_as_nothing(collected: Collected, tmp_path: Path) -> None:
    """Only episodes with a step are recorded, under the server's name and with a fingerprint."""
    run = Run(tmp_path / "run")

    async def some(sessions: Sessions) -> None:
        await steps(sessions)
        await steps(sessions, keys("n"), STOP)
        await steps(sessions, {"actions": [{"kind": "answer", "text": "2"}]}, instance=COUNT)

    play(collected(), some, run=run, name="openenv")
    attempts = list(run.attempts())
    assert [(each.instance, each.outcome, each.agent) for each in attempts] == [
        (NOTE, "success", "openenv"),
        (COUNT, "success", "openenv"),
    ]
    assert all(each.fingerprint and each.conditions.isolation == "in_process" for each in attempts)
    kept = [(run.folder / each.trajectory).is_dir() for each in attempts if each.trajectory]
    assert kept == [True, True]
    assert len(list((run.folder / "trajectories" / "desk").glob("*/*"))) == 2


def test_nothing_is_kept_without_a_run(collected: Collected, desk: pytest.Pytester) -> None:
    """Without a run nothing is written to the project."""
    before = {file for file in desk.path.rglob("*") if "__pycache__" not in str(file)}
    play(collected(), lambda sessions: steps(sessions, keys("n"), STOP))
    assert {file for file in desk.path.rglob("*") if "__pycache__" not in str(file)} == before


def test_a_reset_in_the_middle_begins_anew(collected: Collected) -> None:
    """A reset in the middle of an episode ends it; the new one starts from nothing."""

    async def twice(sessions: Sessions) -> tuple[int, float | None]:
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        await session.step(keys("n"))
        await session.reset(sessions.catalogue.named(NOTE))
        return session.steps, (await session.step(STOP)).reward

    assert play(collected(), twice, at_once=1) == (0, 0.0)
