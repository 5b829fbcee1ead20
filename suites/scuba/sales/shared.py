"""What several templates of sales share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Milestone, Pilot

from ..toolkit import lightning as hands
from ..toolkit.lightning import DIALOG, PAGE, open_tab, press, told
from ..toolkit.records import Records, Row, called
from ..toolkit.work import Work

Given = Mapping[str, Any]


def other(org: Records, random: Random, object: str, row: Row) -> str:
    """Return the name of another record of an object that stands for itself."""
    return alone(org, random, object, [each for each in org.all(object) if called(each) != called(row)])


def alone(org: Records, random: Random, object: str, rows: list[Row]) -> str:
    """Return the name of one of these records whose name no other record of the object has."""
    count = Counter(map(called, org.all(object)))
    return random.choice(sorted(name for name in map(called, rows) if name and count[name] == 1))


Milestones = Iterator[Milestone]


def standard_book(work: Work) -> str | None:
    found = work.before.where("Pricebook2", IsStandard=True)
    return str(found[0]["Id"]) if found else None


def standard_entry(work: Work, product: str) -> str | None:
    """Return the price that a product had in the standard price book."""
    found = work.before.where("PricebookEntry", Product2Id=product, Pricebook2Id=standard_book(work))
    return str(found[0]["Id"]) if found else None


_SEEN_BEFORE = f'{DIALOG} >> [role=alert]:has-text("looks like an existing record")'


async def new(pilot: Pilot, tab: str) -> None:
    await open_tab(pilot, tab)
    await press(pilot, "New", PAGE)


async def save_anyway(pilot: Pilot) -> None:
    """Press Save, and once more where the page asks whether the record is there already."""
    await press(pilot, "Save")
    if await pilot.sees(_SEEN_BEFORE):
        await press(pilot, "Save")
    await told(pilot)


async def select(pilot: Pilot, product: str) -> None:
    """Tick a product among those that can be added, and go on to its figures."""
    await pilot.fill(hands.named("searchbox", "Search Products", DIALOG), product)
    await hands.select_row(pilot, product, DIALOG)
    await hands.press(pilot, "Next")


async def cell(pilot: Pilot, column: str, text: str) -> None:
    """Enter a value into the first line of an editor's table."""
    await hands.press(pilot, f"Edit {column}: Item 1")
    await hands.enter(pilot, f"{column}: Item 1", text)
    await pilot.press("Enter")
