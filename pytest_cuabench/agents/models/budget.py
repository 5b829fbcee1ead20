"""The spending limit of a run (`--cua-max-cost`), shared by all workers.

A call reserves its worst-case cost before it is sent, and is charged its real cost afterwards, so the limit holds for
any number of workers. A call that reports no cost is charged its worst case.
"""

from __future__ import annotations

import asyncio
import fcntl  # not filelock: this locks the book itself, and a waiting process is woken at once
import math
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

import psutil

from pytest_cuabench.agents.base import Agent, Briefing, Decision, SelfPaced, innermost
from pytest_cuabench.errors import AgentFailure, BudgetSpent
from pytest_cuabench.task.action import Answer, Terminate
from pytest_cuabench.task.observation import Observation

FILE = "purse"  # in the run folder; the name is kept for resuming older runs
LONGEST_WAIT = 120.0  # seconds to wait for the running calls of other workers
_NANO = 1_000_000_000  # whole billionths of a dollar add up exactly
_ENTRY = 52  # bytes of a line: a process number of 9 places and two amounts of 20
_PAUSE = 0.25


@runtime_checkable
class Payer(Protocol):
    """An agent that reserves the cost of each call."""

    def set_spend_limit(self, spend_limit: SpendLimit) -> None:
        """Called once, before the first episode."""


class Hold:
    """The reserved worst-case cost of one call."""

    def __init__(self, spend_limit: SpendLimit, amount: int) -> None:
        self._spend_limit = spend_limit
        self._amount = amount
        self.open = True  # until it is charged

    def pay(self, dollars: float | None) -> None:
        """Charge the call's cost, once; None, for an unreported cost, charges the worst case."""
        if self.open:
            self.open = False
            self._spend_limit._enter(-self._amount, self._amount if dollars is None else _nano(dollars))


class Payment:
    """The cost of one call: each try reserves its worst case, and is charged it if no cost is reported."""

    def __init__(self, spend_limit: SpendLimit | None, worst: float) -> None:
        self._spend_limit, self._worst = spend_limit, worst
        self._hold: Hold | None = None

    async def prepare(self) -> None:
        """Reserve the worst-case cost of one more try.

        Raises:
            BudgetSpent: The spending limit does not cover it.
        """
        self.pay(None)
        if self._spend_limit:
            self._hold = await self._spend_limit.hold(self._worst)

    def pay(self, dollars: float | None) -> None:
        """Charge the cost of the try; None charges its worst case."""
        if self._hold:
            self._hold.pay(dollars)


