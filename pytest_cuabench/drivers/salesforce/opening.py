"""The driver of suites that are played in a Salesforce org: the emulator, or a live org that `--cua-world` names."""

from __future__ import annotations

from pathlib import Path

from pytest_cuabench.drivers.chromium import Chromium
from pytest_cuabench.drivers.chromium_executable import find_chromium
from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.salesforce.environment import OrgEnvironment, Orgs
from pytest_cuabench.environment import Environment
from pytest_cuabench.pool import DriverContext
from pytest_cuabench.worlds import World, find_world


def open_salesforce(context: DriverContext) -> Environment:
    """Return an org in a browser; browser and emulator are shared by all suites of the worker."""

    def browser() -> Chromium:
        headless = not context.headed
        return Chromium(find_chromium(context.settings.chromium, headless=headless), headless=headless)

    def emulator() -> World:
        return World(find_world(context.suite.world))

    def orgs() -> Orgs:
        return EmulatedOrgs(context.shared(f"world {context.suite.world}", emulator))

    return OrgEnvironment(
        context.shared("chromium", browser),
        context.shared(f"orgs {context.suite.world}", orgs),
        context.suite.screen,
        downloads=Path(context.scratch) / "downloads",
        headed=context.headed,
    )
