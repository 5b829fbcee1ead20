"""Several episodes at a time in one process (`--cua-at-once`): instances are played before pytest reaches their tests.

pytest runs one test after another. While the fixture `attempt` waits for an episode, the event loop plays the next
instances too, on lanes with an environment each. When pytest reaches the test of one of them, it is given the result.

Played ahead are tests that use only the fixtures of this plugin and of pytest, without marks that may skip them; the
others are played when pytest reaches them, as without this option. An attempt is recorded when it ends. When the
session stops early, episodes in progress are cancelled and recorded as such.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections import Counter, deque
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.logging import LogCaptureHandler

from pytest_cuabench.collection.attempts import ItemRunner
from pytest_cuabench.collection.items import instance_of, suite_of
from pytest_cuabench.collection.played import PlayedAttempt, play_item
from pytest_cuabench.collection.scheduling import parts_of
from pytest_cuabench.collection.stash import CHOSEN, RUN, SETTINGS
from pytest_cuabench.drivers.backend import place_of
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.episode.play import Lane
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.errors import STOPS_RUN, SettingError
from pytest_cuabench.task.text import printed

if TYPE_CHECKING:
    from pytest_cuabench.agents.base import Agent
    from pytest_cuabench.drivers.pool import Pool
    from pytest_cuabench.task.model import SuiteInfo

_MODULES = ("pytest_cuabench.", "_pytest.", "pytest_asyncio.")  # whose fixtures do not prevent playing ahead
_IN_USE = frozenset({"agent", "environment", "cua_pool"})  # a test that asks for these uses them itself
_MAY_SKIP = ("skip", "skipif", "xfail")

_item: ContextVar[pytest.Item | None] = ContextVar("cuabench_item", default=None)  # whose episode runs


class ConcurrentEpisodes:
    """Plays the instances of this process on several lanes, as the fixture `attempt` does."""

    def __init__(self, session: pytest.Session, pool: Pool) -> None:
        self._session, self._config, self._pool = session, session.config, pool
        self._started: set[pytest.Item] = set()
        self._results: dict[pytest.Item, asyncio.Future[PlayedAttempt]] = {}
        self._agents: dict[pytest.Item, Agent | None] = {}
        self._lanes: list[asyncio.Task[None]] = []
        self._fatal: asyncio.Future[PlayedAttempt] = asyncio.get_running_loop().create_future()
        self._turns = Turns(shared=True, players=session.config.stash[SETTINGS].at_once)
        self._logs = _Logs()
        self._worlds: dict[tuple[str, str, str], str | None] = {}
        self._reasons = {item: self._reason(item) for item in session.items}
        self._warn()

    @property
    def running(self) -> int:
        """The number of episodes that are played now."""
        return self._turns.playing

    def plays(self, item: pytest.Item) -> bool:
        """Whether an item is played on a lane; one that is run a second time is not."""
        return item in self._results or (item not in self._started and self._reasons.get(item, "") is None)

    def agent(self, item: pytest.Item) -> Agent | None:
        """Return the agent that plays an item; None in an audit."""
        if item not in self._agents:
            chosen = self._config.stash.get(CHOSEN, None)
            self._agents[item] = chosen.make() if chosen else None
        return self._agents[item]

    async def result(self, item: pytest.Item) -> PlayedAttempt:
        """Wait for the result of an item.

        Raises:
            RecordFailure, Unauthorized, RunAborted: The session must end, whichever item it happened to.
        """
        self._logs.take_over()
        if item not in self._results:
            self._start(item)
        result = self._results.pop(item)
        try:
            await asyncio.wait({result, self._fatal}, return_when=asyncio.FIRST_COMPLETED)
            return await (result if result.done() else self._fatal)
        finally:
            self._agents.pop(item, None)
            self._logs.tell(item)

    async def stop(self) -> None:
        """Cancel the episodes in progress, which records them."""
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        self._logs.give_back()

    def _start(self, first: pytest.Item) -> None:
        """Start the lanes for the items from one on that this process runs."""
        items = [item for item in self._mine(first) if self._reasons[item] is None]
        self._started.update(items)
        loop = asyncio.get_running_loop()
        self._results |= {item: loop.create_future() for item in items}
        waiting = deque((item, self._results[item]) for item in items)
        at_once = self._config.stash[SETTINGS].at_once
        prepared = 1 + at_once // 16  # in the time of one reset no more episodes than these end
        for _ in range(min(at_once + prepared, len(items))):
            self._lanes.append(asyncio.create_task(self._lane(1 + len(self._lanes), waiting)))

    def _mine(self, first: pytest.Item) -> Iterator[pytest.Item]:
        """Yield the items from one on; with xdist, those of the same part."""
        parts, items = parts_of(self._config), self._session.items
        yield from items[items.index(first) :: parts]

    async def _lane(
        self, number: int, waiting: deque[tuple[pytest.Item, asyncio.Future[PlayedAttempt]]]
    ) -> None:
        try:
            while waiting and not self._fatal.done():
                item, result = waiting.popleft()  # and keep no result that pytest has taken
                _item.set(item)
                await self._play_on(number, item, result)
        finally:
            leaving = asyncio.ensure_future(self._pool.leave(number))
            try:
                await asyncio.shield(leaving)
            except asyncio.CancelledError:  # the session ends, which is no reason to leave a program behind
                await leaving
                raise

    async def _play_on(self, lane: int, item: pytest.Item, result: asyncio.Future[PlayedAttempt]) -> None:
        suite = suite_of(item)
        try:
            beside = Lane(
                lambda phase: self._pool.environment(phase.place, lane),
                self._turns,
                alone=lambda: self._pool.alone(suite),
            )
            runner = ItemRunner(item, self._config.stash[SETTINGS], self._config.stash[RUN], beside)
            instance = instance_of(item)
            assert instance is not None, "only items with an instance are played"
            environment = self._pool.environment(suite, lane)
            played = await play_item(runner, instance, environment, self.agent(item))
        except asyncio.CancelledError:
            result.cancel()
            if asyncio.current_task().cancelling():  # type: ignore[union-attr] # else something within was cancelled
                raise
        except BaseException as error:  # pytest.skip.Exception does not inherit from Exception
            ends = isinstance(error, STOPS_RUN) and not self._fatal.done()
            for future in (result, *((self._fatal,) if ends else ())):
                future.set_exception(error)
                future.exception()  # retrieved, also if pytest never reaches the test
        else:
            result.set_result(played)

    def _reason(self, item: pytest.Item) -> str | None:
        """Return why an item is not played ahead; an empty text where nobody would expect it."""
        fixtures = getattr(item, "_fixtureinfo", None)
        if instance_of(item) is None or fixtures is None or "attempt" not in fixtures.names_closure:
            return ""
        if mark := next(filter(None, map(item.get_closest_marker, _MAY_SKIP)), None):
            return f"the mark {mark.name}"
        if used := _IN_USE & set(fixtures.argnames):
            return f"the test's use of the fixture {min(used)!r}"
        for name, definitions in fixtures.name2fixturedefs.items():
            module = definitions[-1].func.__module__
            if not f"{module}.".startswith(_MODULES):
                return f"the fixture {name!r} of {module}"
        suite = suite_of(item)
        key = suite.name, suite.driver, suite.world
        if key not in self._worlds:
            self._worlds[key] = self._reason_of_world(suite)
        return self._worlds[key]

    def _reason_of_world(self, suite: SuiteInfo) -> str | None:
        """Return why the instances of a suite are not played ahead; looking for its world takes milliseconds."""
        try:
            place = place_of(suite, self._config.stash[SETTINGS])
            concurrent = find_driver(place.driver, suite).concurrent(suite, place)
        except SettingError:
            return ""  # told when it is played
        return None if concurrent else f"the world {suite.world}, which has one state for all"

    def _warn(self) -> None:
        if not getattr(self._config, "workerinput", {"cuabench_plans": True})["cuabench_plans"]:
            return  # another worker does it
        for reason, count in Counter(filter(None, self._reasons.values())).items():
            instances = "1 instance is" if count == 1 else f"{count} instances are"
            words = f"--cua-at-once: {instances} played one at a time, because of {reason}"
            warnings.warn(pytest.PytestWarning(words), stacklevel=2)


AHEAD: pytest.StashKey[ConcurrentEpisodes] = pytest.StashKey()


class _Logs(logging.Handler):
    """Gives log records of an episode to its own test's report, whichever test pytest is running."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"))
        self._lines: dict[pytest.Item, list[str]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record of an episode."""
        if item := _item.get():
            self._lines.setdefault(item, []).append(self.format(record))

    def take_over(self) -> None:
        """Keep pytest from capturing the records of episodes."""
        root = logging.getLogger()
        root.addHandler(self)
        for handler in root.handlers:
            if isinstance(handler, LogCaptureHandler):
                handler.addFilter(_not_of_an_episode)

    def tell(self, item: pytest.Item) -> None:
        """Add an item's records to its report."""
        if lines := self._lines.pop(item, None):
            item.add_report_section("setup", "log", printed("\n".join(lines)))

    def give_back(self) -> None:
        """Take the handler off again."""
        root = logging.getLogger()
        root.removeHandler(self)
        for handler in root.handlers:
            handler.removeFilter(_not_of_an_episode)


def _not_of_an_episode(record: Any) -> bool:
    return _item.get() is None
