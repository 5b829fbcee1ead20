"""The environments of one worker: made when first needed, shared by its items, closed at its end.

Episodes that are played at the same time have an environment each, on a lane of their own. Their environments share
what a driver shares, such as the browser and the world program.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pytest_cuabench.drivers.backend import place_of
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.driver import Closable, DriverContext
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.drivers.scratch import Scratch
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import SuiteInfo


@dataclass(slots=True)
class Pool:
    """All environments of this worker."""

    settings: Settings
    headed: bool = False
    resources: dict[str, Closable] = field(default_factory=dict)
    _environments: dict[tuple[int, str, str], Environment] = field(default_factory=dict)
    _one_alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    _scratch: Scratch = field(default_factory=lambda: Scratch("cuabench-"))

    @property
    def scratch(self) -> Path:
        """The private folder of this worker."""
        return self._scratch.path

    def environment(self, suite: SuiteInfo, lane: int = 0) -> Environment:
        """Return the environment of a suite on a lane.

        Raises:
            SettingError: No driver has the name that the suite asks for, or `--cua-world` names no place for it.
        """
        key = lane, suite.name, suite.world
        if key not in self._environments:
            place = place_of(suite, self.settings)
            context = DriverContext(suite, self.settings, self.scratch, self.headed, place, self.resources)
            self._environments[key] = find_driver(place.driver, suite).open(context)
        return self._environments[key]

    async def leave(self, lane: int) -> None:
        """Close the environments of a lane on which nothing more is played."""
        mine = [key for key in self._environments if key[0] == lane]
        with suppress(ExceptionGroup):  # its episodes are over
            await _close([self._environments.pop(key) for key in mine])

    @asynccontextmanager
    async def alone(self, suite: SuiteInfo) -> AsyncIterator[Environment]:
        """Open an environment that shares nothing with others during a block; there is one such at a time."""
        async with self._one_alone:
            private = Pool(self.settings, self.headed)
            try:
                yield private.environment(suite)
            finally:
                with suppress(ExceptionGroup):  # the episode is over
                    await private.close()

    async def close(self) -> None:
        """Close everything, newest first; one that fails does not keep the others open.

        Raises:
            ExceptionGroup: What could not be closed.
        """
        try:
            # Environments first, as they use the shared resources.
            await _close([*reversed(self._environments.values()), *reversed(self.resources.values())])
        finally:
            self._scratch.remove()


async def _close(things: Iterable[Closable]) -> None:
    failures = []
    for thing in things:
        try:
            await thing.close()
        except Exception as error:
            failures.append(error)
    if failures:
        raise ExceptionGroup("some environments could not be closed", failures)
