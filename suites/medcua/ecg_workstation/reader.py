"""What a reading cardiologist does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from . import tracings

_BOXES = {"heart_rate": "Rate", "pr_ms": "PR", "qrs_ms": "QRS", "qt_ms": "QT"}


async def open_study(hand: Hand, job: Job) -> None:
    """Open a recording from the worklist."""
    await follow(hand, job["link"])


async def back_to_worklist(hand: Hand) -> None:
    """Leave the recording."""
    await hand.click("a.back")


async def store_view(hand: Hand, *choices: str) -> None:
    """Choose parts of a view and store it."""
    for choice in choices:
        await follow(hand, choice)
    await press(hand, "Store view")


async def tell(hand: Hand, job: Job) -> None:
    """Record whom was told of the finding."""
    await follow(hand, "Alert")
    await choose(hand, "Finding", job["finding"])
    await mark(hand, job["contact_name"])
    if job.get("read_back", True):
        await tick(hand, "Read back by the person told")
    await press(hand, "Record alert")


async def write_report(hand: Hand, job: Job) -> None:
    """Correct what the analysis got wrong, and fill in what is asked."""
    await follow(hand, "Report")
    for name, text in job["enter"].items():
        await enter(hand, _BOXES[name], text)
    if job.get("formula_words"):
        await choose(hand, "QTc formula", job["formula_words"])
    for code in job["remove"]:
        await press(hand, f"Remove {tracings.statements()[code]}")
    for code in job["add"]:
        await add_statement(hand, tracings.statements()[code])
    if job.get("comparison_words"):
        await mark(hand, job["comparison_words"])


async def add_statement(hand: Hand, text: str) -> None:
    """Choose a statement from the list."""
    await hand.fill('role=combobox[name="Add statement"]', text)
    await hand.click(f'role=option[name="{text}"]')


async def sign(hand: Hand, password: str) -> None:
    """Sign with the password, past a warning."""
    await hand.fill('role=textbox[name="Password to sign"]', password)
    await press(hand, "Sign report")
    if await hand.sees('role=button[name="Sign all the same"]'):
        await press(hand, "Sign all the same")
