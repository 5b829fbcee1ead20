"""What a bed manager does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from .hospital import CHECKLIST, DESTINATIONS, LEVELS, ORDER_SET, PRECAUTIONS, REASONS, SOURCES

_ALL_THE_SAME = 'button.caution[name="confirmed"]'


async def to_board(hand: Hand) -> None:
    """Go to the command board."""
    await follow(hand, "Board")


async def open_patient(hand: Hand, job: Job) -> None:
    """Open a patient from the tile or the worklist of the board."""
    await hand.click(f'a[href="/patient/{job["mrn"]}"]')


async def find(hand: Hand, job: Job) -> None:
    """Find somebody who is not on the board, by family name."""
    await follow(hand, "Patient index")
    await enter(hand, "Name or MRN", job["family"])
    await press(hand, "Search")
    await open_patient(hand, job)


async def click_bed(hand: Hand, label: str) -> None:
    """Choose a bed on the map."""
    await hand.click(f'input[name="bed"][value="{label}"]')


async def all_the_same(hand: Hand) -> None:
    """Go past a warning, if there is one."""
    if await hand.sees(_ALL_THE_SAME):
        await hand.click(_ALL_THE_SAME)


async def place(hand: Hand, job: Job) -> None:
    """Give a bed to somebody on the worklist, from the board."""
    await open_patient(hand, job)
    await click_bed(hand, job["bed"])
    await press(hand, "Give this bed")
    await all_the_same(hand)


async def admit(hand: Hand, job: Job) -> None:
    """Admit somebody directly, from any page."""
    entry = job["entry"]
    await find(hand, job)
    await follow(hand, "Direct admission")
    await enter(hand, "Diagnosis", entry["diagnosis"])
    await choose(hand, "Consultant", job["consultants"][entry["consultant"]])
    await choose(hand, "Comes from", SOURCES[entry["source"]])
    await mark(hand, LEVELS[entry["level"]])
    await mark(hand, PRECAUTIONS[entry["precautions"]])
    if entry["stay_days"]:
        await enter(hand, "Expected stay", str(entry["stay_days"]))
    await click_bed(hand, job["bed"])
    await press(hand, "Admit")
    await all_the_same(hand)


async def transfer(hand: Hand, job: Job) -> None:
    """Transfer somebody, from the board."""
    await open_patient(hand, job)
    await follow(hand, "Transfer")
    await _order(hand, job)
    await press(hand, "Transfer patient")
    await all_the_same(hand)


async def swap(hand: Hand, job: Job) -> None:
    """Let somebody change beds with the patient of another bed, from the board."""
    await open_patient(hand, job)
    await follow(hand, "Swap beds")
    await _order(hand, job)
    await press(hand, "Swap patients")
    await all_the_same(hand)


async def _order(hand: Hand, job: Job) -> None:
    await click_bed(hand, job["bed"])
    await choose(hand, "Reason", REASONS[job["reason"]])
    for item in job["ticks"]:
        await tick(hand, ORDER_SET[item])


async def discharge(hand: Hand, job: Job) -> None:
    """Discharge somebody, from the board."""
    await open_patient(hand, job)
    await follow(hand, "Discharge")
    for item in job["ticks"]:
        await tick(hand, CHECKLIST[item])
    await mark(hand, DESTINATIONS[job["destination"]])
    await press(hand, "Discharge patient")
    await all_the_same(hand)


async def declare_clean(hand: Hand, label: str) -> None:
    """Release a bed from cleaning without housekeeping, and return to the board."""
    await hand.click(f'a[href="/bed/{label}"]')
    await press(hand, "Release bed")
    await all_the_same(hand)
    await to_board(hand)
