"""Exchange observations for decisions between the episode loop and a program's calls.

The loop calls `decide`; the program's calls, which arrive through a door, are `observe` and `act`. Nothing else passes
between the two: budgets, policies and records are the loop's, as for every agent. A door that shows the live screen
looks at it with `look`, only while the loop waits for a decision.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.observation import Observation

_T = TypeVar("_T")
WAITING = 8  # calls of `act` that may wait for the one before


class TooManyCalls(Exception):
    """Raised when a program sends further actions while too many of its calls wait."""


@dataclass
class Exchange:
    """One episode of a program.

    Attributes:
        briefing: What the program is told before its first observation, of the episode or of a phase.
        calls: Authorized calls of the program so far.
        steps: Decisions so far, in this phase.
        fresh: Whether the program has not yet been sent the current observation.
        gathered: Returns the decision that a door has gathered from single events, if any; it comes before others.
        ended: Set when the episode has ended.
    """

    briefing: Briefing
    calls: int = 0
    steps: int = 0
    fresh: bool = True
    gathered: Callable[[], Decision | None] = lambda: None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _seen: Observation | None = None
    _decision: asyncio.Future[Decision] | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _queued: int = 0

    def begin_phase(self, briefing: Briefing) -> None:
        """Go on with a further phase of the episode, whose steps are counted anew."""
        self.briefing, self.steps = briefing, 0

    async def decide(self, seen: Observation) -> Decision:
        """Publish an observation, and wait for the program's decision."""
        self._seen, self.fresh = seen, True
        self._decision = asyncio.get_running_loop().create_future()
        self._ready.set()
        return await self._decision

    async def observe(self) -> Observation | None:
        """Return the current observation, once the last decision was carried out; None after the end."""
        await self._ready.wait()
        self.fresh = False
        return None if self.ended.is_set() else self._seen

    async def act(self, decision: Decision) -> Observation | None:
        """Decide, and return the next observation; None after the end. Calls are carried out one after the other.

        Raises:
            TooManyCalls: Too many calls wait already.
        """
        if self._queued >= WAITING:
            raise TooManyCalls
        self._queued += 1
        try:
            async with self._turn:
                await self._flush()
                return await self._decide(decision)
        finally:
            self._queued -= 1

    async def flush(self) -> None:
        """Decide what a door has gathered."""
        async with self._turn:
            await self._flush()

    async def look(self, work: Callable[[], Awaitable[_T]]) -> _T | None:
        """Do some work with the environment while the loop waits for a decision; None if it no longer does.

        A failure of the environment ends the episode, as if it had happened in a step.
        """
        async with self._turn:
            waiting = await self._waiting()
            if waiting is None:
                return None
            async with self._looking:
                try:
                    return await work()
                except EnvironmentFailure as failure:
                    if not waiting.done():
                        waiting.set_exception(failure)
                    return None

    async def rest(self) -> None:
        """Return when nobody looks."""
        async with self._looking:
            pass

    async def _flush(self) -> None:
        await self._ready.wait()
        if (decision := self.gathered()) is not None:
            await self._decide(decision)

    async def _decide(self, decision: Decision) -> Observation | None:
        waiting = await self._waiting()
        if waiting is None:
            return None
        self.steps += 1
        self._ready.clear()
        waiting.set_result(decision)
        return await self.observe()

    async def _waiting(self) -> asyncio.Future[Decision] | None:
        """Return what the loop waits for, once it does; None when it will not wait any more."""
        await self._ready.wait()
        over = self.ended.is_set() or self._decision is None or self._decision.done()
        return None if over else self._decision

    def end(self) -> None:
        """Answer all waiting and later calls with the end of the episode."""
        self.ended.set()
        self._ready.set()
