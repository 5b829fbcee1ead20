"""What a ward nurse does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from .ward import CONTAINERS, NOT_DONE, POSITIONS, QUERIES, ROUTES

_CONFIRM = 'role=button[name="Chart it all the same"]'


async def open_patient(hand: Hand, job: Job) -> None:
    """Open a patient's timeline from the card of the overview, or from a list that names the patient."""
    await follow(hand, job["link"])


async def open_task(hand: Hand, job: Job) -> None:
    """Open a task of the timeline."""
    await hand.click(f'a[href="/task/{job["task"]}"]')


async def _confirm(hand: Hand) -> None:
    if await hand.sees(_CONFIRM):
        await hand.click(_CONFIRM)


async def read_band(hand: Hand, job: dict[str, Any]) -> None:
    """Type in what the wristband says, unless nobody looked at it."""
    if "unread" not in job:
        await enter(hand, "MRN on wristband", job["mrn"])
        await enter(hand, "Date of birth on wristband", job["born"])


async def give(hand: Hand, job: dict[str, Any]) -> None:
    """Give a medicine, from the timeline; a high-alert one with the second nurse that the job names."""
    await open_task(hand, job)
    await read_band(hand, job)
    await enter(hand, "Dose given", f"{job['expected']['dose']:g}")
    await mark(hand, ROUTES[job["expected"]["route"]])
    if job.get("second_user"):
        await enter(hand, "Second nurse user ID", job["second_user"])
        await hand.fill("#field-second_password", job["second_password"])
    await press(hand, "Give medicine")
    await _confirm(hand)


async def observe(hand: Hand, job: Job) -> None:
    """Chart what was observed, from the timeline."""
    await open_task(hand, job)
    if "pain" in job["expected"]:
        await enter(hand, "Pain score", str(job["expected"]["pain"]))
    else:
        await mark(hand, POSITIONS[job["expected"]["position"]])
    await press(hand, "Chart as done")


async def chart_done(hand: Hand, job: Job) -> None:
    """Chart a piece of care, from the timeline."""
    await open_task(hand, job)
    await press(hand, "Chart as done")


async def collect(hand: Hand, job: dict[str, Any]) -> None:
    """Collect a specimen, from the timeline."""
    await open_task(hand, job)
    await read_band(hand, job)
    await mark(hand, CONTAINERS[job["container"]])
    if job["labelled"]:
        await tick(hand, "Labelled at the bedside")
    await press(hand, "Collect specimen")
    await _confirm(hand)


async def leave_out(hand: Hand, job: Job) -> None:
    """Chart that a task was not done, from the timeline."""
    await open_task(hand, job)
    await choose(hand, "Reason", NOT_DONE[job["reason"]])
    await press(hand, "Chart as not done")


async def acknowledge(hand: Hand, orders: Iterable[Job]) -> None:
    """Acknowledge orders, from any page."""
    await follow(hand, "New orders")
    for order in orders:
        await hand.click(f'input[name="order_{order["id"]}"]')
    await press(hand, "Acknowledge ticked orders")


async def query(hand: Hand, order: Job, reason: str) -> None:
    """Send an order back, from the page of new orders."""
    await hand.click(f'a[href="/orders/{order["id"]}/query"]')
    await choose(hand, "What is to be asked", QUERIES[reason])
    await press(hand, "Send query")


async def establish(hand: Hand, jobs: Iterable[Job], role: str) -> None:
    """Establish care relationships; the role of a primary nurse is set already."""
    await follow(hand, "Assignments")
    for job in jobs:
        await tick(hand, job["link"])
    if role != "primary":
        await mark(hand, "Covering nurse")
    await press(hand, "Establish relationship")
