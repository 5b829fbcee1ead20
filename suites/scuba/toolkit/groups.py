"""What hands do with public groups and queues, whose forms have labels, members and a Save button in common."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_cuabench.agents.builtin.oracle import Lost, Pilot

from .lightning import PAGE, add_to_list, enter, named, open_setup, press

FORM_HEAD = f"{PAGE} >> .setup-block__head"  # forms have their buttons above and below
_PROBLEM = f"{PAGE} >> [role=alert]"
_KINDS = {"User": "Users", "Role": "Roles", "Role and Subordinates": "Roles and Subordinates"}


async def new_group(pilot: Pilot, page: str, label: str) -> None:
    """Begin a public group or queue on its page of Setup, with its label; the API name comes of itself."""
    await open_setup(pilot, page)
    await pilot.click(named("button", "New", PAGE))
    await enter(pilot, "Label", label, PAGE)


async def add_members(pilot: Pilot, kind: str, names: Iterable[str]) -> None:
    """Move members of a kind, such as `Role`, to the selected ones."""
    options = [f"{kind}: {name}" for name in names]
    if options:
        await add_to_list(pilot, options, "Available Members", "Selected Members", _KINDS[kind])


async def save_form(pilot: Pilot, button: str = "Save") -> None:
    """Save a form of Setup.

    Raises:
        Lost: The page says what is wrong with it.
    """
    await press(pilot, button, FORM_HEAD)
    if await pilot.sees(_PROBLEM):
        raise Lost(f"the form was not saved: {await pilot.read(_PROBLEM)}")
