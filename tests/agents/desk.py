"""A maker's model at the small world's desk: whole episodes against its server, in which waiting takes no time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from small_world import ROWS, SCREEN, Played, Table, react

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import agent_factory
from pytest_cuabench.ledger.record import read_steps
from pytest_cuabench.task.action import Key, Size, Terminate
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .conductor import Script
from .speaking import Body, Line, Speaker

VARIABLE = "THE_KEY"  # where a profile here looks for its key
NOTE, DONE = Key(("n",)), Terminate("success")
LOOK = Observation(SCREEN, blank_png(SCREEN))


@dataclass
class Naps:
    """Sleep and clock of callers: waiting takes no time, and is written down."""

    slept: list[float] = field(default_factory=list)

    def of(self, caller: Any) -> None:
        """Let a caller wait here, a second where the server does not say how long."""
        caller._sleep, caller._clock = self.sleep, lambda: sum(self.slept)
        caller._backoff = lambda state: 1.0

    async def sleep(self, seconds: float) -> None:
        """Let the clock go on."""
        self.slept.append(seconds)


@dataclass
class Desk:
    """Lets a model play the desk's task.

    Attributes:
        naps: The pauses between tries.
        script: What the server played last, with the requests it got.
    """

    speaker: Speaker
    line: Line
    table: Table
    naps: Naps = field(default_factory=Naps)
    script: Script = field(init=False)

    def agent(
        self, *, model: str | None = None, ask: Any = None, extras: bool = False, **options: Any
    ) -> Any:
        """Return the model as an agent; `ask` answers questions in a person's place."""
        profile = self.speaker.profile(options.pop("url", self.line.url), **options)
        profile = profile.model_copy(
            update={"key": VARIABLE, "model": model or profile.model, "extras": extras}
        )
        factory: Any = agent_factory(profile)
        agent = factory(profile, ask=ask) if ask else factory(profile)
        self.naps.of(agent._caller)
        return agent

    def answer(self, *script: Any, screen: Size = SCREEN) -> None:
        """Let the server play a script: actions, names of troubles, or replies in the maker's own shape."""
        self.script = Script(self.speaker, screen, deque(script))
        self.line.answer(self.script)

    def play(
        self,
        *script: Any,
        agent: Any = None,
        world: Any = None,
        attempts: int = 1,
        steps: int = 10,
        **options: Any,
    ) -> Played:
        """Play an episode with a script."""
        world = world or FakeEnvironment(ROWS, react)
        self.answer(*script, screen=world.screen)
        agent = agent or self.agent(**options)
        return self.table.play(agent, world=world, attempts=attempts, steps=steps)

    def decide(self, *script: Any, seen: Observation = LOOK, briefing: Briefing, **options: Any) -> Decision:
        """Let the model decide once."""
        self.answer(*script, screen=briefing.screen)
        agent = self.agent(**options)

        async def decided() -> Any:
            await agent.start(briefing)
            try:
                return await agent.decide(seen)
            finally:
                await agent.close()

        return asyncio.run(decided())

    @property
    def slept(self) -> list[float]:
        """The seconds of the pauses between tries."""
        return self.naps.slept

    @property
    def requests(self) -> list[Body]:
        """The requests of the last script."""
        return self.script.requests

    @property
    def refused(self) -> list[str]:
        """What the server found wrong in them."""
        return list(self.line.refused())


def steps(played: Played) -> list[dict[str, Any]]:
    """Return the recorded steps of the last attempt."""
    return list(read_steps(played.folder()))


def records(played: Played) -> str:
    """Return all that was recorded."""
    return "".join(file.read_text() for file in played.run.folder.rglob("*.json*"))


def told(value: Any) -> str:
    """Return all words of a request, or of a part of it."""
    return "\n".join(_strings(value))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
