"""The small agents: noop, random, replay, and a person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from small_world import Table, make_task, make_world, press

from pytest_cuabench.action import Action, Answer, Size, Terminate, check_on_screen
from pytest_cuabench.adapters import human
from pytest_cuabench.adapters.human import HumanAgent
from pytest_cuabench.adapters.noop import NoopAgent
from pytest_cuabench.adapters.random import RandomAgent
from pytest_cuabench.adapters.replay import ReplayAgent
from pytest_cuabench.agent import Agent, Briefing, Decision
from pytest_cuabench.errors import SettingError
from pytest_cuabench.observation import Observation
from pytest_cuabench.profile import Profile
from pytest_cuabench.task import Instance

SCREEN = Size(64, 48)
SEEN = Observation(SCREEN)


def briefing(goal: str = "do it") -> Briefing:
    """Return what an agent is told."""
    return Briefing(goal, "screenshot", SCREEN, ("pointer", "keyboard"), 10)


def drawn(agent: Agent, goal: str = "do it", count: int = 30) -> list[Decision]:
    """Return the first decisions of an episode."""

    async def play() -> list[Decision]:
        await agent.start(briefing(goal))
        return [await agent.decide(SEEN) for _ in range(count)]

    return asyncio.run(play())


# noop


def test_noop(table: Table) -> None:
    """Doing nothing takes one step and touches nothing."""
    played = table.play(NoopAgent())
    assert (played.last.outcome, played.last.steps, played.world.performed) == ("failure", 1, [])


# random


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


# replay


def replay(path: Path | str) -> ReplayAgent:
    """Return an agent that repeats a recording."""
    return ReplayAgent(Profile(adapter="replay", argument=str(path)))


def test_replay_of_a_run(table: Table, tmp_path: Path) -> None:
    """A recorded attempt is repeated action by action, mistakes included, with the same verdict."""
    script = [
        Decision(press("l").actions, "first"),
        Decision(format_error="what?"),
        press("l", "n"),
        Answer("42"),
    ]
    original = table.play(script)
    again = Table(tmp_path / "again").play(replay(table.folder))
    assert again.world.performed == original.world.performed
    assert (again.last.verdict, again.last.answer, again.last.steps, again.last.format_errors) == (
        original.last.verdict,
        "42",
        4,
        1,
    )


def test_replay_of_one_trajectory(table: Table, tmp_path: Path) -> None:
    """One attempt's folder can be repeated, also on another instance."""
    original = table.play([press("n"), Terminate()])
    instance = Instance(make_task(id="other"), "step")
    assert (
        Table(tmp_path / "again").play(replay(original.folder()), instance=instance).last.outcome == "success"
    )


def test_replay_of_the_last_attempt(table: Table, tmp_path: Path) -> None:
    """Of several attempts the last is repeated."""
    table.play([press("f", "n"), Terminate()], attempts=2)
    world = make_world()
    world.resets = 5  # the desk does not shake any more
    assert Table(tmp_path / "again").play(replay(table.folder), world=world).last.outcome == "success"


def test_replay_ends_with_its_recording(table: Table, tmp_path: Path) -> None:
    """After the last recorded decision the replay ends the episode."""
    table.play([press("l")], steps=2)
    played = Table(tmp_path / "again").play(replay(table.folder))
    assert (played.last.steps, played.last.ending) == (3, "success")


def test_replay_without_a_recording(table: Table, tmp_path: Path) -> None:
    """A run that does not hold the instance, or is no run, is said to be so."""
    table.play([Terminate()])
    other = Instance(make_task(id="other"), "step")
    last = Table(tmp_path / "a").play(replay(table.folder), instance=other).last
    assert (last.outcome, last.error) == (
        "provider_error",
        f"{table.folder} holds no trajectory of desk/other-step",
    )
    (tmp_path / "empty").mkdir()
    last = Table(tmp_path / "b").play(replay(tmp_path / "empty")).last
    assert last.error == f"{tmp_path}/empty is no run: there is no ledger.jsonl in it"


# human


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
