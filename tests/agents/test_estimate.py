"""What playing would take, as a range."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_cuabench.agents.models.estimate import LAVISH, THRIFTY, Habits, estimated, tokens
from pytest_cuabench.agents.models.model import Shown
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Size

SCREEN = Size(1000, 1000)


def last(history: int) -> Callable[[int], Shown]:
    """What a player sends that shows the last pictures and has no cache."""
    return lambda call: Shown(min(call + 1, history))


HABITS = Habits(share=1.0, instructions=100, pixels=1000, text=50, reply=10)


@pytest.mark.parametrize(
    ("observation", "look"), [("screenshot", 1000), ("marks", 1050), ("screenshot+tree", 1050), ("tree", 50)]
)
def test_every_call_sends_what_came_before(observation: str, look: int) -> None:
    """Four calls with two looks kept: instructions four times, one look and then two, and all replies so far."""
    found = tokens(4, SCREEN, observation, last(2), HABITS)
    assert found[:2] == (4 * 100 + (1 + 2 + 2 + 2) * look + (0 + 1 + 2 + 3) * 10, 40)


def test_what_a_cache_holds() -> None:
    """A call that begins with the whole call before reads that from the cache, and writes the rest."""
    found = tokens(
        3, SCREEN, "screenshot", lambda call: Shown(call + 1, cached=call > 0, written=True), HABITS
    )
    sizes = [100 + (call + 1) * 1000 + call * 10 for call in range(3)]
    assert found == (sum(sizes), 30, sizes[0] + sizes[1], sizes[2])


def test_there_is_one_call_at_least() -> None:
    """No episode is played without a call."""
    assert tokens(1, SCREEN, "tree", last(3), THRIFTY).output == THRIFTY.reply


def test_the_range_is_one() -> None:
    """A lavish player takes more than a thrifty one, of everything."""
    few, many = (tokens(30, SCREEN, "screenshot", last(3), habits) for habits in (THRIFTY, LAVISH))
    assert few.input < many.input
    assert few.output < many.output


def test_prices_of_a_player_that_is_not_made_of_ours() -> None:
    """The profile's prices count for any player that names a model."""
    profile = Profile(
        adapter="x:Y", name="y", model="y-1", options={"prices": {"input": 1000, "output": 1000}}
    )
    few, many = (tokens(10, SCREEN, "screenshot", last(3), habits) for habits in (THRIFTY, LAVISH))
    (line,) = [
        line for line in estimated([(10, SCREEN)], profile, None, "screenshot") if line.startswith("cost")
    ]
    assert line == f"cost        ${sum(few[:2]) / 1000:,.2f} to ${sum(many[:2]) / 1000:,.2f}"


def test_nothing_to_play() -> None:
    """An empty selection costs nothing."""
    profile = Profile(adapter="x:Y", name="y", model="y-1", options={"prices": {"input": 1, "output": 1}})
    assert "cost        $0.00 to $0.00" in list(estimated([], profile, None, "screenshot"))
