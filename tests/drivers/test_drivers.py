"""What a suite's `driver` may name, and what a driver has to say about itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from plugin.test_settings import resolve

from pytest_cuabench.drivers.backend import place_of
from pytest_cuabench.drivers.chromium.driver import ChromiumDriver
from pytest_cuabench.drivers.desktop import xvfb
from pytest_cuabench.drivers.desktop.driver import XvfbDriver
from pytest_cuabench.drivers.driver import Driver, DriverContext, Place, PlannedSuite
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.drivers.pool import Pool
from pytest_cuabench.drivers.registry import find_driver, installed_driver, relatives
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.model import SuiteInfo
from pytest_cuabench.testing import FakeEnvironment

CODE = """
from pytest_cuabench.drivers.chromium.driver import ChromiumDriver
from pytest_cuabench.drivers.driver import Driver, Place, PlannedSuite
from pytest_cuabench.testing import FakeEnvironment


class DeskDriver(Driver):
    places = ("desk:NUMBER",)

    def place(self, where):
        return Place(self.name, where.removeprefix("desk:")) if where.startswith("desk:") else None

    def open(self, context):
        return FakeEnvironment(screen=context.suite.screen)


def open_desk(context):
    return FakeEnvironment(screen=context.suite.screen)


neither = 3
"""


@pytest.fixture
def suite(tmp_path: Path) -> SuiteInfo:
    """A suite with drivers of its own."""
    folder = tmp_path / tmp_path.name.lower()
    folder.mkdir()
    (folder / "desks.py").write_text(CODE, encoding="utf-8")
    return SuiteInfo("lab", "Lab", "none", "desks:DeskDriver", "desk", Size(80, 60), (0,), (), folder)


@pytest.mark.parametrize("name", ["desks:DeskDriver", "desks:open_desk"])
def test_a_suite_brings_its_driver(name: str, suite: SuiteInfo) -> None:
    """A subclass of `Driver`, or only its function `open`; the environment is the worker's."""
    pool = Pool(resolve({}))
    environment = pool.environment(replace(suite, driver=name))
    assert isinstance(environment, FakeEnvironment)
    assert environment.screen == Size(80, 60)
    asyncio.run(pool.close())
    assert environment.closed


def test_a_driver_says_its_places(suite: SuiteInfo) -> None:
    """`--cua-world` is read by the driver; what it does not accept is refused with what it does."""
    chosen = place_of(suite, resolve({"world": ["desk=desk:4"]}))
    assert chosen == Place("desks:DeskDriver", "4", True)
    with pytest.raises(SettingError) as refused:
        place_of(suite, resolve({"world": ["desk=docker"]}))
    assert str(refused.value) == "invalid value for --cua-world: 'desk=docker'; expected desk=desk:NUMBER"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("desks:Missing", r"suite lab: .*desks\.py: no function named Missing"),
        ("tables:Any", r"suite lab: .*tables\.py is missing"),
        ("desks:neither", r"suite lab: .*desks\.py: no function named neither"),
        ("chromum", r"suite lab: no driver named 'chromum'; known: .*; did you mean 'chromium'\?"),
    ],
)
def test_a_driver_that_is_not_there(name: str, sentence: str, suite: SuiteInfo) -> None:
    """One sentence names the suite and the file or the nearest driver."""
    with pytest.raises(SettingError, match=sentence):
        find_driver(name, suite)


def test_drivers_of_a_family_run_each_others_worlds() -> None:
    """Desktops are one family; a driver without a family has no relatives."""
    assert [each.name for each in relatives(installed_driver("xvfb"))] == ["docker", "guest", "qemu"]
    assert list(relatives(installed_driver("chromium"))) == []


def test_every_shipped_driver_is_one() -> None:
    """What is installed is a `Driver` under its own name, and `dom` is no observation of a desktop."""
    for name in ("chromium", "docker", "guest", "qemu", "salesforce", "xvfb"):
        driver = installed_driver(name)
        assert isinstance(driver, Driver)
        assert driver.name == name
        assert ("dom" in driver.observations, driver.pages) == (driver.family != "desktop",) * 2


def test_a_guest_needs_an_address(suite: SuiteInfo) -> None:
    """It is refused before anything is played."""
    with pytest.raises(
        SettingError, match="the address of the desktop is missing; add --cua-world desk=http://host:5000"
    ):
        installed_driver("guest").check(PlannedSuite(suite, resolve({}), Place("guest")))


def test_a_desktop_world_beside_the_suite(
    suite: SuiteInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A world in the user's own `environments` is the program that is started."""
    world = tmp_path / "environments" / "mine"
    world.mkdir(parents=True)
    (world / "environment.toml").write_text('module = "mine"\n')
    (world / "mine.py").write_text('raise SystemExit("this is mine")\n')
    for parts in ("PROGRAMS", "MODULES"):
        monkeypatch.setattr(xvfb, parts, {})
    pool = Pool(resolve({}), resources={"leases": Leases(tmp_path / "leases")})
    own = replace(suite, driver="xvfb", world="mine")
    context = DriverContext(
        own, pool.settings, tmp_path, headed=False, place=Place("xvfb"), _resources=pool.resources
    )
    driver = find_driver("xvfb", own)
    assert isinstance(driver, XvfbDriver)
    with pytest.raises(EnvironmentFailure, match="the desktop did not start: this is mine"):
        asyncio.run(driver.machine(context).start())


def test_a_live_org_needs_permission_and_credentials(
    suite: SuiteInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are refused before anything is played, and permission comes first."""
    monkeypatch.setattr(
        ChromiumDriver, "check", lambda *arguments, **named: None
    )  # no browser is needed here
    driver = installed_driver("salesforce")
    place = driver.place("https://acme.my.salesforce.com/")
    assert place is not None
    with pytest.raises(SettingError, match="to allow this, add --cua-allow-reset"):
        driver.check(PlannedSuite(suite, resolve({}), place))
    with pytest.raises(
        SettingError, match="no credentials for the org: set CUABENCH_SALESFORCE_ACCESS_TOKEN"
    ):
        driver.check(PlannedSuite(suite, resolve({"allow_reset": "on"}), place))
    monkeypatch.setenv("CUABENCH_SALESFORCE_ACCESS_TOKEN", "a token")
    driver.check(PlannedSuite(suite, resolve({"allow_reset": "on"}), place))


def test_a_lease_of_an_unknown_driver_is_reported(tmp_path: Path) -> None:
    """A machine of a driver that is not installed any more stays, and a sentence says so."""
    leases = Leases(tmp_path / "leases")
    lease = leases.take("gone", {"folder": "x"})
    file = tmp_path / "leases" / f"{lease.id}.json"
    told = file.read_text(encoding="utf-8").replace(f'"pid": {lease.owner.pid}', '"pid": 4194303')
    asyncio.run(leases.close())
    file.write_text(told, encoding="utf-8")
    (problem,) = Leases(tmp_path / "leases").reap()
    assert "could not be ended (gone): no driver named 'gone'" in problem
