"""The driver returns when the page has come to rest, and does not wait for what never rests."""

from __future__ import annotations

import asyncio

import pytest

from pytest_cuabench.task.action import Click, Wait

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_timers_that_follow_a_click_are_waited_for(harness: Harness) -> None:
    """Short timers that set further short timers have all run when the click returns."""
    await harness.go("later")
    await harness.click("#go")
    assert await harness.out() == "done"


async def test_a_fetch_is_waited_for(harness: Harness) -> None:
    """What a click fetches is on the page when the click returns."""
    await harness.go("fetch")
    await harness.click("#go")
    assert await harness.out() == "slow answer"


async def test_a_form_post_and_its_redirect_are_waited_for(harness: Harness) -> None:
    """A form that is posted by a click has led to the next page when the click returns."""
    await harness.go("form")
    await harness.click("#go")
    assert await harness.environment.read("h1") == "Two"


async def test_a_transition_is_waited_for(harness: Harness) -> None:
    """A finite transition has reached its end."""
    await harness.go("animated")
    await harness.click("#go")
    box = await harness.environment.locate("#box")
    assert box is not None
    assert box.width == 300


@pytest.mark.parametrize("page", ["endless", "frames", "polling"])
@pytest.mark.slow
async def test_perpetual_motion_is_not_waited_for(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Endless animations, frame loops, polls and streams cost the cap at most once, then next to nothing."""
    await harness.go(page)
    await harness.do(Wait(0.3))
    await harness.click("#go")
    assert await harness.out() == "done"
    monkeypatch.setattr(harness.environment, "_cap", 120.0)
    async with asyncio.timeout(100):
        for _ in range(4):
            await harness.do(Click(5, 5))


async def test_a_page_that_stays_busy_returns_at_the_cap(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that never ends holds an action up for the cap only, and later actions not at all."""
    await harness.go("polling")
    monkeypatch.setattr(harness.environment, "_cap", 120.0)
    async with asyncio.timeout(100):
        await harness.do(Click(5, 5), Click(6, 6), Click(7, 7))
