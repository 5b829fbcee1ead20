"""What hands do with the widgets that all applications share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

Job = Case | Mapping[str, Any]


async def sign_in(hand: Hand, case: Job) -> None:
    """Sign in with the credentials of the goal."""
    await hand.fill('role=textbox[name="User ID"]', case["user_id"])
    await hand.fill("#password", case["password"])
    await press(hand, "Sign in")


async def press(hand: Hand, name: str) -> None:
    """Press a button."""
    await hand.click(f'role=button[name="{name}"]')


async def follow(hand: Hand, name: str) -> None:
    """Follow a link."""
    await hand.click(f'role=link[name="{name}"]')


async def choose(hand: Hand, field: str, option: str) -> None:
    """Choose from a drop-down list."""
    await hand.click(f'role=combobox[name="{field}"]')
    await hand.click(f'role=option[name="{option}"]')


async def mark(hand: Hand, option: str) -> None:
    """Choose one of several that are all in sight."""
    await hand.click(f'role=radio[name="{option}"]')


async def tick(hand: Hand, name: str) -> None:
    """Tick a box."""
    await hand.click(f'role=checkbox[name="{name}"]')


async def enter(hand: Hand, field: str, text: str) -> None:
    """Replace what a text field holds."""
    await hand.fill(f'role=textbox[name="{field}"]', text)
