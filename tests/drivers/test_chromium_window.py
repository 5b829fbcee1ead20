"""A web world in a window on a private display: what differs from a browser without one."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable, Iterator

import psutil
import pytest
import pytest_asyncio
from PIL import Image

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Click, Key, KeyDown, KeyUp, MouseDown, Move, Navigate, SwitchTab, Type
from pytest_cuabench.task.action import Size as Screen
from pytest_cuabench.testing.probe_page import Server

from .conftest import FakeWorld, Harness

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
SCREEN = Screen(1000, 700)
INSPECT = (560, 553)  # in the menu of a right click at MENU
MENU = (500, 300)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def window(
    windows: Callable[[Screen], Chromium], site: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Harness]:
    """An environment with a window for all tests."""
    world = FakeWorld(site.port)
    folder = tmp_path_factory.mktemp("files")
    environment = ChromiumEnvironment(windows(SCREEN), world, SCREEN, downloads=folder)
    yield Harness(environment, world)
    await environment.close()


async def test_the_page_fills_the_screen(window: Harness) -> None:
    """The screenshot is the page alone, from its first pixel to its last."""
    await window.start("colours")
    image = await _picture(window)
    assert image.size == SCREEN
    assert image.getpixel((25, 25)) == (255, 0, 0)
    assert {image.getpixel((x, 690)) for x in (0, 500, 999)} == {(255, 255, 255)}


async def test_tab_skips_the_toolbar(window: Harness) -> None:
    """The Tab key goes from the last field of the page to its first, as the toolbar is not on the screen."""
    await window.start("search")
    await window.go("dialogs")
    await window.click("#field")
    await window.do(Key(("tab",)), Key(("enter",)))
    assert await window.environment.read("dialog=message") == "Saved"
    await window.do(Key(("enter",)))
    assert await window.out() == "alerted"


async def test_a_tab_of_a_text_skips_the_toolbar(window: Harness) -> None:
    """A tab within a text that leaves the page's last field comes back to its first, where the rest is typed."""
    await window.start("search")
    await window.go("dialogs")
    await window.click("#field")
    await window.do(Type("a\t\n"))
    assert await window.environment.read("dialog=message") == "Saved"
    await window.do(Key(("enter",)))
    assert await window.environment.read("#field") == "a"


async def test_an_action_that_is_not_input_waits_for_an_open_dialog(window: Harness) -> None:
    """While the browser asks, addresses and tabs are refused in one sentence."""
    await window.start("dialogs")
    await window.click("#confirm")
    refused = await window.environment.perform(Navigate("/two"))
    assert refused.error == "navigate: a dialog is open (Delete?); answer it first"
    assert (await window.environment.perform(SwitchTab(0))).error is not None
    await window.do(Key(("escape",)))
    assert await window.out() == "false"


async def test_the_menu_opens_no_tools(window: Harness) -> None:
    """Inspect in the context menu is refused by the browser, and the page stays as it is."""
    await window.start("two")
    await window.do(Move(*MENU))  # from where the test before left the pointer
    before = await _top(window)
    await window.do(Click(*MENU, button="right"), Click(*INSPECT))
    assert await _top(window) != before, "the browser says nothing"
    await window.do(Key(("escape",)))
    assert await _top(window) == before
    assert await window.tabs() == [("two", True)]
    assert await window.environment.read("h1") == "Two"


async def test_keys_do_not_go_back_to_the_blank_page(window: Harness) -> None:
    """The start page is the first of the browser's history."""
    await window.start("two")
    await window.environment.perform(Key(("alt", "left")))
    assert await window.environment.read("h1") == "Two"


async def test_nothing_stays_held(window: Harness) -> None:
    """A key and a button that an episode left down are up in the next one."""
    await window.start("dialogs")
    await window.do(KeyDown("shift"), MouseDown(500, 500))
    await window.start("dialogs")
    await window.click("#field")
    await window.do(Type("a"))
    assert await window.environment.read("#field") == "a"


async def test_a_held_key_does_not_leave_the_page(window: Harness) -> None:
    """With Ctrl held, shortcuts of the browser reach the page alone, also where they are typed as a text."""
    await window.start("dialogs")
    await window.click("#field")
    await window.do(KeyDown("ctrl"), Type("kt"), Key(("l",)), KeyDown("n"), KeyUp("n"), KeyUp("ctrl"))
    assert await window.tabs() == [("dialogs", True)]
    await window.do(Type("a"))
    assert await window.environment.read("#field") == "a"


async def test_a_broken_display_is_replaced(window: Harness) -> None:
    """When its X server ends, the attempt fails as infrastructure, and the next reset has another one."""
    await window.start("two")
    server = next(one for one in _servers() if one.is_running())
    server.kill()
    server.wait(10)
    with pytest.raises(EnvironmentFailure):
        await _clicks(window, 100)
    await window.start("two")
    await window.click("#ask")
    assert await window.environment.read("dialog=message") == "Still there?"


async def _picture(window: Harness) -> Image.Image:
    seen = await window.environment.observe("screenshot")
    assert seen.screenshot is not None
    return Image.open(io.BytesIO(seen.screenshot)).convert("RGB")


async def _top(window: Harness) -> bytes:
    """Return the pixels of the part of the screen where the browser's own dialogs lie."""
    return (await _picture(window)).crop((300, 0, 700, 120)).tobytes()


async def _clicks(window: Harness, times: int) -> None:
    for _ in range(times):
        await window.environment.perform(Click(300, 300))


def _servers() -> Iterator[psutil.Process]:
    """Yield the X servers that this process has started."""
    for one in psutil.Process().children(recursive=True):
        if one.name() == "Xvfb":
            yield one
