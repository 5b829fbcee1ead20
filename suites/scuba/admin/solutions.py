"""How an administrator who knows the way does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from . import entitling
from .inspecting import look_up
from .organizing import admin_010, admin_034, admin_035

__all__ = [
    "admin_010",
    "admin_020",
    "admin_022",
    "admin_025",
    "admin_026",
    "admin_028",
    "admin_034",
    "admin_035",
    "admin_039",
]


async def admin_020(hand: Hand, case: Case) -> None:
    """Make a group of one permission set."""
    await entitling.new_group(
        hand, case["group"], case.values.get("permission_sets") or [case["permission_set"]]
    )


async def admin_022(hand: Hand, case: Case) -> None:
    """Assign a group that is there."""
    await entitling.open_group(hand, case["group"])
    await entitling.assign(hand, case["user"], case.values.get("term", ""))


async def admin_025(hand: Hand, case: Case) -> None:
    """Freeze a user."""
    await entitling.freeze(hand, case["user"])


async def admin_026(hand: Hand, case: Case) -> None:
    """Deactivate a user."""
    await entitling.deactivate(hand, case["user"])


async def admin_028(hand: Hand, case: Case) -> None:
    """Make a group of permission sets and assign it."""
    await entitling.new_group(hand, case["group"], case["permission_sets"])
    if case["user"]:
        await entitling.back_to_group(hand, case["group"])
        await entitling.assign(hand, case["user"])


async def admin_039(hand: Hand, case: Case) -> None:
    """Look up what is allowed, and tell."""
    await look_up(hand, case)
    await hand.answer(case["answer"])
