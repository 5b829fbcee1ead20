"""What an attempt may take, and its clocks: the environment and the agent are awaited on them, within their limits.

Two clocks run on the task, the world's and the model's. Waiting for a provider's rate limit, for other episodes of this
process, or while a person paused the attempt, counts on neither.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from pytest_cuabench.agents.base import Agent, is_outside
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.deadlines import await_agent, await_world
from pytest_cuabench.episode.grading import state_seconds
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.ledger.attempt import Seconds
from pytest_cuabench.task.evidence import State

_T = TypeVar("_T")
_NAMES = ("reset", "world", "model", "waited", "recording", "queued")


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets and deadlines of an attempt.

    Attributes:
        steps: Maximum steps of the agent.
        seconds: Maximum seconds of world and model together, without back-off.
        dollars: Maximum known cost in US dollars; None for no limit.
        reset: Timeout of a reset in seconds.
        action: Timeout of an action or observation in seconds; `Action.extra_seconds` is added.
        decision: Timeout of the agent's decision in seconds.
    """

    steps: int
    seconds: float
    reset: float = 90.0
    action: float = 90.0
    decision: float = 1800.0
    dollars: float | None = None


class Clocks:
    """The clocks of one attempt, in seconds.

    Attributes:
        queued: Waiting for other episodes of this process.
        waited: Waiting for a provider, as its agent tells; a part of `model`.
    """

    def __init__(self, limits: Limits, turns: Turns) -> None:
        self._limits, self._turns = limits, turns
        self._start = time.perf_counter()
        self.started = datetime.now(UTC)
        self.reset = self.world = self.model = self.waited = self.recording = self.queued = 0.0

    @property
    def on_task(self) -> float:
        """What counts towards the task's seconds."""
        return self.world + self.model - self.waited

    @property
    def left(self) -> float:
        """What is left of the task's seconds."""
        return self._limits.seconds - self.on_task

    @property
    def elapsed(self) -> float:
        """Since the attempt began."""
        return time.perf_counter() - self._start

    @contextmanager
    def running(self, clock: str) -> Iterator[None]:
        """Let a clock run during the block."""
        start = time.perf_counter()
        try:
            yield
        finally:
            setattr(self, clock, getattr(self, clock) + time.perf_counter() - start)

    async def of_world(self, work: Awaitable[_T], doing: str) -> _T:
        """Await the environment within the timeout of an action.

        Raises:
            EnvironmentFailure: It failed, or took too long.
        """
        return await self.timed("world", self._limits.action, work, doing)

    async def state(self, environment: Environment, doing: str, most: float | None = None) -> State:
        """Read the world's state, within `most` seconds if given."""
        seconds = most or state_seconds(environment, self._limits.action)
        return await self.timed("world", seconds, environment.state(), doing)

    async def timed(
        self, clock: str, seconds: float, work: Awaitable[_T], doing: str, *, takes_turn: bool = True
    ) -> _T:
        """Await the environment in turn with the other episodes of this process."""
        async with self._turns.take(work) if takes_turn else nullcontext(0.0) as waited:
            self.queued += waited
            with self.running(clock):
                return await await_world(seconds, work, doing)

    async def of_agent(self, agent: Agent, work: Awaitable[_T], doing: str) -> _T:
        """Await the agent within the timeout of a decision.

        Raises:
            ProviderFailure, AgentFailure, BudgetSpent, EnvironmentFailure: See `await_agent`.
        """
        with self.running("model"):
            return await await_agent(self._limits.decision, work, doing, outside=is_outside(agent))


def seconds_of(clocks: Iterable[Clocks], total: float) -> Seconds:
    """Return the sums of clocks, and the seconds of the whole, for the record."""
    every = tuple(clocks)
    sums = {name: sum(getattr(each, name) for each in every) for name in _NAMES}
    return Seconds(**{name: round(value, 4) for name, value in {**sums, "total": total}.items()})
