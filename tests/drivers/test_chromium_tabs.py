"""Tabs, history, the browser's own keys, and downloads."""

from __future__ import annotations

import pytest

from pytest_cuabench.drivers.chromium.locating import find
from pytest_cuabench.task.action import Action, Back, Click, CloseTab, Forward, Key, SwitchTab

from .conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPENER, TWO = ("tabs", True), ("two", True)
BEHIND = [("tabs", False), TWO]


@pytest.mark.parametrize("target", ["#blank", "#open", "#small"])
async def test_a_new_tab_comes_to_the_front(desk: Desk, target: str) -> None:
    """What a click opens is in front, loaded and of the screen's size when the click returns."""
    await desk.go("tabs")
    await desk.click(target)
    seen = await desk.environment.observe("screenshot")
    assert [tuple(tab) for tab in seen.tabs] == BEHIND
    assert await desk.environment.read("h1") == "Two"


async def test_a_tab_that_closes_gives_way_to_its_opener(desk: Desk) -> None:
    """When a page closes itself, the page that opened it is in front again and works."""
    await desk.go("tabs")
    await desk.click("#open")
    await desk.click("#close")
    assert await desk.tabs() == [OPENER]
    assert await desk.environment.read("h1") == "Opener"
    await desk.click("#plain")
    assert await desk.environment.read("h1") == "Two"


@pytest.mark.parametrize("how", [{"button": "middle"}, {"modifiers": ("ctrl",)}])
async def test_a_tab_can_open_behind(desk: Desk, how: dict[str, object]) -> None:
    """A middle click and a ctrl click open a tab behind the active one."""
    await desk.go("tabs")
    await desk.click("#plain", **how)
    assert await desk.tabs() == [OPENER, ("two", False)]
    await desk.do(SwitchTab(1))
    assert await desk.environment.read("h1") == "Two"


@pytest.mark.parametrize(
    ("keys", "front"),
    [
        (("ctrl", "tab"), 0), (("ctrl", "shift", "tab"), 0), (("ctrl", "pageup"), 0), (("ctrl", "pagedown"), 0),
        (("ctrl", "1"), 0), (("ctrl", "2"), 1), (("ctrl", "9"), 1), (("ctrl", "5"), 1),
    ],
)  # fmt: skip
async def test_keys_switch_tabs(desk: Desk, keys: tuple[str, ...], front: int) -> None:
    """The browser's keys for its tab strip work."""
    await desk.go("tabs")
    await desk.click("#open")
    await desk.do(Key(keys))
    assert [active for _, active in await desk.tabs()].index(True) == front


@pytest.mark.parametrize("close", [CloseTab(), CloseTab(1), Key(("ctrl", "w"))])
async def test_tabs_are_closed(desk: Desk, close: Action) -> None:
    """The active tab, a tab by number, and ctrl+w."""
    await desk.go("tabs")
    await desk.click("#open")
    await desk.do(close)
    assert await desk.tabs() == [OPENER]


async def test_the_last_tab_stays(desk: Desk) -> None:
    """The last tab cannot be closed, and a tab that is not there cannot be switched to."""
    result = await desk.environment.perform(CloseTab())
    assert "last tab" in (result.error or "")
    result = await desk.environment.perform(SwitchTab(3))
    assert "no tab 3" in (result.error or "")
    await desk.do(Key(("ctrl", "w")))
    assert await desk.tabs() == [("start", True)]


async def test_a_last_tab_that_closes_itself(desk: Desk) -> None:
    """A browser without any tab would be the end, so the start page opens again."""
    await desk.go("tabs")
    await desk.click("#open")
    await desk.do(CloseTab(0))
    await desk.click("#close")
    assert len(await desk.tabs()) == 1
    await desk.go("two")
    assert await desk.environment.read("h1") == "Two"


