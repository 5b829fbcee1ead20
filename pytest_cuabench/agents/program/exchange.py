"""Exchange observations for decisions between the episode loop and a program's calls.

The loop calls `decide`; the program's calls, which arrive through a door, are `observe` and `act`. Nothing else passes
between the two: budgets, policies and records are the loop's, as for every agent.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.task.observation import Observation

WAITING = 8  # calls of `act` that may wait for the one before


class TooManyCalls(Exception):
    """Raised when a program sends further actions while too many of its calls wait."""


@dataclass
class Exchange:
    """One episode of a program.

    Attributes:
        briefing: What the program is told before its first observation.
        calls: Authorized calls of the program so far.
        steps: Decisions so far.
        fresh: Whether the program has not yet been sent the current observation.
        ended: Set when the episode has ended.
    """

    briefing: Briefing
    calls: int = 0
    steps: int = 0
    fresh: bool = True
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _seen: Observation | None = None
    _decision: asyncio.Future[Decision] | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _queued: int = 0

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
                await self._ready.wait()
                if self.ended.is_set() or self._decision is None or self._decision.done():
                    return None
                self.steps += 1
                self._ready.clear()
                self._decision.set_result(decision)
                return await self.observe()
        finally:
            self._queued -= 1

    def end(self) -> None:
        """Answer all waiting and later calls with the end of the episode."""
        self.ended.set()
        self._ready.set()
