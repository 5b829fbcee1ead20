"""Shared list view with two columns."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import ASKED, Findings, exists, judged, listed
from ..toolkit.lightning import DIALOG, PAGE, choose_in_menu, move_over, named, save
from ..toolkit.list_views import GROUPS, make_view, new_view, several, shared_with, take_over
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the API names of the groups and roles, and a role that is not among them."""
    org = Records(state)
    roles = {row["Name"]: row["DeveloperName"] for row in org.all("UserRole")}
    groups = {row["Name"]: row["DeveloperName"] for row in org.where("Group", Type="Regular")}
    words = [f"the public group {name}" for name in values["groups"]]
    words += [f"the role {name} (without its subordinates)" for name in values["roles"]]
    return {
        "columns_words": " and ".join(values["labels"]),
        "shared_words": "; ".join(words),
        "group_names": [groups[name] for name in values["groups"]],
        "role_names": [roles[name] for name in values["roles"]],
        "other_role": random.choice(sorted(roles.keys() - set(values["roles"]))),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a list view of exactly these columns, shared with exactly these groups and roles."""
    view, tree = new_view(work, case)
    yield exists("view", 0.3, view, f"a list view '{case['name']}' of {case['object']}")
    columns = several(tree.get("columns"))
    right = sorted(columns) == sorted(case["columns"])
    yield Milestone("columns", right, 0.3, f"exactly {listed(case['columns'])}", listed(columns))
    wanted = _kinds(case)
    shared = shared_with(tree)
    yield Milestone("shared", shared == wanted, 0.4, _said(wanted), _said(shared))
    open_to_all = view is not None and not tree.get("filters")
    yield Milestone("no_filters", open_to_all, ASKED, "no filters", str(len(several(tree.get("filters")))))


def _kinds(case: Case) -> dict[str, list[str]]:
    named = {"group": sorted(case["group_names"]), "role": sorted(case["role_names"])}
    return {kind: names for kind, names in named.items() if names}


def _said(shared: dict[str, list[str]]) -> str:
    return "; ".join(f"{kind}: {listed(names)}" for kind, names in sorted(shared.items())) or "nobody"


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A list view of the name with the columns, shared with groups and roles of these names taken together."""
    org = Records(evidence.after)
    view = first(org.where("ListView", Name=case["name"], SobjectType=case["object"]))
    tree = org.get("metadata/ListView", f"{case['object']}.{view.get('DeveloperName')}") or {}
    shared = shared_with(tree)
    names = {*shared.get("group", ()), *shared.get("role", ())}
    yield fact("view", 0.3, bool(view))
    yield fact(
        "columns", 0.3, bool(shared) and sorted(several(tree.get("columns"))) == sorted(case["columns"])
    )
    yield fact("shared", 0.4, names == {*case["group_names"], *case["role_names"]})


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the list view for the groups and roles, then choose its fields."""
    await make_view(pilot, case, GROUPS, {"Public Groups": case["groups"], "Roles": case["roles"]})
    await choose_in_menu(pilot, "List View Controls", "Select Fields to Display", PAGE)
    visible = (await pilot.read(named("listbox", "Visible Fields", DIALOG))).split("\n")
    proposed = [name.strip() for name in visible if name.strip()]
    await move_over(pilot, [name for name in proposed if name not in case["labels"]], "Available Fields")
    for name in case["labels"]:
        if name not in proposed:
            await take_over(pilot, name)
            await pilot.press("Left")
    await save(pilot)


@slip("milestone:shared")
def let_one_role_more_in(case: Case) -> Case:
    """Others see the list view as well."""
    return misread(case, roles=[*case["roles"], case["other_role"]])


@slip("milestone:columns")
def left_the_second_column_out(case: Case) -> Case:
    """The list shows half of what it should."""
    return misread(case, columns=case["columns"][:1], labels=case["labels"][:1])


@slip("milestone:view")
def misspelt_the_name(case: Case) -> Case:
    """Nobody finds a list view of this name."""
    return misread(case, name=f"{case['name']} 2")
