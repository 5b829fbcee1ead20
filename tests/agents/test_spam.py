"""Agents that know nothing of a task: what they try, and that it is the same each time."""

from __future__ import annotations

from itertools import chain

from small_world import SCREEN, Table, drawn

from pytest_cuabench.agents.builtin.spam import AnswerSpamAgent, ClickEverythingAgent
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import check_on_screen


def spam(argument: str | None = None) -> AnswerSpamAgent:
    """Return an agent that answers."""
    return AnswerSpamAgent(Profile(adapter="answer-spam", argument=argument))


def test_answers_depend_on_the_goal_alone() -> None:
    """The same goal gets the same answer; others get others, numbers and names of the goal among them."""
    assert drawn(spam(), "How many?", count=1) == drawn(spam(), "How many?", count=1)
    goals = [f"Is bed {number} of Alice Bell free?" for number in range(100, 200)]
    answers = {
        action.text
        for goal in goals
        for decision in drawn(spam(), goal, count=1)
        for action in decision.actions
    }
    assert {"yes", "no", "Alice"} < answers
    assert answers & {str(number) for number in range(100, 200)}


def test_an_answer_is_given() -> None:
    """An argument is the answer to every question."""
    (decision,) = drawn(spam("maybe"), count=1)
    assert [action.text for action in decision.actions] == ["maybe"]


def test_clicks_cover_the_screen() -> None:
    """In nine steps each ninth of the screen is clicked, and nothing beyond it."""
    clicks = list(chain.from_iterable(each.actions for each in drawn(ClickEverythingAgent(), count=9)))
    for click in clicks:
        check_on_screen(click, SCREEN, ("pointer",))
    ninths = {(click.x * 3 // SCREEN.width, click.y * 3 // SCREEN.height) for click in clicks}
    assert len(ninths) == 9


def test_neither_solves_the_sample(table: Table) -> None:
    """The click agent ends at its last step, as done; neither solves a task that asks for work."""
    clicked = table.play(ClickEverythingAgent()).last
    assert (clicked.outcome, clicked.ending) == ("failure", "success")
    assert table.play(spam("maybe")).last.outcome == "failure"
