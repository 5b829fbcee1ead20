"""What playing would take, as a range."""

from __future__ import annotations

import pytest

from pytest_cuabench.agents.models.estimate import LAVISH, THRIFTY, Habits, estimated, tokens
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Size

SCREEN = Size(1000, 1000)
HABITS = Habits(share=1.0, instructions=100, pixels=1000, text=50, reply=10)


@pytest.mark.parametrize(
    ("observation", "look"), [("screenshot", 1000), ("marks", 1050), ("screenshot+tree", 1050), ("tree", 50)]
)
def test_every_call_sends_what_came_before(observation: str, look: int) -> None:
    """Four calls with two looks kept: instructions four times, one look and then two, and all replies so far."""
    found = tokens(4, SCREEN, observation, 2, HABITS)
    assert found == (4 * 100 + (1 + 2 + 2 + 2) * look + (0 + 1 + 2 + 3) * 10, 40)


def test_there_is_one_call_at_least() -> None:
    """No episode is played without a call."""
    assert tokens(1, SCREEN, "tree", 3, THRIFTY).output == THRIFTY.reply


def test_the_range_is_one() -> None:
    """A lavish player takes more than a thrifty one, of everything."""
    few, many = (tokens(30, SCREEN, "screenshot", 3, habits) for habits in (THRIFTY, LAVISH))
    assert few.input < many.input
    assert few.output < many.output


def test_prices_of_a_player_that_is_not_made_of_ours() -> None:
    """The profile's prices count for any player that names a model."""
    profile = Profile(
        adapter="x:Y", name="y", model="y-1", options={"prices": {"input": 1000, "output": 1000}}
    )
    few, many = (tokens(10, SCREEN, "screenshot", 3, habits) for habits in (THRIFTY, LAVISH))
    (line,) = [
        line for line in estimated([(10, SCREEN)], profile, None, "screenshot") if line.startswith("cost")
    ]
    assert line == f"cost        ${sum(few) / 1000:,.2f} to ${sum(many) / 1000:,.2f}"


def test_nothing_to_play() -> None:
    """An empty selection costs nothing."""
    profile = Profile(adapter="x:Y", name="y", model="y-1", options={"prices": {"input": 1, "output": 1}})
    assert "cost        $0.00 to $0.00" in list(estimated([], profile, None, "screenshot"))
