"""The driver for world programs with web pages: Chromium in front, the world's control socket behind."""

from __future__ import annotations

from pathlib import Path

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium_executable import find_chromium
from pytest_cuabench.environment import Environment
from pytest_cuabench.pool import DriverContext
from pytest_cuabench.worlds import World, find_world


def open_web(context: DriverContext) -> Environment:
    """Return an environment of a suite's web world; browser and world are shared by all suites of the worker."""

    def browser() -> Chromium:
        headless = not context.headed
        return Chromium(find_chromium(context.settings.chromium, headless=headless), headless=headless)

    def world() -> World:
        return World(find_world(context.suite.world))

    shared_browser = context.shared("chromium", browser)
    shared_world = context.shared(f"world {context.suite.world}", world)
    downloads = Path(context.scratch) / "downloads"
    return ChromiumEnvironment(
        shared_browser, shared_world, context.suite.screen, downloads=downloads, headed=context.headed
    )
