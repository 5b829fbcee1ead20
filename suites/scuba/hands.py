"""What hands do with Lightning's widgets: apps, forms, picklists, lookups, Setup and its lists."""

from __future__ import annotations

import json
from datetime import date

from pytest_cuabench.action import Wait
from pytest_cuabench.adapters.oracle import Hand

_FIRST = " >> visible=true >> nth=0"
_LOOKS = 12
DIALOG = "role=dialog"


def element(role: str, name: str, within: str = "") -> str:
    """Return the selector of an element by role and accessible name, the first of several."""
    return (f"{within} >> " if within else "") + f"role={role}[name={json.dumps(name)}]{_FIRST}"


async def press(hand: Hand, name: str, within: str = "") -> None:
    """Press a button."""
    await hand.click(element("button", name, within))


async def follow(hand: Hand, name: str, within: str = "") -> None:
    """Follow a link."""
    await hand.click(element("link", name, within))


async def tab(hand: Hand, name: str) -> None:
    """Choose a tab within a page."""
    await hand.click(element("tab", name))


# Finding one's way


async def launch(hand: Hand, item: str) -> None:
    """Open an item by the App Launcher."""
    await press(hand, "App Launcher")
    await hand.fill(element("searchbox", "Search apps and items..."), item)
    await follow(hand, item, 'role=dialog[name="App Launcher"]')


async def begin(hand: Hand, item: str) -> None:
    """Begin a new record of an item."""
    await launch(hand, item)
    await press(hand, "New", "role=main")


async def find(hand: Hand, name: str) -> None:
    """Open a record by the global search."""
    await hand.fill(element("combobox", "Search", "role=banner"), name)
    await hand.press("Enter")
    await follow(hand, name, "role=main")


async def set_up(hand: Hand, page: str) -> None:
    """Open a page of Setup by Quick Find."""
    if not await hand.sees(element("searchbox", "Quick Find")):
        await press(hand, "Setup")
        await hand.click(element("menuitem", "Setup"))
    await hand.fill(element("searchbox", "Quick Find"), page)
    await follow(hand, page, 'role=tree[name="Setup Tree"]')


# Forms


async def write(hand: Hand, field: str, text: str, within: str = DIALOG) -> None:
    """Replace what a text field holds; nothing is written where there is nothing to say."""
    if text:
        await hand.fill(element("textbox", field, within), text)


async def write_day(hand: Hand, field: str, day: str, within: str = DIALOG) -> None:
    """Enter a date the way people of this locale write it."""
    when = date.fromisoformat(day)
    await write(hand, field, f"{when.month}/{when.day}/{when.year}", within)
    await hand.press("Tab")


async def choose(hand: Hand, field: str, option: str, within: str = DIALOG) -> None:
    """Choose from a picklist: open it, type the option's name, take it."""
    if option:
        await hand.click(element("combobox", field, within))
        await hand.type(option)
        await hand.press("Enter")


async def look_up(hand: Hand, field: str, name: str, within: str = DIALOG) -> None:
    """Choose a record in a lookup field."""
    await hand.fill(element("combobox", field, within), name)
    await take(hand, f"{within} >> [role=option][data-text={json.dumps(name)}]{_FIRST}")


async def take(hand: Hand, target: str) -> None:
    """Click what comes as soon as the org has answered."""
    for _ in range(_LOOKS):
        if await hand.sees(target):
            break
        await hand.act(Wait(0.25), thought="Wait for it")
    await hand.click(target)


async def save(hand: Hand, within: str = DIALOG) -> None:
    """Save what is in the form; a warning of duplicates is taken notice of."""
    await press(hand, "Save", within)
    if within == DIALOG and await hand.sees(element("button", "View Duplicates")):
        await press(hand, "Save", within)


# Setup's own pages


async def select(hand: Hand, field: str, option: str) -> None:
    """Choose from a drop-down list of the browser's own by keyboard."""
    await hand.click(element("combobox", field, "role=main"))
    await hand.type(option)
    await hand.press("Enter")


async def tick(hand: Hand, name: str) -> None:
    """Tick a box."""
    await hand.click(element("checkbox", name, "role=main"))


async def move(hand: Hand, name: str, what: str) -> None:
    """Move an entry of a dual list to what is selected; typing its name brings it into sight."""
    await hand.click(f'role=listbox[name="Available {what}"]{_FIRST}')
    await hand.type(name)
    await press(hand, f"Add to Selected {what}")


async def add_members(hand: Hand, users: list[str], roles: list[str], kind: str = "Role") -> None:
    """Move users and roles to the members of a group or queue, each searched for by its name."""
    plural = {"Role": "Roles", "Role and Subordinates": "Roles and Subordinates"}[kind]
    wanted = [("Users", "User", name) for name in users] + [(plural, kind, name) for name in roles]
    for view, prefix, name in wanted:
        await select(hand, "Search:", view)
        await write(hand, "for:", name, "role=main")
        await press(hand, "Find")
        entry = element("option", f"{prefix}: {name}", 'role=listbox[name="Available Members"]')
        await hand.click(entry)
        await press(hand, "Add to Selected Members")


def listed_user(name: str) -> str:
    """Return a user's name as lists of Setup show it: last name first."""
    first, _, last = name.rpartition(" ")
    return f"{last}, {first}" if first else last


def figure(value: float) -> str:
    """Return a number as somebody types it."""
    return f"{value:g}" if value < 1_000_000 else str(value)