async def test_a_tab_that_closes_takes_its_dialog_along(desk: Desk) -> None:
    """Nobody has to answer what a closed tab asked."""
    await desk.go("tabs")
    await desk.click("#open")
    await desk.click("#ask")
    assert await desk.environment.read("dialog=message") == "Still there?"
    session = desk.environment._session
    assert session is not None
    await session.active.page.close()
    assert await desk.environment.locate("dialog=OK") is None
    assert await desk.environment.read("h1") == "Opener"


@pytest.mark.parametrize(
    ("back", "forward"), [(Back(), Forward()), (Key(("alt", "left")), Key(("alt", "right")))]
)
async def test_history(desk: Desk, back: Action, forward: Action) -> None:
    """Back and forward go through the pages that were open."""
    await desk.start("tabs")
    await desk.click("#plain")
    await desk.do(back)
    assert await desk.environment.read("h1") == "Opener"
    await desk.do(forward)
    assert await desk.environment.read("h1") == "Two"


async def test_history_ends_at_the_start_page(desk: Desk) -> None:
    """There is nothing behind the start page, not even the blank page the browser began with."""
    await desk.start("tabs")
    result = await desk.environment.perform(Back())
    assert "no page to go to" in (result.error or "")
    assert await desk.environment.read("h1") == "Opener"


async def test_side_buttons_of_the_mouse_go_through_history(desk: Desk) -> None:
    """The mouse's back button goes back."""
    await desk.start("tabs")
    await desk.click("#plain")
    await desk.do(Click(500, 500, button="back"))
    assert await desk.environment.read("h1") == "Opener"


@pytest.mark.parametrize("keys", [("f5",), ("ctrl", "r")])
async def test_reload(desk: Desk, keys: tuple[str, ...]) -> None:
    """Reloading asks for the page again."""
    before = len((await desk.environment.activity()).navigations)
    await desk.do(Key(keys))
    assert len((await desk.environment.activity()).navigations) == before + 1


@pytest.mark.parametrize(
    ("target", "name"), [("#csv", "list.csv"), ("#evil", "_.._evil.txt"), ("#blob", "made.txt")]
)
async def test_downloads_are_saved_and_told(desk: Desk, target: str, name: str) -> None:
    """A download lies in the folder under a plain name, is in the record, and the agent reads of it."""
    await desk.start("files")
    await desk.click(target)
    assert f"File {name} was downloaded." in await desk.notices()
    assert (await desk.environment.activity()).downloads == (name,)


async def test_a_second_download_gets_a_number(desk: Desk) -> None:
    """Two downloads of one name are two files; a new episode begins without any."""
    await desk.start("files")
    await desk.click("#csv")
    await desk.click("#csv")
    assert (await desk.environment.activity()).downloads == ("list.csv", "list (1).csv")
    await desk.start("files")
    assert (await desk.environment.activity()).downloads == ()


async def test_the_record_holds_every_request(desk: Desk) -> None:
    """Requests carry method, address and status, over all tabs."""
    await desk.start("tabs")
    await desk.click("#open")
    activity = await desk.environment.activity()
    asked = [(request.method, request.url, request.status) for request in activity.requests]
    assert ("GET", f"{desk.origin}/tabs", 200) in asked
    assert ("GET", f"{desk.origin}/two", 200) in asked
    assert activity.navigations == (f"{desk.origin}/tabs", f"{desk.origin}/two")


async def test_a_look_at_a_tab_that_closes_meanwhile(desk: Desk) -> None:
    """A tab may close while it is looked at; the look is taken again at the tab that is in front then."""
    await desk.go("tabs")
    await desk.click("#open")
    session = desk.environment._session
    assert session is not None
    closing = session.active
    pages: list[object] = []

    async def look() -> str:
        pages.append(session.active.page)
        if session.active is closing:
            await closing.page.close()
            assert await find(closing.page, "h1") is None
        return await session.active.page.title()

    assert await desk.environment._lasting(session, look) == "tabs"
    assert len(pages) == 2
