"""An org in a browser on a desktop: selectors in a desktop's words, places, and a record made by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.guest import Guest
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.salesforce.on_desktop import OrgStage, as_desktop
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.task.action import Click, Size, Type
from pytest_cuabench.task.parts import Scope

from .desktop_here import once, require_desktop

SCREEN = Size(1920, 1080)


@pytest.mark.parametrize(
    ("page", "desktop"),
    [
        ('role=button[name="Save"]', 'push-button[name="Save"]'),
        ('role=dialog >> role=textbox[name="Last Name"]', 'dialog >> entry[name="Last Name"]'),
        ('role=row[name="Acme"] >> role=cell >> nth=2', 'table-row[name="Acme"] >> table-cell:nth(2)'),
        ('role=link[name="A \\"B\\""]', 'link[name="A \\"B\\""]'),
        ('push-button[name="OK"]:nth(0)@0.5,0.5', 'push-button[name="OK"]:nth(0)@0.5,0.5'),
    ],
)
def test_selectors_of_pages(page: str, desktop: str) -> None:
    """Roles of a page are called by a desktop's names; what is in those already stays."""
    assert as_desktop(page) == desktop


def instance() -> Any:
    """Return as much of an instance as the stage reads."""
    task = SimpleNamespace(
        application="sales", scope=Scope(resources=frozenset({"Account"})), setup=lambda seed: ()
    )
    return SimpleNamespace(task=task, seed=0)


@pytest_asyncio.fixture
async def desktop(tmp_path: Path) -> AsyncIterator[DesktopEnvironment]:
    """A desktop with the org in its browser."""
    require_desktop()
    if not Path("/usr/lib/chromium/chromium").exists():
        pytest.skip("needs a browser; type: apt-get install chromium")
    world = World(find_world("salesforce"))
    orgs = EmulatedOrgs(world)

    def stage(guest: object) -> OrgStage:
        assert isinstance(guest, Guest)
        return OrgStage(guest, orgs)

    environment = DesktopEnvironment(Xvfb(SCREEN, Leases(tmp_path)), SCREEN, stage=stage)
    await environment.reset(instance())
    yield environment
    await environment.close()
    await orgs.close()
    await world.close()


async def _click(desktop: DesktopEnvironment, target: str) -> None:
    box = await once(lambda: desktop.locate(target))
    assert (await desktop.perform(Click(*box.middle))).error is None


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_record_is_made_by_hand(desktop: DesktopEnvironment) -> None:
    """What is clicked and typed on the screen becomes a record, and the next reset takes it back."""
    before = await desktop.state()
    await _click(desktop, 'role=link[name="Accounts"]')
    await _click(desktop, 'role=button[name="New"]')
    await _click(desktop, 'role=textbox[name="Account Name"]')
    await desktop.perform(Type("Größe & Söhne"))
    await _click(desktop, 'role=button[name="Save"]')
    await desktop.settle()
    after = await desktop.state()
    new = after.collections["Account"].keys() - before.collections["Account"].keys()
    assert [after.collections["Account"][id]["Name"] for id in new] == ["Größe & Söhne"]
    await desktop.reset(instance())
    assert (await desktop.state()).collections == before.collections
