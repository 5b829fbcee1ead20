"""The fake world and the scripted agent do what the real ones promise."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image
from small_world import make_task

from pytest_cuabench.action import Action, Click, Key, Navigate, Size
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.environment import Environment, Locatable
from pytest_cuabench.fakes import FakeEnvironment, ScriptedAgent, blank_png
from pytest_cuabench.observation import Observation
from pytest_cuabench.task import Instance

INSTANCE = Instance(make_task(), "intent")
BRIEFING = Briefing("do it", "screenshot", Size(64, 48), ("pointer",), 3)


@pytest.mark.parametrize("size", [Size(1, 1), Size(64, 48), Size(1281, 721)])
def test_blank_png(size: Size) -> None:
    """The blank screen is a white PNG of the size asked for."""
    image = Image.open(io.BytesIO(blank_png(size)))
    image.load()
    assert (image.format, image.size) == ("PNG", size)
    assert image.convert("RGB").getcolors() == [(size.width * size.height, (255, 255, 255))]


def test_world_starts_again() -> None:
    """A reset brings back the given rows, whatever was done to them, and forgets the writes."""
    rows = {"notes": {"1": {"text": "a"}}}
    world = FakeEnvironment(rows)
    asyncio.run(world.reset(INSTANCE))
    world.write("notes", "1", text="b")
    world.write("notes", "2", text="c")
    asyncio.run(world.reset(INSTANCE))
    state = asyncio.run(world.state())
    assert (state.collections, state.journal, state.revision) == (rows, (), 0)
    assert rows == {"notes": {"1": {"text": "a"}}}
    assert world.resets == 2


def test_world_writes() -> None:
    """The first write of a row is an insert, later ones update it, even when the row was empty."""
    world = FakeEnvironment()
    for fields in ({}, {"text": "a"}, {"by": "me"}):
        world.write("notes", "1", **fields)
    state = asyncio.run(world.state())
    assert state.collections == {"notes": {"1": {"text": "a", "by": "me"}}}
    assert [(write.op, write.before) for write in state.journal] == [
        ("insert", None),
        ("update", {}),
        ("update", {"text": "a"}),
    ]
    assert asyncio.run(world.revision()) == state.revision == 3


def test_state_is_a_copy() -> None:
    """A state that was read does not change with the world."""
    world = FakeEnvironment()
    world.write("notes", "1", text="a")
    before = asyncio.run(world.state())
    world.write("notes", "1", text="b")
    assert before.row("notes")["text"] == "a"


@pytest.mark.parametrize("action", [Click(64, 0), Navigate("http://a")])
def test_world_refuses(action: Action) -> None:
    """What this screen cannot do is the agent's mistake, and does not reach the reaction."""
    reached: list[Action] = []
    world = FakeEnvironment(reaction=lambda world, action: reached.append(action))
    assert asyncio.run(world.perform(action)).error
    assert world.performed == reached == []
    assert asyncio.run(world.perform(Key(("a",)))).error is None
    assert world.performed == reached == [Key(("a",))]


def test_world_is_an_environment() -> None:
    """The fake has all that an environment has, and elements can be found in it."""
    world = FakeEnvironment()
    methods = {name for name in vars(Environment) if not name.startswith("_")}
    assert all(hasattr(world, name) for name in methods | set(Environment.__annotations__))
    assert isinstance(world, Locatable)
    asyncio.run(world.close())
    asyncio.run(world.close())
    assert world.closed


def test_script() -> None:
    """A script is played entry by entry, its last one again and again; a new start begins anew."""
    agent = ScriptedAgent([Key(("a",)), Decision((Key(("b",)), Key(("c",))))])

    async def play() -> list[Decision]:
        await agent.start(BRIEFING)
        return [await agent.decide(Observation(Size(1, 1))) for _ in range(3)]

    pair = Decision((Key(("b",)), Key(("c",))))
    assert asyncio.run(play()) == [Decision((Key(("a",)),)), pair, pair]
    assert len(agent.observations) == 3
    assert asyncio.run(play())[0] == Decision((Key(("a",)),))
    assert len(agent.observations) == 3
    assert agent.briefing == BRIEFING


def test_script_raises() -> None:
    """An exception in a script is raised when its turn comes."""
    with pytest.raises(ZeroDivisionError):
        asyncio.run(ScriptedAgent([ZeroDivisionError()]).decide(Observation(Size(1, 1))))
