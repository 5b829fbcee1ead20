"""How somebody prepares support in Setup: queues and milestones."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..groups import add_members, new_group, save_form
from ..hands import PAGE, add_to_list, choose, enter, open_setup, press
from .cases import RECURRENCES


async def service_001(hand: Hand, case: Case) -> None:
    """Set up a queue with its address, object and members."""
    await new_group(hand, "Queues", case["queue"])
    if case["email"]:
        await enter(hand, "Queue Email", case["email"], PAGE)
    await add_to_list(hand, [case["object_label"]], "Available Objects", "Selected Objects")
    await add_members(hand, "User", case["users"])
    await add_members(hand, "Role", case["roles"])
    await save_form(hand)


async def service_006(hand: Hand, case: Case) -> None:
    """Make milestones, one after the other."""
    await open_setup(hand, "Milestones")
    await press(hand, "New Milestone", PAGE)
    last = case["milestones"][-1]
    for entry in case["milestones"]:
        await enter(hand, "Name", entry["name"], PAGE)
        await choose(hand, "Recurrence Type", RECURRENCES[entry["recurrence"]])
        await save_form(hand, "Save" if entry is last else "Save & New")
