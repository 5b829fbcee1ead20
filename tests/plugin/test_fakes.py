"""The fake world and the scripted agent do what the real ones promise."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image
from small_world import make_task

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.task.action import Action, Click, Key, Navigate, Size
from pytest_cuabench.task.evidence import Activity, State
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import ActionResult, Observation, ObservationKind
from pytest_cuabench.testing import FakeEnvironment, ScriptedAgent, blank_png

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
    assert world.locates
    asyncio.run(world.close())
    asyncio.run(world.close())
    assert world.closed


def test_script() -> None:
    """A script is played entry by entry, its last one repeatedly; a new start begins with the first."""
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


class _Smallest(Environment):
    """Only what an environment has to have."""

    screen = Size(64, 48)
    capabilities = ()

    async def reset(self, instance: Instance) -> None: ...
    async def observe(self, kind: ObservationKind) -> Observation:
        return Observation(self.screen, screenshot=blank_png(self.screen))

    async def perform(self, action: Action) -> ActionResult:
        return ActionResult(error="nothing can be done here")

    async def settle(self) -> None: ...
    async def state(self) -> State:
        return State({})

    async def close(self) -> None: ...


def test_six_methods_make_an_environment() -> None:
    """The others have defaults: no revision, no log, no documents, no limit of its own, and no selectors."""
    world = _Smallest()
    assert (world.last_reset, world.reset_seconds, world.state_seconds, world.steps_left()) == (None,) * 4
    assert (asyncio.run(world.revision()), asyncio.run(world.activity())) == (None, Activity())
    assert (world.documents(), world.input_events(), world.locates) == ((), (), False)
    with pytest.raises(
        LookupError, match="_Smallest does not find elements by selectors, such as role=button"
    ):
        asyncio.run(world.locate("role=button"))
    with pytest.raises(TypeError, match="abstract method"):
        type("Part", (_Smallest,), {"state": Environment.state})()
