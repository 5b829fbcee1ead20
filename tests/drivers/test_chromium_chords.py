"""Chords of the browser: the page sees them first and may keep them, except the few that browsers reserve."""

from __future__ import annotations

import pytest

from pytest_cuabench.task.action import Action, Key, KeyDown, KeyUp, Navigate
from pytest_cuabench.task.keys import parse_chord

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def stamped(harness: Harness, kept: str = "") -> str:
    """Open the page of chords, which keeps some for itself, and return when it was loaded."""
    await harness.do(Navigate(f"/chords?{kept}"))
    await harness.click("#field")
    return await harness.environment.read("#loaded")


@pytest.mark.parametrize("keys", ["f5", "ctrl+r", "ctrl+R", "ctrl+f5", "ctrl+shift+r"])
async def test_a_page_is_loaded_again_unless_it_keeps_the_key(harness: Harness, keys: str) -> None:
    """Reloading is what the browser does with a key that the page has seen and left."""
    before = await stamped(harness)
    await harness.do(Key(parse_chord(keys)))
    assert await harness.environment.read("#loaded") != before
    before = await stamped(harness, "keep")
    await harness.do(Key(parse_chord(keys)))
    assert await harness.environment.read("#loaded") == before
    assert await harness.out() == parse_chord(keys)[-1].upper()


async def test_a_modifier_that_is_held_makes_a_chord(harness: Harness) -> None:
    """ctrl that is pressed before acts as in one chord, and so does a key that is pressed by itself."""
    for last in ((Key(("r",)),), (KeyDown("r"), KeyUp("r"))):
        before = await stamped(harness)
        actions: tuple[Action, ...] = (KeyDown("ctrl"), *last, KeyUp("ctrl"))
        await harness.do(*actions)
        assert await harness.environment.read("#loaded") != before


async def test_back_and_forward_by_keys_are_the_pages_first(harness: Harness) -> None:
    """alt+left goes back, twice when it is pressed twice, unless the page keeps it."""
    await stamped(harness, "keep")
    await harness.do(Key(("alt", "left")))
    assert await harness.environment.locate("#loaded") is not None
    await harness.go("two")
    await stamped(harness)
    await stamped(harness, "again")
    await harness.do(Key(("alt", "left"), 2))
    assert await harness.environment.read("h1") == "Two"


async def test_ctrl_u_underlines_where_texts_are_formatted(harness: Harness) -> None:
    """In rich text it is a key of the editor; elsewhere the notice says what is missing."""
    await stamped(harness)
    await harness.click("#rich")
    await harness.do(Key(("ctrl", "a")), Key(("ctrl", "u")))
    assert await harness.notices() == ""
    assert await harness.environment.locate("#rich u") is not None
    await harness.click("#field")
    await harness.do(Key(("ctrl", "u")))
    assert "page sources are not available" in await harness.notices()


@pytest.mark.parametrize("keys", ["ctrl+t", "ctrl+n", "ctrl+shift+t"])
async def test_reserved_chords_never_reach_the_page(harness: Harness, keys: str) -> None:
    """A page cannot keep what browsers keep for themselves; what is missing is told."""
    await stamped(harness, "keep")
    await harness.do(Key(parse_chord(keys)))
    assert not await harness.out()
    assert "opens no tab or window" in await harness.notices()


@pytest.mark.parametrize("keys", ["ctrl+w", "ctrl+W", "ctrl+f4"])
async def test_a_tab_is_closed_by_every_chord_for_it(harness: Harness, keys: str) -> None:
    """Also by a capital letter; the last tab stays, with a notice."""
    await harness.go("tabs")
    await harness.click("#open")
    assert len(await harness.tabs()) == 2
    await harness.do(Key(parse_chord(keys)))
    assert len(await harness.tabs()) == 1
    await harness.do(Key(parse_chord(keys)))
    assert "The last tab cannot be closed." in await harness.notices()
    assert len(await harness.tabs()) == 1


async def test_a_tab_is_shown_by_its_number_unless_the_page_keeps_the_key(harness: Harness) -> None:
    """ctrl+1 shows the first tab, ctrl+9 the last."""
    await harness.go("tabs")
    await harness.click("#open")
    await harness.do(Key(("ctrl", "1")))
    assert await harness.environment.read("h1") == "Opener"
    await harness.do(Key(("ctrl", "9")))
    assert await harness.environment.read("h1") == "Two"
    await stamped(harness, "keep")
    await harness.do(Key(("ctrl", "1")))
    assert await harness.out() == "1"
    await harness.do(Key(("ctrl", "w")))
