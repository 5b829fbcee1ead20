"""What hands do with users, permission sets and groups of them."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand

from ..hands import choose, follow, named, open_setup, press

_HERE = ".org-setup__page"  # beside the tree, whose links are called like what stands in lists


async def new_group(hand: Hand, label: str, permission_sets: list[str]) -> None:
    """Make a permission set group and put permission sets into it."""
    await open_setup(hand, "Permission Set Groups")
    await press(hand, "New Permission Set Group", _HERE)
    await hand.fill(named("textbox", "Label", _HERE), label)
    await _press_first(hand, "Save")
    await follow(hand, "Permission Sets in Group", _HERE)
    await press(hand, "Add Permission Set", _HERE)
    await _tick_rows(hand, permission_sets)
    await press(hand, "Add", _HERE)
    await press(hand, "Done", _HERE)


async def open_group(hand: Hand, label: str) -> None:
    """Open a permission set group."""
    await open_setup(hand, "Permission Set Groups")
    await follow(hand, label, _HERE)


async def back_to_group(hand: Hand, label: str) -> None:
    """Go back from the permission sets of a group to the group."""
    await follow(hand, f"Back to: {label}", _HERE)


async def assign(hand: Hand, user: str, term: str = "") -> None:
    """Give the permission set group on the screen to a user, for ever or for a term such as `1 Week`."""
    await press(hand, "Manage Assignments", _HERE)
    await press(hand, "Add Assignment", _HERE)
    await _tick_rows(hand, [listed(user)])
    await press(hand, "Next", _HERE)
    if term:
        await hand.click(named("radio", "Specify the expiration date", _HERE))
        await choose(hand, "Expires in", term, _HERE)
    await press(hand, "Assign", _HERE)
    await press(hand, "Done", _HERE)


async def freeze(hand: Hand, user: str) -> None:
    """Freeze a user, on the user's page."""
    await open_setup(hand, "Users")
    await follow(hand, listed(user), _HERE)
    await press(hand, "Freeze", _HERE)


async def deactivate(hand: Hand, user: str) -> None:
    """Deactivate a user, in the form."""
    await open_setup(hand, "Users")
    await follow(hand, f"Edit {listed(user)}", _HERE)
    await hand.click(named("checkbox", "Active", _HERE))
    await press(hand, "OK", named("dialog", "Deactivate User"))
    await _press_first(hand, "Save")


def listed(person: str) -> str:
    """Return how Setup lists a person: the last name first, if there is a first one."""
    first, _, last = person.partition(" ")
    return f"{last}, {first}" if last else first


async def _press_first(hand: Hand, button: str) -> None:
    """Press a button that a form has above and below."""
    await hand.click(f"{named('button', button, _HERE)} >> nth=0")


async def _tick_rows(hand: Hand, names: list[str]) -> None:
    """Tick rows of a table, each after looking for it."""
    for name in names:
        await hand.fill(named("searchbox", "Search this list...", _HERE), name)
        await hand.click(named("checkbox", f"Select {name}", _HERE))
