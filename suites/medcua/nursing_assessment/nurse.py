"""What a nurse does at the tablet, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, follow, mark, press, tick
from . import forms

REASONS = {"post_fall": "After a fall"}


async def open_chart(hand: Hand, job: Job) -> None:
    """Open a patient from the ward view."""
    await follow(hand, job["link"])


async def open_form(hand: Hand, job: Job, form: str) -> None:
    """Open a form: from the ward view by the bed's tile, from a chart by the rail."""
    tile = f"{forms.short(form)} of bed {job['bed']}"
    on_ward = await hand.sees(f'role=link[name="{tile}"]')
    await follow(hand, tile if on_ward else forms.short(form))


async def back_to_ward(hand: Hand) -> None:
    """Leave the chart."""
    await hand.click("a.home")


async def fill(hand: Hand, form: str, told: dict[str, Any]) -> None:
    """Carry the last values forward, if so, and choose what differs."""
    if told["carry"]:
        await follow(hand, "Carry forward last values")
    if told["reason"]:
        await mark(hand, REASONS[told["reason"]])
    for item, value in told["enter"].items():
        await mark(hand, forms.tile(form, item, value))
    for field, value in told["enter_details"].items():
        await mark(hand, f"{forms.details(form)[field]} {value}")


async def sign(hand: Hand) -> None:
    """Sign the form, past a second look."""
    await press(hand, "Sign assessment")
    if await hand.sees('role=button[name="Confirm and sign"]'):
        await press(hand, "Confirm and sign")


async def assess(hand: Hand, job: Job, form: str) -> None:
    """Fill in and sign one form."""
    await open_form(hand, job, form)
    await fill(hand, form, job["forms"][form])
    await sign(hand)


async def assess_all(hand: Hand, job: Job) -> None:
    """Fill in and sign every form of a job."""
    for form in job["forms"]:
        await assess(hand, job, form)


async def start_measures(hand: Hand, measures: Iterable[str]) -> None:
    """Start measures of pressure injury prevention, past the warning."""
    await follow(hand, "Care plan")
    for key in measures:
        await tick(hand, forms.measure("skin", key))
    await press(hand, "Start selected measures")
    if await hand.sees('role=button[name="Confirm and start"]'):
        await press(hand, "Confirm and start")


async def stop_first(hand: Hand, part: str) -> None:
    """Stop the first measure that runs in a part of the plan."""
    await follow(hand, "Care plan")
    await follow(hand, part)
    await hand.click("li.measure.on button >> nth=0")


async def strike_newest(hand: Hand) -> None:
    """Mark the newest valid assessment in the list as entered in error."""
    await hand.click("a.small-link >> nth=0")
    await choose(hand, "Reason of the error", "Wrong score")
    await press(hand, "Confirm error")
