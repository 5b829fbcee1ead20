"""How an administrator charts list views, groups people and orders roles."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..groups import add_members, new_group, save_form
from ..hands import (
    DIALOG,
    PAGE,
    choose_in_menu,
    enter,
    follow,
    named,
    open_list,
    open_setup,
    pick,
    press,
    save,
)

_COMPANY = f'{PAGE} >> ul[aria-label="Roles"] > li > b'


async def admin_010(hand: Hand, case: Case) -> None:
    """Open the charts of the list view and make one."""
    await open_list(hand, case["plural"], case["list"])
    await press(hand, "Show charts", PAGE)
    await choose_in_menu(hand, "Chart Settings", "New Chart")
    await pick(hand, "Chart Type", case["type_words"])
    await enter(hand, "Chart Name", case["name"])
    await pick(hand, "Aggregate Type", case["aggregate_words"])
    await pick(hand, "Aggregate Field", case["aggregate_label"])
    await pick(hand, "Grouping Field", case["grouping_label"])
    await save(hand, within=DIALOG)


async def admin_034(hand: Hand, case: Case) -> None:
    """Make a public group of users and roles."""
    await new_group(hand, "Public Groups", case["group"])
    await add_members(hand, "User", case["users"])
    await add_members(hand, case.values.get("kind", "Role"), case["roles"])
    await save_form(hand)


async def admin_035(hand: Hand, case: Case) -> None:
    """Make and move roles, one after the other, in the tree of all roles."""
    for entry in case["hierarchy"]:
        await _open_tree(hand)
        await (_add_role if entry["new"] else _move_role)(hand, entry["role"], entry["parent"])


async def _open_tree(hand: Hand) -> None:
    await open_setup(hand, "Roles")
    await press(hand, "Set Up Roles", PAGE)
    await press(hand, "Expand All", PAGE)


async def _add_role(hand: Hand, role: str, parent: str) -> None:
    above = parent or await hand.read(_COMPANY)
    await follow(hand, f"Add Role under {above}")
    await enter(hand, "Label", role, PAGE)
    await save_form(hand)


async def _move_role(hand: Hand, role: str, parent: str) -> None:
    await follow(hand, f"Edit {role}")
    await hand.fill(named("combobox", "This role reports to", PAGE), parent)
    await hand.click(named("option", parent, named("listbox", "This role reports to", PAGE)))
    await save_form(hand)
