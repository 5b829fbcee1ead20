"""The driver for worlds with web pages: Chromium in front; behind, a world program or a user's own application."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.app_access import AppSpec
from pytest_cuabench.drivers.chromium.executable import find_chromium
from pytest_cuabench.drivers.chromium.web_app import (
    AppWorld,
    find_web_world,
    in_mode,
    refuse_sharing,
    web_world,
)
from pytest_cuabench.drivers.chromium.window import Display
from pytest_cuabench.drivers.desktop.opening import leases
from pytest_cuabench.drivers.driver import DriverContext
from pytest_cuabench.drivers.worlds import World
from pytest_cuabench.task.machine import Reset

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance

_DEADLINE = 60.0  # seconds for showing the start page, without the application's own start
_LOCAL = ("localhost", "127.0.0.1")  # resolved by every browser


class _WebEnvironment(ChromiumEnvironment):
    """An environment whose reset may have to start an application first."""

    last_reset: Reset | None = None
    reset_seconds = 1.5 * _DEADLINE  # includes closing the last page and session

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
    return environment
