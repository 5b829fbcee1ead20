"""The money of a run: one purse for all its workers, and no call is sent that it could not pay.

Before a call its worst case is held, and after it what the call really cost is paid instead. So the purse is never
overdrawn, however many workers draw on it. What a call may have cost that never told stays paid at its worst.
"""

from __future__ import annotations

import asyncio
import fcntl
import math
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

import psutil

from pytest_cuabench.agent import Agent, Briefing, Decision
from pytest_cuabench.errors import BudgetSpent
from pytest_cuabench.observation import Observation

FILE = "purse"
LONGEST_WAIT = 120.0  # seconds for which others' calls in flight are waited for
_NANO = 1_000_000_000  # whole billionths of a dollar add up exactly, whoever adds them
_ENTRY = 52
_PAUSE = 0.25


@runtime_checkable
class Payer(Protocol):
    """An agent that asks the purse before each of its calls."""

    def pay_from(self, purse: Purse) -> None:
        """Called once, before the first episode."""


class Hold:
    """The worst case of one call, set aside until it is known what the call cost."""

    def __init__(self, purse: Purse, amount: int) -> None:
        self._purse = purse
        self._amount = amount
        self.open = True  # until it is paid

    def pay(self, dollars: float | None) -> None:
        """Pay what the call cost, once; None pays the worst case, for a call that did not tell."""
        if self.open:
            self.open = False
            self._purse._enter(-self._amount, self._amount if dollars is None else _nano(dollars))


class Payment:
    """The money of one call: the worst case of every try is held before it, and paid when nobody tells the cost."""

    def __init__(self, purse: Purse | None, worst: float) -> None:
        self._purse, self._worst = purse, worst
        self._hold: Hold | None = None

    async def prepare(self) -> None:
        """Hold the worst case of one more try.

        Raises:
            BudgetSpent: There is not enough.
        """
        self.pay(None)
        if self._purse:
            self._hold = await self._purse.hold(self._worst)

    def pay(self, dollars: float | None) -> None:
        """Pay what the try cost; None pays its worst case. What is paid stays paid."""
        if self._hold:
            self._hold.pay(dollars)


class Purse:
    """An account book that only grows: each entry tells who holds how much more or less, and what was paid.

    `sleep` is awaited while others' calls in flight may still turn out cheaper than their worst case.
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
        """US dollars that calls have cost so far."""
        with self._book():
            return self._paid / _NANO

    @property
    def left(self) -> float:
        """US dollars that are neither paid nor held."""
        with self._book():
            return self._left / _NANO

    async def hold(self, dollars: float) -> Hold:
        """Set the worst case of a call aside, when others' calls in flight leave enough for it.

        Raises:
            BudgetSpent: Nobody's call in flight can leave enough any more.
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
        """Pay what was not held before; the purse may be overdrawn by it."""
        self._enter(0, _nano(dollars))

    def demand(self) -> None:
        """Go on only while there is money.

        Raises:
            BudgetSpent: All is paid or held.
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
        """Whether all calls in flight together hold enough; the dead give nothing back."""
        with self._book():
            living = sum(held for pid, held in self._held.items() if held and psutil.pid_exists(pid))
            return amount <= self._left + living

    def _enter(self, held: int, paid: int) -> None:
        with self._book() as book:
            self._write(book, held, paid)

    def _sentence(self, dollars: float | None = None) -> str:
        need = f"; the next call may cost ${dollars:.4f}" if dollars is not None else ""
        return f"the money of this run is spent: ${self.left:.4f} of ${self.dollars:g} (--cua-max-cost) are left{need}"

    # The book

    @property
    def _left(self) -> int:
        return self._limit - self._paid - self._held.total()

    @contextmanager
    def _book(self) -> Iterator[int]:
        """Open the book for this process alone, read to its end."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        book = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(book, fcntl.LOCK_EX)
            self._catch_up(book)
            yield book
        finally:
            os.close(book)  # and with it the lock

    def _catch_up(self, book: int) -> None:
        size = os.fstat(book).st_size
        whole = size - size % _ENTRY
        if whole != size:  # who died while writing has not sent the call
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
    """An agent that only tells afterwards what its decisions cost: it is stopped before the next one.

    The purse may be overdrawn by one decision of each worker; a `Payer` never overdraws it.
    """

    def __init__(self, agent: Agent, purse: Purse) -> None:
        self._agent = agent
        self._purse = purse

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode."""
        await self._agent.start(briefing)

    async def decide(self, observation: Observation) -> Decision:
        """Return the next actions, and pay for them.

        Raises:
            BudgetSpent: The purse is empty, or the decision does not tell its price.
        """
        self._purse.demand()
        decision = await self._agent.decide(observation)
        if isinstance(decision, Decision):
            if decision.usage.cost is None:
                raise BudgetSpent(
                    "--cua-max-cost cannot hold: the agent does not tell what its decision cost (usage.cost is None)",
                    decision.usage,
                )
            self._purse.charge(decision.usage.cost)
        return decision

    async def close(self) -> None:
        """End the episode."""
        await self._agent.close()


def paying(agent: Agent, purse: Purse) -> Agent:
    """Return the agent as one that pays from the purse."""
    if isinstance(agent, Payer):
        agent.pay_from(purse)
        return agent
    return Charged(agent, purse)


def _nano(dollars: float) -> int:
    return math.ceil(dollars * _NANO)
