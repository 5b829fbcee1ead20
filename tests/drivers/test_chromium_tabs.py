"""Tabs, history, the browser's own keys, and downloads."""

from __future__ import annotations

import pytest

from pytest_cuabench.drivers.chromium.observing.locating import find
from pytest_cuabench.task.action import Action, Back, Click, CloseTab, Forward, Key, SwitchTab

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPENER, TWO = ("tabs", True), ("two", True)
BEHIND = [("tabs", False), TWO]


@pytest.mark.parametrize("target", ["#blank", "#open", "#small"])
async def test_a_new_tab_comes_to_the_front(harness: Harness, target: str) -> None:
    """What a click opens is in front, loaded and of the screen's size when the click returns."""
    await harness.go("tabs")
    await harness.click(target)
    seen = await harness.environment.observe("screenshot")
    assert [tuple(tab) for tab in seen.tabs] == BEHIND
    assert await harness.environment.read("h1") == "Two"


async def test_a_tab_that_closes_gives_way_to_its_opener(harness: Harness) -> None:
    """When a page closes itself, the page that opened it is in front again and works."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.click("#close")
    assert await harness.tabs() == [OPENER]
    assert await harness.environment.read("h1") == "Opener"
    await harness.click("#plain")
    assert await harness.environment.read("h1") == "Two"


@pytest.mark.parametrize("how", [{"button": "middle"}, {"modifiers": ("ctrl",)}])
async def test_a_tab_can_open_behind(harness: Harness, how: dict[str, object]) -> None:
    """A middle click and a ctrl click open a tab behind the active one."""
    await harness.go("tabs")
    await harness.click("#plain", **how)
    assert await harness.tabs() == [OPENER, ("two", False)]
    await harness.do(SwitchTab(1))
    assert await harness.environment.read("h1") == "Two"


@pytest.mark.parametrize(
    ("keys", "front"),
    [
        (("ctrl", "shift", "tab"), 0), (("ctrl", "pageup"), 0), (("ctrl", "2"), 1), (("ctrl", "9"), 1),
        *(
            pytest.param(("ctrl", key), front, marks=pytest.mark.slow)
            for key, front in (("tab", 0), ("pagedown", 0), ("1", 0), ("5", 1))
        ),
    ],
)  # fmt: skip
@pytest.mark.slow
async def test_keys_switch_tabs(harness: Harness, keys: tuple[str, ...], front: int) -> None:
    """The browser's keys for its tab strip work."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.do(Key(keys))
    assert [active for _, active in await harness.tabs()].index(True) == front


@pytest.mark.parametrize("close", [CloseTab(), CloseTab(1), Key(("ctrl", "w"))])
async def test_tabs_are_closed(harness: Harness, close: Action) -> None:
    """The active tab, a tab by number, and ctrl+w."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.do(close)
    assert await harness.tabs() == [OPENER]


async def test_the_last_tab_stays(harness: Harness) -> None:
    """The last tab cannot be closed, and a tab that is not there cannot be switched to."""
    result = await harness.environment.perform(CloseTab())
    assert "last tab" in (result.error or "")
    result = await harness.environment.perform(SwitchTab(3))
    assert "no tab 3" in (result.error or "")
    await harness.do(Key(("ctrl", "w")))
    assert await harness.tabs() == [("start", True)]


@pytest.mark.slow
async def test_a_last_tab_that_closes_itself(harness: Harness) -> None:
    """A browser without any tab would be the end, so the start page opens again."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.do(CloseTab(0))
    await harness.click("#close")
    assert len(await harness.tabs()) == 1
    await harness.go("two")
    assert await harness.environment.read("h1") == "Two"


