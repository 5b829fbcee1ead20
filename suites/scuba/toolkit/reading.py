"""What second solutions do with goals: days told from today, and criteria. They share nothing with the checks."""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime, timedelta

from pytest_cuabench import Pilot
from pytest_cuabench.agents.builtin.oracle import Lost

from .lightning import DIALOG, HERE, PAGE, choose_far, enter, named, press


def told_in(pattern: str, text: str) -> str:
    """Return the first group of a pattern that must be in a text."""
    return found_in(pattern, text)[1]


def found_in(pattern: str, text: str) -> re.Match[str]:
    """Find a pattern that must be in a text.

    Raises:
        Lost: The text does not say it.
    """
    if found := re.search(pattern, text):
        return found
    raise Lost(f"nothing like {pattern} in: {text}")


async def save(pilot: Pilot, button: str = "Save") -> None:
    """Press a button of the dialog, and wait for the message that it was saved."""
    await press(pilot, button)
    await saved(pilot)


async def saved(pilot: Pilot) -> None:
    """Wait for the message that something was done."""
    await pilot.read("#toasts [data-toast]:not([data-toast=error]) >> nth=0")


async def fill_criteria(pilot: Pilot, rows: list[tuple[str, str, str]]) -> None:
    """Fill criteria of Setup, the last row first."""
    for _ in range(len(rows) - 5):
        await press(pilot, "Add Row", HERE)
    for number, (field, operator, value) in reversed(list(enumerate(rows, 1))):
        await enter(pilot, f"Value {number}", value, PAGE)
        await choose_far(pilot, f"Operator {number}", operator)
        await choose_far(pilot, f"Field {number}", field)


async def enter_day(pilot: Pilot, field: str, words: str) -> date:
    """Enter the day that is so much after today, which the date picker knows, and return it."""
    await press(pilot, f"Select a date for {field}")
    await press(pilot, "Today")
    shown = await pilot.read(named("textbox", field, DIALOG))
    day = later(datetime.strptime(shown, "%m/%d/%Y").date(), words)
    await enter(pilot, field, day.strftime("%m/%d/%Y"))
    return day


def later(day: date, words: str) -> date:
    """Return the day that is so many years, months, weeks and days later."""
    for count, unit in re.findall(r"(\d+) (day|week|month|year)", words):
        if unit in ("day", "week"):
            day += timedelta(days=int(count) * (7 if unit == "week" else 1))
        else:
            months = day.month - 1 + int(count) * (12 if unit == "year" else 1)
            year, month = day.year + months // 12, months % 12 + 1
            day = date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
    return day
