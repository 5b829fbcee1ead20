"""What hands do with users, permission sets and groups of them."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand

from .setup_pages import find_page, follow, listed, open_setup, press, tick


async def new_group(hand: Hand, label: str, permission_sets: list[str]) -> None:
    """Make a permission set group and put permission sets into it."""
    await _groups(hand)
    await press(hand, "New Permission Set Group")
    await hand.fill('role=textbox[name="Label"]', label)
    await press(hand, "Save")
    await follow(hand, "Permission Sets in Group")
    await press(hand, "Add Permission Set")
    await tick(hand, permission_sets)
    await press(hand, "Add")
    await press(hand, "Done")


async def open_group(hand: Hand, label: str) -> None:
    """Open a permission set group."""
    await _groups(hand)
    await follow(hand, label)


async def _groups(hand: Hand) -> None:
    await open_setup(hand)
    await find_page(hand, "permission set groups", "Permission Set Groups")


async def back_to_group(hand: Hand, label: str) -> None:
    """Go back from the permission sets of a group to the group."""
    await follow(hand, f"Back to: {label}")


async def assign(hand: Hand, user: str) -> None:
    """Give the permission set group on the screen to a user, for ever."""
    await press(hand, "Manage Assignments")
    await press(hand, "Add Assignment")
    await tick(hand, [listed(user)])
    await press(hand, "Next")
    await press(hand, "Assign")
    await press(hand, "Done")


async def open_users(hand: Hand) -> None:
    """Open the list of users."""
    await open_setup(hand)
    await find_page(hand, "users", "Users")


async def freeze(hand: Hand, user: str) -> None:
    """Freeze a user, on the user's page."""
    await open_users(hand)
    await follow(hand, listed(user))
    await press(hand, "Freeze")


async def deactivate(hand: Hand, user: str) -> None:
    """Deactivate a user, in the form."""
    await open_users(hand)
    await follow(hand, f"Edit {listed(user)}")
    await hand.click('role=checkbox[name="Active"]')
    await hand.click('role=dialog[name="Deactivate User"] >> role=button[name="OK"]')
    await press(hand, "Save")