async def test_a_tab_that_closes_takes_its_dialog_along(harness: Harness) -> None:
    """Nobody has to answer what a closed tab asked."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.click("#ask")
    assert await harness.environment.read("dialog=message") == "Still there?"
    session = harness.environment._session
    assert session is not None
    await session.active.page.close()
    assert await harness.environment.locate("dialog=OK") is None
    assert await harness.environment.read("h1") == "Opener"


@pytest.mark.parametrize(
    ("back", "forward"), [(Back(), Forward()), (Key(("alt", "left")), Key(("alt", "right")))]
)
async def test_history(harness: Harness, back: Action, forward: Action) -> None:
    """Back and forward go through the pages that were open."""
    await harness.start("tabs")
    await harness.click("#plain")
    await harness.do(back)
    assert await harness.environment.read("h1") == "Opener"
    await harness.do(forward)
    assert await harness.environment.read("h1") == "Two"


async def test_history_ends_at_the_start_page(harness: Harness) -> None:
    """There is nothing behind the start page, not even the blank page the browser began with."""
    await harness.start("tabs")
    result = await harness.environment.perform(Back())
    assert "no page to go to" in (result.error or "")
    assert await harness.environment.read("h1") == "Opener"


async def test_side_buttons_of_the_mouse_go_through_history(harness: Harness) -> None:
    """The mouse's back button goes back."""
    await harness.start("tabs")
    await harness.click("#plain")
    await harness.do(Click(500, 500, button="back"))
    assert await harness.environment.read("h1") == "Opener"


@pytest.mark.parametrize("keys", [("f5",), ("ctrl", "r")])
async def test_reload(harness: Harness, keys: tuple[str, ...]) -> None:
    """Reloading asks for the page again."""
    before = len((await harness.environment.activity()).navigations)
    await harness.do(Key(keys))
    assert len((await harness.environment.activity()).navigations) == before + 1


@pytest.mark.parametrize(
    ("target", "name"), [("#csv", "list.csv"), ("#evil", "_.._evil.txt"), ("#blob", "made.txt")]
)
async def test_downloads_are_saved_and_told(harness: Harness, target: str, name: str) -> None:
    """A download lies in the folder under a plain name, is in the record, and the agent reads of it."""
    await harness.start("files")
    await harness.click(target)
    assert f"File {name} was downloaded." in await harness.notices()
    assert (await harness.environment.activity()).downloads == (name,)


@pytest.mark.slow
async def test_a_second_download_gets_a_number(harness: Harness) -> None:
    """Two downloads of one name are two files; a new episode begins without any."""
    await harness.start("files")
    await harness.click("#csv")
    await harness.click("#csv")
    assert (await harness.environment.activity()).downloads == ("list.csv", "list (1).csv")
    await harness.start("files")
    assert (await harness.environment.activity()).downloads == ()


async def test_the_record_holds_every_request(harness: Harness) -> None:
    """Requests carry method, address and status, over all tabs."""
    await harness.start("tabs")
    await harness.click("#open")
    activity = await harness.environment.activity()
    asked = [(request.method, request.url, request.status) for request in activity.requests]
    assert ("GET", f"{harness.origin}/tabs", 200) in asked
    assert ("GET", f"{harness.origin}/two", 200) in asked
    assert activity.navigations == (f"{harness.origin}/tabs", f"{harness.origin}/two")


@pytest.mark.slow
async def test_a_look_at_a_tab_that_closes_meanwhile(harness: Harness) -> None:
    """A tab may close while it is looked at; the look is taken again at the tab that is in front then."""
    await harness.go("tabs")
    await harness.click("#open")
    session = harness.environment._session
    assert session is not None
    closing = session.active
    pages: list[object] = []

    async def look() -> str:
        pages.append(session.active.page)
        if session.active is closing:
            await closing.page.close()
            assert await find(closing.page, "h1") is None
        return await session.active.page.title()

    assert await harness.environment._retried(session, look) == "tabs"
    assert len(pages) == 2


async def test_a_select_in_a_tab_that_a_page_opened_takes_a_choice(harness: Harness) -> None:
    """Such a tab begins with an empty document, whose window the page takes over."""
    await harness.go("tabs")
    await harness.click("#selects")
    await harness.click("#ward")
    await harness.click('[role=option] >> text="Ward B"')
    assert await harness.out() == "b"


async def test_notices_come_in_a_tab_without_scripts_that_a_page_opened(harness: Harness) -> None:
    """What the driver listens to is heard there, too."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.do(Key(("ctrl", "f")))
    assert "no find bar" in await harness.notices()
