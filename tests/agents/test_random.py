"""The random agent acts the same way for the same seed, and only as the screen allows."""

from __future__ import annotations

from small_world import SCREEN, Table, drawn

from pytest_cuabench.agents.builtin.random import RandomAgent
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import check_on_screen


def chance(argument: str | None = None, **options: int) -> RandomAgent:
    """Return a random agent."""
    return RandomAgent(Profile(adapter="random", argument=argument, options=options))


def test_random_is_the_same_for_the_same_seed() -> None:
    """Seed and goal decide what is done, in whatever order episodes are played."""
    agent = chance("7")
    first = drawn(agent)
    assert drawn(agent, "something else") != first
    assert drawn(agent) == drawn(chance("7")) == drawn(chance(seed=7)) == first
    assert drawn(chance("8")) != first


def test_random_stays_on_the_screen() -> None:
    """Whatever is drawn can be carried out on the screen it was told of."""
    actions = [action for decision in drawn(chance(), count=300) for action in decision.actions]
    for action in actions:
        check_on_screen(action, SCREEN, ("pointer", "keyboard"))
    assert {action.kind for action in actions} == {"click", "move", "type", "key", "scroll"}


def test_random_plays_to_the_end_of_its_budget(table: Table) -> None:
    """A random agent never says that it is done."""
    assert table.play(chance()).last.outcome == "budget_exhausted"
