"""A person may play; the terminal asks when they are done."""

from __future__ import annotations

import asyncio

import pytest
from small_world import Table, drawn, make_world

from pytest_cuabench.agents.builtin import human
from pytest_cuabench.agents.builtin.human import HumanAgent
from pytest_cuabench.drivers.base import InputEvent
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Action, Answer, Terminate


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("\n", Terminate("success")),
        ("  \n", Terminate("success")),
        ("98.6 °F\n", Answer("98.6 °F")),
        ("give up\n", Terminate("failure")),
        ("Give Up", Terminate("failure")),
    ],
)
def test_human(line: str, action: Action) -> None:
    """Enter is done, words are the answer, and a person may give up."""
    asked: list[str] = []
    agent = HumanAgent(ask=lambda question: asked.append(question) or line)  # type: ignore[func-returns-value]
    assert drawn(agent, "Do {this} {0}", 1)[0].actions == (action,)
    assert "Do {this} {0}" in asked[0]


def test_human_plays(table: Table) -> None:
    """A person's own clicks count: what is true in the world afterwards is judged."""
    world = make_world()

    def act(question: str) -> str:
        world.write("notes", "1", patient="A")
        return ""

    assert table.play(HumanAgent(ask=act), world=world).last.outcome == "success"


def test_human_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no terminal is, the human agent says what to do."""

    def refuse(*arguments: object) -> None:
        raise OSError("No such device or address")

    monkeypatch.setattr(human.Path, "open", refuse)
    with pytest.raises(SettingError, match="--agent=human needs a terminal; run pytest in one, without -n"):
        drawn(HumanAgent(), count=1)


class _Window:
    """A window that has watched somebody."""

    def input_events(self) -> tuple[InputEvent, ...]:
        return (
            InputEvent(0.5, "click", 3, 4),
            InputEvent(0.9, "key", 0, 0),
            InputEvent(1.0, "key", 0, 0),
        )


def test_what_a_person_did_is_kept() -> None:
    """The record tells how long it took, and what was done where."""
    agent = HumanAgent(ask=lambda question: "")
    asyncio.run(agent.confide(None, None, _Window()))  # type: ignore[arg-type]
    (decision,) = drawn(agent, count=1)
    assert "1 click, 2 keys, 0 scrolls in 0 s" in decision.thought
    assert decision.raw is not None
    assert decision.raw["input_events"][0] == (0.5, "click", 3, 4)
    assert decision.raw["seconds"] >= 0