class SpendLimit:
    """An append-only file of the reserved and charged amounts of all workers.

    `sleep` is awaited while running calls of other workers may still release a part of their reserve.
    """

    def __init__(
        self,
        file: Path,
        dollars: float,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.dollars = dollars
        self._file = file
        self._limit = int(dollars * _NANO)
        self._sleep = sleep
        self._read = 0
        self._paid = 0
        self._held: Counter[int] = Counter()

    @property
    def paid(self) -> float:
        """US dollars charged so far."""
        with self._book():
            return self._paid / _NANO

    @property
    def charged(self) -> float:
        """US dollars that are charged or reserved: after a run, what it has cost at most."""
        with self._book():
            return (self._paid + self._held.total()) / _NANO

    @property
    def left(self) -> float:
        """US dollars that are neither charged nor reserved."""
        with self._book():
            return self._left / _NANO

    async def hold(self, dollars: float) -> Hold:
        """Reserve the worst-case cost of a call, after waiting for running calls if necessary.

        Raises:
            BudgetSpent: No running call can release enough.
        """
        amount, waited = _nano(dollars), 0.0
        while not self._take(amount):
            if waited >= LONGEST_WAIT or not self._may_come_back(amount):
                raise BudgetSpent(self._sentence(dollars))
            pause = random.uniform(_PAUSE, 2 * _PAUSE)  # noqa: S311  # workers do not all come back at once
            await self._sleep(pause)
            waited += pause
        return Hold(self, amount)

    def charge(self, dollars: float) -> None:
        """Charge an unreserved amount, which may exceed the limit."""
        self._enter(0, _nano(dollars))

    def demand(self) -> None:
        """Check that something is left.

        Raises:
            BudgetSpent: Everything is charged or reserved.
        """
        if self.left <= 0:
            raise BudgetSpent(self._sentence())

    def _take(self, amount: int) -> bool:
        with self._book() as book:
            if amount > self._left:
                return False
            self._write(book, amount, 0)
            return True

    def _may_come_back(self, amount: int) -> bool:
        """Whether the running calls reserve enough in total; dead workers release nothing."""
        with self._book():
            living = sum(held for pid, held in self._held.items() if held and psutil.pid_exists(pid))
            return amount <= self._left + living

    def _enter(self, held: int, paid: int) -> None:
        with self._book() as book:
            self._write(book, held, paid)

    def _sentence(self, dollars: float | None = None) -> str:
        need = f"; the next call may cost ${dollars:.4f}" if dollars is not None else ""
        return f"spending limit reached: ${self.left:.4f} of ${self.dollars:g} (--cua-max-cost) is left{need}"

    # The book

    @property
    def _left(self) -> int:
        return self._limit - self._paid - self._held.total()

    @contextmanager
    def _book(self) -> Iterator[int]:
        """Open the file with an exclusive lock, read to its end."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        book = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(book, fcntl.LOCK_EX)
            self._catch_up(book)
            yield book
        finally:
            os.close(book)  # this releases the lock

    def _catch_up(self, book: int) -> None:
        size = os.fstat(book).st_size
        whole = size - size % _ENTRY
        if whole != size:  # a worker that died while writing has not sent the call
            os.ftruncate(book, whole)
        text = os.pread(book, whole - self._read, self._read).decode("ascii")
        for start in range(0, len(text), _ENTRY):
            self._count(*map(int, text[start : start + _ENTRY].split()))
        self._read = whole

    def _write(self, book: int, held: int, paid: int) -> None:
        entry = f"{os.getpid():>9} {held:>+20} {paid:>+20}\n".encode("ascii")
        os.pwrite(book, entry, self._read)
        self._read += len(entry)
        self._count(os.getpid(), held, paid)

    def _count(self, pid: int, held: int, paid: int) -> None:
        self._held[pid] += held
        self._paid += paid


class Charged:
    """An agent that reports the cost of its steps afterwards: it is stopped before the next step.

    The limit may be exceeded by one step of each worker; a `Payer` never exceeds it.
    """

    def __init__(self, agent: Agent, spend_limit: SpendLimit) -> None:
        self.wrapped = agent
        self._spend_limit = spend_limit

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode."""
        await self.wrapped.start(briefing)

    async def decide(self, observation: Observation) -> Decision:
        """Return the next actions, and charge their cost.

        Raises:
            BudgetSpent: The spending limit is reached.
            AgentFailure: The agent itself says that it is reached, or does not report what the step has cost.
        """
        self._spend_limit.demand()
        try:
            decision = await self.wrapped.decide(observation)
        except BudgetSpent as claim:  # the agent has no part in the limit
            raise AgentFailure(str(claim), claim.usage) from claim
        if isinstance(decision, Decision):
            self._spend_limit.charge(_told(decision, "agent"))
        return decision

    async def close(self) -> None:
        """End the episode."""
        await self.wrapped.close()


class Claiming(Charged):
    """A program, whose costs are its own word: they end its own attempt at its share, and no other.

    Args:
        share: US dollars that one attempt may report.
    """

    def __init__(self, agent: Agent, spend_limit: SpendLimit, share: float) -> None:
        super().__init__(agent, spend_limit)
        self._share = share
        self._claimed = 0.0

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode, in which nothing is claimed yet."""
        self._claimed = 0.0
        await super().start(briefing)

    async def decide(self, observation: Observation) -> Decision:
        """Return the next actions, and charge their cost as far as the share goes.

        Raises:
            AgentFailure: The share is used up, or a step that does not end the episode reports no cost.
        """
        if self._claimed >= self._share:
            share = f"${self._share:.4f}, this attempt's share of --cua-max-cost"
            raise AgentFailure(f"the program reported costs of {share}", ending="budget")
        decision = await self.wrapped.decide(observation)
        within = min(_told(decision, "program"), self._share - self._claimed)
        self._spend_limit.charge(within)
        self._claimed += within
        return decision


def _told(decision: Decision, who: str) -> float:
    """Return the dollars that a step reports; the one that ends the episode may report none.

    Raises:
        AgentFailure: Another step reports none, which nothing limits.
    """
    cost = decision.usage.cost
    if cost is None and not any(isinstance(action, Answer | Terminate) for action in decision.actions):
        sentence = f"--cua-max-cost needs the cost of each step, and the {who} reports none (usage.cost)"
        raise AgentFailure(sentence, decision.usage, "budget")
    return cost or 0.0


def paying(agent: Agent, spend_limit: SpendLimit, instances: int = 1) -> Agent:
    """Return the agent with the spending limit applied, which a program shares among the run's instances."""
    if isinstance(innermost(agent), SelfPaced):
        return Claiming(agent, spend_limit, spend_limit.dollars / max(1, instances))
    if isinstance(agent, Payer):
        agent.set_spend_limit(spend_limit)
        return agent
    return Charged(agent, spend_limit)


def charged(folder: Path) -> float | None:
    """Return the US dollars that a run has cost at most, calls that were cut included; None if it had no limit."""
    file = folder / FILE
    return SpendLimit(file, 0.0).charged if file.is_file() else None


def _nano(dollars: float) -> int:
    return math.ceil(dollars * _NANO)  # up, so that rounding cannot exceed the limit
