"""The driver of suites that are played in a Salesforce org: the emulator, or a live org that `--cua-world` names."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.chromium.opening import browser_of
from pytest_cuabench.drivers.driver import DriverContext
from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.salesforce.environment import OrgEnvironment, Orgs
from pytest_cuabench.drivers.salesforce.live import LiveOrg, LiveOrgs, Sharing
from pytest_cuabench.drivers.salesforce.login import PREFIX, VERSION, Credentials
from pytest_cuabench.drivers.salesforce.safety import org_hosts, require_permission
from pytest_cuabench.drivers.salesforce.transport import Transport
from pytest_cuabench.drivers.worlds import World, find_world


def open_salesforce(context: DriverContext) -> Environment:
    """Return an org in a browser; all suites of a worker share both."""
    where = context.place.detail
    hosts = org_hosts(where) if where else ()

    return OrgEnvironment(
        browser_of(context, hosts),
        context.shared(f"orgs {where}", lambda: _live(context, where)) if where else _emulated(context),
        context.suite.screen,
        downloads=Path(context.scratch) / "downloads",
        headed=context.headed,
    )


def _emulated(context: DriverContext) -> Orgs:
    world = context.suite.world

    def emulator() -> World:
        return World(find_world(world, context.suite.folder))

    def orgs() -> Orgs:
        return EmulatedOrgs(context.shared(f"world {world}", emulator))

    return context.shared(f"orgs {world}", orgs)


def open_on_desktop(context: DriverContext) -> Environment:
    """Return the emulator in the browser of a local desktop."""
    from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
    from pytest_cuabench.drivers.desktop.guest import Guest
    from pytest_cuabench.drivers.desktop.opening import leases
    from pytest_cuabench.drivers.desktop.xvfb import Xvfb
    from pytest_cuabench.drivers.salesforce.on_desktop import OrgStage

    def stage(guest: object) -> OrgStage:
        assert isinstance(guest, Guest)
        return OrgStage(guest, _emulated(context))

    screen = context.suite.screen
    machine = Xvfb(screen, leases(context))
    return DesktopEnvironment(machine, screen, tokens=context.settings.tree_tokens, stage=stage)


def org_client(address: str) -> OrgClient:
    """Return a client of a live org, with credentials from environment variables.

    Raises:
        SettingError: They are not set.
    """
    version = os.environ.get(f"{PREFIX}API_VERSION") or VERSION
    return OrgClient(Transport(address, Credentials.from_environment(), version))


def _live(context: DriverContext, address: str) -> LiveOrgs:
    """Return the live org of this worker.

    Raises:
        SettingError: Writing to the org is not allowed, or credentials are missing.
    """
    allowed = context.settings.allow_reset
    require_permission(allowed, address)
    run = context.settings.run or os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    # One worker may watch the whole org; several watch what their tasks declare.
    alone = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) == 1
    sharing = Sharing(f"{run.replace('/', '_')}/{worker}", alone, allowed)
    return LiveOrgs(LiveOrg(org_client(address), sharing), sharing)
