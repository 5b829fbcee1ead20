"""The driver of suites that are played in a Salesforce org: the emulator, or a live org that `--cua-world` names."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_cuabench.drivers.chromium import Chromium
from pytest_cuabench.drivers.chromium_executable import find_chromium
from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.salesforce.environment import OrgEnvironment, Orgs
from pytest_cuabench.drivers.salesforce.live import LiveOrg, LiveOrgs, Sharing
from pytest_cuabench.drivers.salesforce.login import PREFIX, VERSION, Credentials
from pytest_cuabench.drivers.salesforce.safety import org_hosts, refuse_unasked
from pytest_cuabench.drivers.salesforce.transport import Transport
from pytest_cuabench.environment import Environment
from pytest_cuabench.pool import DriverContext
from pytest_cuabench.worlds import World, find_world


def open_salesforce(context: DriverContext) -> Environment:
    """Return an org in a browser; browsers and orgs are shared by all suites of the worker."""
    where = context.place.detail
    hosts = org_hosts(where) if where else ()

    def browser() -> Chromium:
        headless = not context.headed
        executable = find_chromium(context.settings.chromium, headless=headless)
        return Chromium(executable, headless=headless, hosts=hosts)

    def orgs() -> Orgs:
        return _live(context, where) if where else EmulatedOrgs(context.shared(f"world {world}", emulator))

    def emulator() -> World:
        return World(find_world(world))

    world = context.suite.world
    return OrgEnvironment(
        context.shared(f"chromium {where}" if where else "chromium", browser),
        context.shared(f"orgs {where or world}", orgs),
        context.suite.screen,
        downloads=Path(context.scratch) / "downloads",
        headed=context.headed,
    )


def org_client(address: str) -> OrgClient:
    """Return a client of a live org, with the credentials that the environment holds.

    Raises:
        SettingError: It holds none.
    """
    version = os.environ.get(f"{PREFIX}API_VERSION") or VERSION
    return OrgClient(Transport(address, Credentials.from_environment(), version))


def _live(context: DriverContext, address: str) -> LiveOrgs:
    """Return the live org of this worker.

    Raises:
        SettingError: Nobody allowed that it is written to, or there are no credentials.
    """
    allowed = context.settings.allow_reset == "on"
    refuse_unasked(allowed, address)
    run = context.settings.run or os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    alone = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) == 1
    sharing = Sharing(f"{run.replace('/', '_')}/{worker}", alone, allowed)
    return LiveOrgs(LiveOrg(org_client(address), sharing), sharing)
