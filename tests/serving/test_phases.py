"""Instances with a phase before the task, played by sessions and Gymnasium to their end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from serving.conftest import NAMED, NOTE, PLAIN, STOP, answer, keys
from serving.test_sessions import play, steps

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.serving.catalogue import Catalogue
from pytest_cuabench.serving.sessions import Sessions, Turn

Collected = Callable[..., Catalogue]
pytestmark = pytest.mark.usefixtures("phased")
ELSEWHERE = answer("https://desk.example/nothing")


def told(turns: list[Turn]) -> list[tuple[str, int, int] | None]:
    """Return the phase, the most steps and the documents of each turn's briefing."""
    return [
        turn.briefing and (turn.briefing.phase, turn.briefing.max_steps, len(turn.briefing.documents))
        for turn in turns
    ]


def test_a_session_goes_on_with_the_task_when_the_phase_has_ended(collected: Collected) -> None:
    """The answer of the search gets the task's first screen, with a new briefing that has the document."""
    turns = play(collected(), lambda sessions: steps(sessions, keys("tab"), NAMED, keys("n"), STOP))
    assert told(turns) == [("search", 3, 0), None, ("", 10, 1), None, None]
    assert [turn.steps for turn in turns] == [0, 1, 0, 1, 2]
    assert [turn.reward for turn in turns] == [None, None, None, None, 1.0]
    assert turns[-1].info["phases"] == [{"name": "search", "outcome": "success", "found": 1.0}]


def test_a_phase_without_a_result_is_followed_by_the_task(collected: Collected) -> None:
    """The task comes without a document after a wrong answer, a refusal, or when the phase's budget is spent."""

    async def three(sessions: Sessions) -> list[list[Turn]]:
        spent = [keys("tab")] * 3
        return [await steps(sessions, *search, keys("n"), STOP) for search in ([ELSEWHERE], [STOP], spent)]

    for turns in play(collected(), three):
        assert told(turns)[-3] == ("", 10, 0)
        assert turns[-1].reward == 1.0
        assert turns[-1].info["phases"][0]["found"] == 0.0


def test_a_phase_that_breaks_ends_the_episode_without_a_reward(collected: Collected) -> None:
    """A library that fell over is an error of the episode; the session can reset and succeed."""

    async def again(sessions: Sessions) -> tuple[Turn, Turn]:
        session = sessions.session()
        await session.reset(sessions.catalogue.named(NOTE))
        broke = await session.step(keys("b"))
        await session.reset(sessions.catalogue.named(NOTE))
        for step in (NAMED, keys("n")):
            await session.step(step)
        return broke, await session.step(STOP)

    broke, mended = play(collected(), again)
    assert (broke.done, broke.reward) == (True, None)
    assert "the library fell over" in broke.info["error"]
    assert mended.reward == 1.0


def test_a_session_can_be_left_in_a_phase_and_between_two(collected: Collected) -> None:
    """A caller that leaves during the search or at the task's first screen leaves its place free."""

    async def leaving(sessions: Sessions) -> None:
        for played in ((), (NAMED,)):
            session = sessions.session()
            await session.reset(sessions.catalogue.named(NOTE))
            for step in played:
                await session.step(step)
            await session.close()
            assert sessions.playing == 0

    play(collected(), leaving, at_once=1)


def test_an_idle_caller_ends_the_episode_in_either_phase(collected: Collected) -> None:
    """Silence in the search, as in the task, ends the episode without a reward."""

    async def silent(sessions: Sessions) -> list[Turn]:
        ends = []
        for played in ((), (NAMED,)):
            session = sessions.session()
            await session.reset(sessions.catalogue.named(NOTE))
            for step in played:
                await session.step(step)
            while sessions.playing:
                await asyncio.sleep(0.02)
            ends.append(await session.step(keys("n")))
        return ends

    ends = play(collected(), silent, idle=0.3)
    assert [(turn.done, turn.reward) for turn in ends] == [(True, None)] * 2


def test_an_episode_left_after_the_search_is_recorded(collected: Collected, table: Any) -> None:
    """Steps of the search count as steps: the episode is kept, with the phase's trajectory."""
    run = Run(table.run.folder / "served")

    async def searching(sessions: Sessions) -> None:
        await steps(sessions, NAMED)

    play(collected(), searching, run=run)
    (attempt,) = run.attempts()
    assert (attempt.outcome, attempt.steps, attempt.phases[0].steps) == ("cancelled", 0, 1)
    assert (run.folder / str(attempt.trajectory) / "search" / "steps.jsonl").is_file()


def test_gymnasium_plays_both_phases(collected: Collected) -> None:
    """The goal changes with the phase and `info` has what a reset's has; a smaller screen is filled up with black."""
    gym = pytest.importorskip(
        "pytest_cuabench.serving.gym", reason="type: pip install 'pytest-cuabench[gym]'"
    )
    gym._collected.cache_clear()
    env = gym.make("suites/sample", options=PLAIN, select="note", seeds="0-2")
    try:
        seen, info = env.reset(options={"instance": NOTE})
        assert (seen["goal"][:13], info["phase"]) == ("Name the page", "search")
        assert seen["screenshot"].shape == (480, 640, 3)
        assert not seen["screenshot"][240:].any()
        seen, reward, terminated, truncated, info = env.step(
            gym.act("answer", text="https://desk.example/notes")
        )
        assert (reward, terminated, truncated, info["phase"], info["max_steps"]) == (
            0.0,
            False,
            False,
            "",
            10,
        )
        assert env.observation_space.contains(seen)
        assert "Press n." in seen["goal"]
        assert [picture.shape for picture in info["pictures"]] == [(8, 8, 3)]
        _, _, _, _, info = env.step(gym.act("key", keys=["n"]))
        assert "phase" not in info
        _, reward, terminated, _, info = env.step(gym.act("terminate", status="success"))
        assert (reward, terminated, info["success"]) == (1.0, True, True)
    finally:
        env.close()
        gym._collected.cache_clear()
