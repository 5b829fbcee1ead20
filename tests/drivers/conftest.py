"""One browser for all tests of a module, and a fake world around the application of the tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.browser.display import Display
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Action, Click, Navigate, Size
from pytest_cuabench.task.observation import ActionResult
from pytest_cuabench.testing.probe_page import Server
from pytest_cuabench.testing.served_world import FakeWorld, instance

from .guests import absent
from .pages import application


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Chromium]:
    """A browser of the module's own."""
    try:
        chromium = Chromium(find_chromium(None))
    except SettingError as error:
        pytest.skip(str(error))
    yield chromium
    await chromium.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def windows() -> AsyncIterator[Callable[[Size], Chromium]]:
    """Makes browsers with a window on a private screen; each belongs to the environment that it is given to."""
    if why := absent():
        pytest.skip(why)
    try:
        executable = find_chromium(None, headless=False)
    except SettingError as error:
        pytest.skip(str(error))
    leases = Leases()
    yield lambda screen: Chromium(executable, display=Display(screen, leases))
    await leases.close()


class Harness:
    """An environment at work, with the short ways that tests take."""

    def __init__(self, environment: ChromiumEnvironment, world: FakeWorld) -> None:
        self.environment, self.world = environment, world
        self.failures = 0  # tests that had failed when this one began

    @property
    def origin(self) -> str:
        """The origin of the episode."""
        return self.world.sessions[-1].origin

    async def tidy(self) -> bool:
        """Go back to the start page; False when only a new episode can."""
        try:
            return (await self.environment.perform(Navigate("/"))).error is None and len(
                await self.tabs()
            ) == 1
        except EnvironmentFailure:
            return False

    async def start(self, page: str) -> None:
        """Begin an episode on a page."""
        await self.environment.reset(instance(page))

    async def go(self, page: str) -> None:
        """Open another page of the same episode."""
        await self.do(Navigate(f"/{page}"))

    async def do(self, *actions: Action) -> ActionResult:
        """Perform actions that must not be mistakes; return the last one's result."""
        for action in actions:
            result = await self.environment.perform(action)
            assert result.error is None
        return result

    async def click(self, target: str, **how: Any) -> None:
        """Click what a selector finds."""
        box = await self.environment.locate(target)
        assert box is not None, target
        await self.do(Click(*box.middle, **how))

    async def tabs(self) -> list[tuple[str, bool]]:
        """The tab strip: titles, and which is active."""
        return [tuple(tab) for tab in (await self.environment.observe("dom")).tabs]

    async def notices(self) -> str:
        """What the agent is told beside the screen."""
        return " ".join((await self.environment.observe("dom")).notices)

    async def out(self) -> str | None:
        """What the page's `out` says."""
        return await self.environment.read("#out")


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The application of the tests; a module may name another one as `APPLICATION`."""
    server = Server(getattr(request.module, "APPLICATION", application)(), sockets=True)
    yield server
    server.stop()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def module_harness(
    browser: Chromium, site: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Harness]:
    """An environment for all tests of a module."""
    folder = tmp_path_factory.mktemp("files")
    uploads = folder / "uploads"
    uploads.mkdir()
    (uploads / "scan.txt").write_text("scanned")
    (uploads / "letter.txt").write_text("Dear colleague")
    world = FakeWorld(site.port)
    environment = ChromiumEnvironment(
        browser, world, Size(1000, 700), downloads=folder / "downloads", uploads=uploads
    )
    yield Harness(environment, world)
    await environment.close()


@pytest_asyncio.fixture(loop_scope="module")
async def harness(module_harness: Harness, request: pytest.FixtureRequest) -> Harness:
    """An environment with one tab on the start page; a new episode after a failure, or where that page is not left."""
    failures, module_harness.failures = module_harness.failures, request.session.testsfailed
    if failures != module_harness.failures or not await module_harness.tidy():
        await module_harness.start("")
    return module_harness
