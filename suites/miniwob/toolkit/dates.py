"""The date picker that several pages have."""

import calendar

from pytest_cuabench import Pilot

from .hands import click_text


async def pick_date(pilot: Pilot, month: int, day: int) -> None:
    """Go back from the month that is shown, and choose a day in the open date picker."""
    while (await pilot.read("css=.ui-datepicker-month")) != calendar.month_name[month]:
        await pilot.click("css=.ui-datepicker-prev")
    await click_text(pilot, ".ui-datepicker-calendar a", str(day))
