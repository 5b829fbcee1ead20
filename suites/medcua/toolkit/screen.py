"""What hands do with the widgets that all applications share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pytest_cuabench import Lost, Pilot
from pytest_cuabench.task.case import Case

Job = Case | Mapping[str, Any]


async def sign_in(pilot: Pilot, case: Job) -> None:
    """Sign in with the credentials of the goal."""
    await pilot.fill('role=textbox[name="User ID"]', case["user_id"])
    await pilot.fill("#password", case["password"])
    await press(pilot, "Sign in")


async def press(pilot: Pilot, name: str) -> None:
    """Press a button."""
    await pilot.click(f'role=button[name="{name}"]')


async def follow(pilot: Pilot, name: str) -> None:
    """Follow a link."""
    await pilot.click(f'role=link[name="{name}"]')


async def choose(pilot: Pilot, field: str, option: str) -> None:
    """Choose from a drop-down list."""
    await pilot.click(f'role=combobox[name="{field}"]')
    await pilot.click(f'role=option[name="{option}"]')


async def mark(pilot: Pilot, option: str) -> None:
    """Choose one of several that are all in sight."""
    await pilot.click(f'role=radio[name="{option}"]')


async def tick(pilot: Pilot, name: str) -> None:
    """Tick a box."""
    await pilot.click(f'role=checkbox[name="{name}"]')


async def enter(pilot: Pilot, field: str, text: str) -> None:
    """Replace what a text field holds."""
    await pilot.fill(f'role=textbox[name="{field}"]', text)


async def open_record(pilot: Pilot, job: Job) -> None:
    """Open the record of a job by its link in the list."""
    await follow(pilot, job["link"])


async def back_to_list(pilot: Pilot) -> None:
    """Return to the list that a record was opened from."""
    await pilot.click("a.back")


async def suggest(pilot: Pilot, field: str, text: str) -> None:
    """Type into a field that offers what begins to fit, and take it where it is offered."""
    await pilot.fill(f'role=combobox[name="{field}"]', text)
    if await pilot.sees(f'role=option[name="{text}"]'):
        await pilot.click(f'role=option[name="{text}"]')


async def press_if_asked(pilot: Pilot, button: str) -> None:
    """Press a button where the page asks for it."""
    if await pilot.sees(f'role=button[name="{button}"]'):
        await press(pilot, button)


async def mark_in(pilot: Pilot, group: str, option: str) -> None:
    """Choose one of several that are all in sight, in a group of such."""
    await pilot.click(f'role=radiogroup[name="{group}"] >> role=radio[name="{option}"]')


async def until(pilot: Pilot, target: str, step: Callable[[], Awaitable[None]]) -> None:
    """Do a step, and once more if no such element appears: the form was not ready for it."""
    await step()
    try:
        await pilot.read(target)
    except Lost:
        await step()
        await pilot.read(target)
