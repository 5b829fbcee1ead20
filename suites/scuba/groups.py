"""What hands do with public groups and queues, whose forms have labels, members and a Save button in common."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_cuabench.adapters.oracle import Hand, Lost

from .hands import PAGE, add_to_list, enter, named, open_setup, press

FORM_HEAD = f"{PAGE} >> .setup-block__head"  # forms have their buttons above and below
_PROBLEM = f"{PAGE} >> [role=alert]"
_KINDS = {"User": "Users", "Role": "Roles", "Role and Subordinates": "Roles and Subordinates"}


async def new_group(hand: Hand, page: str, label: str) -> None:
    """Begin a public group or queue on its page of Setup, with its label; the API name comes of itself."""
    await open_setup(hand, page)
    await hand.click(named("button", "New", PAGE))
    await enter(hand, "Label", label, PAGE)


async def add_members(hand: Hand, kind: str, names: Iterable[str]) -> None:
    """Move members of a kind, such as `Role`, to the selected ones."""
    options = [f"{kind}: {name}" for name in names]
    if options:
        await add_to_list(hand, options, "Available Members", "Selected Members", _KINDS[kind])


async def save_form(hand: Hand, button: str = "Save") -> None:
    """Save a form of Setup.

    Raises:
        Lost: The page says what is wrong with it.
    """
    await press(hand, button, FORM_HEAD)
    if await hand.sees(_PROBLEM):
        raise Lost(f"the form was not saved: {await hand.read(_PROBLEM)}")
