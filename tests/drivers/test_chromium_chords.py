"""Chords for the browser: a page sees them first and may keep them, except the few that browsers reserve."""

from __future__ import annotations

import pytest

from pytest_cuabench.task.action import Key, KeyDown, KeyUp

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def navigations(harness: Harness) -> int:
    """Return how many pages were opened."""
    return len((await harness.environment.activity()).navigations)


@pytest.mark.parametrize("keys", [("f5",), ("ctrl", "r"), ("ctrl", "R"), ("ctrl", "shift", "r")])
async def test_a_page_may_keep_a_chord(harness: Harness, keys: tuple[str, ...]) -> None:
    """Reloading is the browser's unless a handler of the page prevents it."""
    await harness.go("chords")
    before = await navigations(harness)
    await harness.do(Key(keys))
    assert await navigations(harness) == before + 1
    await harness.go("keeping")
    before = await navigations(harness)
    await harness.do(Key(keys))
    assert await navigations(harness) == before
    assert (await harness.environment.read("#out") or "").lower().endswith(keys[-1].lower())


async def test_a_chord_of_held_keys(harness: Harness) -> None:
    """Keys that are pressed one after the other are a chord too."""
    await harness.go("chords")
    before = await navigations(harness)
    await harness.do(KeyDown("ctrl"), Key(("r",)))
    assert await navigations(harness) == before + 1
    await harness.do(KeyDown("r"), KeyUp("r"), KeyUp("ctrl"), Key(("r",)))
    assert await navigations(harness) == before + 2


async def test_a_page_in_a_frame_may_keep_a_chord(harness: Harness) -> None:
    """The handlers of the frame that has the focus are asked, too."""
    await harness.go("framed")
    before = await navigations(harness)
    await harness.click("#frame")
    await harness.do(Key(("f5",)))
    assert await navigations(harness) == before


@pytest.mark.parametrize("keys", [("ctrl", "w"), ("ctrl", "W"), ("ctrl", "f4")])
async def test_a_page_cannot_keep_what_browsers_reserve(harness: Harness, keys: tuple[str, ...]) -> None:
    """A tab is closed though its page prevents everything."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.go("keeping")
    await harness.do(Key(keys))
    assert [title for title, _ in await harness.tabs()] == ["tabs"]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (("ctrl", "t"), "opens no tab"),
        (("ctrl", "N"), "opens no tab"),
        (("ctrl", "shift", "t"), "Closed tabs are not opened again"),
        (("alt", "f4"), "does not close"),
    ],
)
async def test_what_is_not_there_is_told(harness: Harness, keys: tuple[str, ...], told: str) -> None:
    """A reserved chord for something that this browser does not have is a notice, and no page sees it."""
    await harness.go("keeping")
    await harness.do(Key(keys))
    assert told in await harness.notices()
    assert not await harness.environment.read("#out")


async def test_chords_of_an_editor(harness: Harness) -> None:
    """A rich text gets its own chords, which browsers show other things on."""
    await harness.go("fields")
    await harness.click("#rich")
    await harness.do(Key(("ctrl", "u")), Key(("a",)))
    assert await harness.environment.read("#rich u") == "a"
