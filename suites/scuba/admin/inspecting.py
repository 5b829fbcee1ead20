"""Where an administrator looks up what may be done with objects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow, open_object, open_setup, press

_HERE = ".org-setup__page"
_PLURALS = {"Account": "Accounts", "Case": "Cases", "Opportunity": "Opportunities", "Order": "Orders"}


async def look_up(hand: Hand, case: Case) -> None:
    """Open everything that the answer needs."""
    await _LOOKS[case["question"]](hand, case)


async def _object_access(hand: Hand, case: Case) -> None:
    """See in one table what each permission set allows on an object."""
    await open_object(hand, case["object"], "Object Access")


async def _permission_set(hand: Hand, case: Case) -> None:
    await _object_settings(hand, "Permission Sets", case["options"][0], [case["object"]])


async def _two_objects(hand: Hand, case: Case) -> None:
    await _object_settings(hand, "Permission Sets", case["permission_set"], case["options"])


async def _groups(hand: Hand, case: Case) -> None:
    for group in case["options"]:
        await _object_settings(hand, "Permission Set Groups", group, [case["object"]])


async def _object_settings(hand: Hand, page: str, owner: str, objects: list[str]) -> None:
    await open_setup(hand, page)
    await follow(hand, owner, _HERE)
    for object in objects:
        await follow(hand, "Object Settings", _HERE)
        await follow(hand, _PLURALS[object], _HERE)


async def _profiles(hand: Hand, case: Case) -> None:
    for profile in case["options"]:
        await open_setup(hand, "Profiles")
        await follow(hand, profile, _HERE)
        await press(hand, "Object Settings", _HERE)
        await follow(hand, _PLURALS[case["object"]], _HERE)


_LOOKS: Mapping[str, Callable[[Hand, Case], Awaitable[None]]] = {
    "grants": _permission_set,
    "lacks": _object_access,
    "fewest": _profiles,
    "group": _groups,
    "object": _two_objects,
}
