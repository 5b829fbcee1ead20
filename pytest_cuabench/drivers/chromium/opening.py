"""The driver for worlds with web pages: Chromium in front; behind, a world program or a user's own application."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.display import Display
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.chromium.own_app.app_access import AppSpec
from pytest_cuabench.drivers.chromium.own_app.web_app import (
    AppSession,
    AppWorld,
    find_web_world,
    in_mode,
    refuse_sharing,
    web_world,
)
from pytest_cuabench.drivers.desktop.opening import leases
from pytest_cuabench.drivers.driver import DriverContext
from pytest_cuabench.drivers.worlds import World
from pytest_cuabench.errors import Leaked
from pytest_cuabench.task.evidence import State, Write
from pytest_cuabench.task.machine import Reset

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.world import WorldSession
    from pytest_cuabench.task.model import Instance

_DEADLINE = 60.0  # seconds for showing the start page, without the application's own start
_AGAIN = 3  # resets, until nothing arrives late
_LOCAL = ("localhost", "127.0.0.1")  # resolved by every browser


class _WebEnvironment(ChromiumEnvironment):
    """An environment whose reset may have to start an application first."""

    last_reset: Reset | None = None
    reset_seconds = 1.5 * _DEADLINE  # includes closing the last page and session

    _causes = 0  # how many requests that may have changed the world were known when its state was first read
    _baseline: State | None = None
    _changed = ""  # what changed without one
    _previous = _playing = ""  # instances
    _harmless: Collection[str] = ()

    async def reset(self, instance: Instance) -> None:
        """See `Environment.reset`; again where a late write of the episode before arrived meanwhile."""
        self._baseline, self._changed = None, ""
        self._previous, self._playing = self._playing, instance.id
        self._harmless = instance.task.scope.harmless
        await super().reset(instance)
        for _ in range(_AGAIN):
            if not (isinstance(self._world, AppSession) and await self._drifted(self._world)):
                return
            await super().reset(instance)

    async def _drifted(self, session: AppSession) -> bool:
        """Whether the data changed since the reset in a way that the start page is not known for."""
        drift, known = await session.drift(), session.world.known_drift
        new = drift - known
        known |= drift  # what comes again at the next reset, the start page did
        return bool(new)

    async def state(self) -> State:
        """See `Environment.state`.

        Raises:
            Leaked: The data of an application, which episodes share, changed without a request of this one.
        """
        state = await super().state()
        if not isinstance(self._world, AppSession) or self._session is None:
            return state
        causes = self._session.log.causes
        if self._baseline is None:
            self._baseline, self._causes = state, causes
        elif causes == self._causes and (
            writes := self._harmful(state.journal[len(self._baseline.journal) :])
        ):
            first = writes[0]
            self._changed = self._changed or f"{first.op} of {first.key} in {first.collection}"
        if self._changed:
            before = f"the episode before, {self._previous}," if self._previous else "another program"
            raise Leaked(
                f"the application changed before this episode had asked for anything ({self._changed}): a write of "
                f"{before} arrived late; give the world idle or reset.quiet, see docs/worlds.md",
                self._baseline,
            )
        return state

    def _harmful(self, writes: tuple[Write, ...]) -> list[Write]:
        return [write for write in writes if write.collection not in self._harmless]

    async def _end(self, world: WorldSession) -> None:
        if isinstance(world, AppSession):
            world.world.unfinished = self._unfinished
        await super()._end(world)

    async def lacking(self, instance: Instance) -> str | None:
        """See `Environment.lacking`: what a world program says of itself."""
        return await self._source.lacking() if isinstance(self._source, World) else None


def browser_of(context: DriverContext, hosts: tuple[str, ...]) -> Chromium:
    """Return the browser of an environment: all of a worker share one, but each has its own window on a screen."""
    headless = not context.headed and context.place.browser is None
    executable = find_chromium(context.settings.chromium, headless=headless)
    if context.place.browser is not None and not context.headed:
        return Chromium(executable, hosts=hosts, display=Display(context.suite.screen, leases(context)))

    def shared() -> Chromium:
        several = context.settings.at_once > 1
        return Chromium(executable, headless=headless, hosts=hosts, shared=several)

    return context.shared(" ".join(("chromium", *hosts)), shared)


def open_web(context: DriverContext) -> Environment:
    """Return an environment of a suite's web world; browser and world are shared by all suites of the worker."""
    suite = context.suite
    spec = in_mode(find_web_world(suite.world, suite.folder, suite.app), context.place.detail)
    refuse_sharing(spec, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
    hosts = (spec.host,) if isinstance(spec, AppSpec) and spec.host not in _LOCAL else ()
    starting = spec.app.start_seconds if isinstance(spec, AppSpec) and spec.app.start else 0.0

    def world() -> World | AppWorld:
        return web_world(spec, context.scratch)

    environment = _WebEnvironment(
        browser_of(context, hosts),
        context.shared(f"world {suite.world} {spec.folder} {context.place.detail or ''}", world),
        suite.screen,
        downloads=Path(context.scratch) / "downloads",
        headed=context.headed,
        deadline=_DEADLINE + starting,
    )
    environment.reset_seconds += starting
    environment.late_seconds = getattr(spec, "late_seconds", 0.0)
    declared = spec.app if isinstance(spec, AppSpec) else spec
    environment.finish_seconds = declared.finish_seconds
    return environment
