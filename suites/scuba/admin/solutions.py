"""How a careful administrator does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import (
    add_members,
    choose,
    element,
    follow,
    launch,
    listed_user,
    press,
    save,
    set_up,
    tick,
    write,
)

MAIN = "role=main"


async def admin_010(hand: Hand, case: Case) -> None:
    """Open the list view, its charts, and make one."""
    await launch(hand, case["plural"])
    await press(hand, f"Select a List View: {case['plural']}")
    await hand.click(element("menuitemradio", case["list"]))
    await press(hand, "Show charts")
    if await hand.sees(element("button", "New Chart", MAIN)):
        await press(hand, "New Chart", MAIN)
    else:
        await press(hand, "Chart Settings")
        await hand.click(element("menuitem", "New Chart"))
    await choose(hand, "Chart Type", case["type_words"])
    await write(hand, "Chart Name", case["name"])
    await choose(hand, "Aggregate Type", case["aggregate_words"])
    await choose(hand, "Aggregate Field", case["aggregate_label"])
    await choose(hand, "Grouping Field", case["grouping_label"])
    await save(hand)


async def admin_020(hand: Hand, case: Case) -> None:
    """Make the group and put its sets in."""
    await _make_group(hand, case, case.values.get("permission_sets") or [case["permission_set"]])


async def _make_group(hand: Hand, case: Case, sets: list[str]) -> None:
    await set_up(hand, "Permission Set Groups")
    await press(hand, "New Permission Set Group")
    await write(hand, "Label", case["group"], MAIN)
    await hand.press("Tab")
    await press(hand, "Save", MAIN)
    await follow(hand, "Permission Sets in Group", MAIN)
    await press(hand, "Add Permission Set")
    for name in sets:
        await tick(hand, f"Select {name}")
    await press(hand, "Add", MAIN)


async def _assign(hand: Hand, user: str) -> None:
    await press(hand, "Manage Assignments")
    await press(hand, "Add Assignment")
    await tick(hand, f"Select {listed_user(user)}")
    await press(hand, "Next", MAIN)
    await press(hand, "Assign", MAIN)


async def admin_022(hand: Hand, case: Case) -> None:
    """Assign the group to the user."""
    await set_up(hand, "Permission Set Groups")
    await follow(hand, case["group"], MAIN)
    await _assign(hand, case["user"])


async def admin_025(hand: Hand, case: Case) -> None:
    """Freeze the user."""
    await set_up(hand, "Users")
    await follow(hand, listed_user(case["user"]), MAIN)
    await press(hand, "Freeze")


async def admin_026(hand: Hand, case: Case) -> None:
    """Deactivate the user."""
    await set_up(hand, "Users")
    await follow(hand, f"Edit {listed_user(case['user'])}", MAIN)
    await tick(hand, "Active")
    if await hand.sees(element("button", "OK")):
        await press(hand, "OK")
    await press(hand, "Save", MAIN)


async def admin_028(hand: Hand, case: Case) -> None:
    """Make the group, and assign it."""
    await _make_group(hand, case, list(case["permission_sets"]))
    if case["user"]:
        await follow(hand, f"Back to: {case['group']}", MAIN)
        await _assign(hand, case["user"])


async def admin_034(hand: Hand, case: Case) -> None:
    """Make the public group with its members."""
    await set_up(hand, "Public Groups")
    await press(hand, "New", MAIN)
    await write(hand, "Label", case["group"], MAIN)
    await hand.press("Tab")
    await add_members(hand, case["users"], case["roles"], case.values.get("kind", "Role"))
    await press(hand, "Save", MAIN)


async def admin_035(hand: Hand, case: Case) -> None:
    """Make and move the roles."""
    for entry in case["hierarchy"]:
        await set_up(hand, "Roles")
        if await hand.sees(element("button", "Set Up Roles", MAIN)):
            await press(hand, "Set Up Roles", MAIN)
        await press(hand, "Expand All", MAIN)
        await (_add_role if entry["new"] else _move_role)(hand, entry["role"], entry["parent"])


async def _add_role(hand: Hand, role: str, parent: str) -> None:
    await follow(hand, f"Add Role under {parent or await _company(hand)}", MAIN)
    await write(hand, "Label", role, MAIN)
    await hand.press("Tab")
    await press(hand, "Save", MAIN)


async def _company(hand: Hand) -> str:
    """Return what stands at the top of the hierarchy."""
    text = await hand.read('role=list[name="Roles"] >> role=listitem >> nth=0')
    return text.strip().splitlines()[0].strip()


async def _move_role(hand: Hand, role: str, parent: str) -> None:
    await follow(hand, f"Edit {role}", MAIN)
    await hand.fill(element("combobox", "This role reports to", MAIN), parent)
    await hand.click(element("option", parent, 'role=listbox[name="This role reports to"]'))
    await press(hand, "Save", MAIN)


async def admin_039(hand: Hand, case: Case) -> None:
    """Look at the permissions and answer."""
    await set_up(hand, "Permission Sets")
    await hand.answer(case["answer"])
