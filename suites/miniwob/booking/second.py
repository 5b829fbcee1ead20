"""Second solutions of the pages for booking, written without a look at their rewards: mostly by keyboard."""

import re

from pytest_cuabench import Case, Pilot

from ..toolkit.keyboard import pick, push, show, texts


def _minutes(duration: str) -> int:
    hours, minutes = (re.search(rf"(\d+){unit}", duration) for unit in "hm")
    return 60 * int(hours[1] if hours else 0) + int(minutes[1] if minutes else 0)


def _dollars(price: str) -> int:
    return int(re.sub(r"\D", "", price))


async def _book(pilot: Pilot, goal: str) -> None:
    """Press the button of the offer that the goal wants, by keyboard."""
    if "duration" in goal or "shortest" in goal:
        values = [_minutes(text) for text in await texts(pilot, ".time-duration")]
    else:
        values = [_dollars(text) for text in await texts(pilot, ".flight .book button")]
    best = max if re.search(r"longest|expensive", goal) else min
    await push(pilot, f".flight:nth-child({values.index(best(values)) + 1} of .flight) .book button", "space")


async def book_flight(pilot: Pilot, case: Case) -> None:
    """Choose the date first, then the airports from the last to the first, by arrows."""
    found = re.search(r"from: (.*) to: (.*) on ([0-9/]+)", case.goal)
    assert found
    start, end, date = found.groups()
    await pick(pilot, date)
    for field, airport in (("#flight-to", end), ("#flight-from", start)):
        await pilot.fill(field, airport)
        words = f"({airport})" if airport.isupper() else f"{airport} ("
        await pilot.box(".ui-menu-item >> visible=true >> nth=0")
        for _ in await texts(pilot, ".ui-menu-item"):
            await pilot.press("down")
            if words in await pilot.read(".ui-menu-item-wrapper.ui-state-active"):
                break
        await pilot.press("enter")
    await push(pilot, "#search")
    await pilot.box(".flight >> nth=0")
    await _book(pilot, case.goal)


book_flight_nodelay = book_flight


async def buy_ticket(pilot: Pilot, case: Case) -> None:
    """Press the button by keyboard."""
    await _book(pilot, case.goal)


async def order_food(pilot: Pilot, case: Case) -> None:
    """Add every item of the menu that is asked for from below, one too many of each, and take that back."""
    items = await texts(pilot, ".food-item .item-name")
    if found := re.search(r"Order (\d+) items that are (.*)", case.goal):
        kind = f'.food-item:has(img[title="{found[2].strip()}"])'
        wanted = list(reversed(await texts(pilot, f"{kind} .item-name")))[: int(found[1])]
    else:
        wanted = [item for item in reversed(items) if item in case.goal]
    for item in wanted:
        row = f'.food-item:has(.item-name:text-is("{item}"))'
        for button in ("add", "add", "remove"):
            await show(pilot, f"{row} .{button}")
            await pilot.click(f"{row} .{button}")
    await push(pilot, "#submit-order button", "space")
