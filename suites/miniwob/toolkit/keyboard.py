"""What second solutions of several applications do alike: read all of a kind, scroll, and go by keyboard."""

from __future__ import annotations

import re
from calendar import month_name

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Scroll

_MOST_STOPS = 60  # more than any page has
_SHOWN = (110, 395)  # from the goal's lower edge to the page's


async def texts(pilot: Pilot, target: str) -> list[str]:
    """Return the texts of all visible elements that a selector finds, in the order of the page."""
    found: list[str] = []
    while await pilot.sees(nth := f"{target} >> visible=true >> nth={len(found)}"):
        found.append((await pilot.read(nth)).strip())
    return found


async def focus(pilot: Pilot, css: str, key: str = "tab") -> None:
    """Press Tab until the focus is on an element of a CSS selector."""
    for _ in range(_MOST_STOPS):
        if await pilot.sees(f"{css}:focus"):
            return
        await pilot.press(key)
    raise LookupError(f"Tab does not reach {css}")


async def push(pilot: Pilot, css: str, key: str = "enter") -> None:
    """Go to a button by Tab, and press a key on it."""
    await focus(pilot, css)
    await pilot.press(key)


async def show(pilot: Pilot, target: str) -> None:
    """Scroll the page until an element is in view."""
    for _ in range(20):
        place = (await pilot.box(target)).middle.y
        if _SHOWN[0] < place < _SHOWN[1]:
            return
        await pilot.act(Scroll(150, 250, dy=1 if place > _SHOWN[0] else -1))
    raise LookupError(f"{target} cannot be scrolled into view")


async def pick(pilot: Pilot, date: str) -> None:
    """Go to a date such as 12/31/2016 in the calendar by PageUp and Ctrl with an arrow, and take it by Enter."""
    month, day, year = map(int, date.split("/"))
    await focus(pilot, "#datepicker")
    shown = [*month_name].index(await pilot.read(".ui-datepicker-month"))
    back = (int(await pilot.read(".ui-datepicker-year")) - year) * 12 + shown - month
    if back:
        await pilot.press("pageup" if back > 0 else "pagedown", abs(back))
    if not await pilot.sees(current := ".ui-datepicker-days-cell-over a"):
        await pilot.press("ctrl+left")
    ahead = day - int(await pilot.read(current))
    weeks, days = divmod(abs(ahead), 7)
    for number, key in (
        (weeks, "ctrl+down" if ahead > 0 else "ctrl+up"),
        (days, "ctrl+right" if ahead > 0 else "ctrl+left"),
    ):
        if number:
            await pilot.press(key, number)
    await pilot.press("enter")


def quoted(case: Case) -> list[str]:
    """Return what is in double quotes in the goal."""
    return re.findall(r'"([^"]*)"', case.goal)
