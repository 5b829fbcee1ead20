"""Where an administrator looks up what may be done with objects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from .setup_pages import find_page, follow, open_setup, press

_PLURALS = {"Account": "Accounts", "Case": "Cases", "Opportunity": "Opportunities", "Order": "Orders"}


async def look_up(hand: Hand, case: Case) -> None:
    """Open everything that the answer needs."""
    await open_setup(hand)
    await _LOOKS[case["question"]](hand, case)


async def _object_access(hand: Hand, case: Case) -> None:
    """See in one table what each permission set allows on an object."""
    await hand.click('role=navigation[name="Setup"] >> role=link[name="Object Manager"]')
    await follow(hand, case["object"])
    await follow(hand, "Object Access")


async def _permission_set(hand: Hand, case: Case) -> None:
    await _object_settings(hand, "Permission Sets", case["options"][0], [case["object"]])


async def _two_objects(hand: Hand, case: Case) -> None:
    await _object_settings(hand, "Permission Sets", case["permission_set"], case["options"])


async def _groups(hand: Hand, case: Case) -> None:
    for group in case["options"]:
        await _object_settings(hand, "Permission Set Groups", group, [case["object"]])


async def _object_settings(hand: Hand, page: str, owner: str, objects: list[str]) -> None:
    await find_page(hand, page, page)
    await follow(hand, owner)
    await follow(hand, "Object Settings")
    for object in objects:
        await follow(hand, _PLURALS[object])
        await follow(hand, "Object Settings")


async def _profiles(hand: Hand, case: Case) -> None:
    for profile in case["options"]:
        await find_page(hand, "profiles", "Profiles")
        await follow(hand, profile)
        await press(hand, "Object Settings")
        await follow(hand, _PLURALS[case["object"]])


_LOOKS: Mapping[str, Callable[[Hand, Case], Awaitable[None]]] = {
    "grants": _permission_set,
    "lacks": _object_access,
    "fewest": _profiles,
    "group": _groups,
    "object": _two_objects,
}
