"""Role hierarchy."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.groups import save_form
from ..toolkit.judging import API_NAME, Findings, exists, judged
from ..toolkit.lightning import PAGE, enter, follow, named, open_setup, press
from ..toolkit.records import Records, Row, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

# What the authors count beside the roles that a task is about, by its first role.
_CEO = {"role": "CEO", "parent": "", "new": False}
_TOPS = {
    "CTO": (_CEO,),
    "Vice President of Sales": (_CEO,),
    "Customer Support, New York": ({"role": "Customer Support, North America", "parent": "", "new": True},),
}
_COMPANY = f'{PAGE} >> ul[aria-label="Roles"] > li > b'


def case(state: State, random: Random, values: Given) -> Values:
    """See that the roles that must be there are, and find one that is named nowhere."""
    org = Records(state)
    roles = {called(row) for row in org.all("UserRole")}
    new = {entry["role"] for entry in values["hierarchy"] if entry["new"]}
    named = {entry[key] for entry in values["hierarchy"] for key in ("role", "parent")} - {""}
    if lacking := (named - new) - roles:
        raise LookupError(f"there is no role {', '.join(sorted(lacking))}")
    return {"other_role": random.choice(sorted(roles - named))}


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Roles of these names below parents of these names; roles that stay at the top count, too."""
    org = Records(evidence.after)
    parents = {called(row): org.name("UserRole", row.get("ParentRoleId")) for row in org.all("UserRole")}
    roles = [*_TOPS.get(case["hierarchy"][0]["role"], ()), *case["hierarchy"]]
    for number, entry in enumerate(roles, 1):
        right = parents.get(entry["role"]) == entry["parent"]
        if entry["new"]:
            yield fact(f"role_{number}", 0.5 / len(roles), entry["role"] in parents)
        yield fact(f"parent_{number}", (0.5 if entry["new"] else 1) / len(roles), right)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have each role, each below its parent."""
    share = 1 / len(case["hierarchy"])
    for number, entry in enumerate(case["hierarchy"], 1):
        role = _role(work, entry)
        parent = work.after.name("UserRole", role.get("ParentRoleId")) if role else ""
        wanted = entry["parent"] or "no role"
        right = role is not None and role.get("ParentRoleId") == _parent(work, entry)
        seen = (parent or "no role") if role else "no such role"
        if entry["new"]:
            yield exists(f"role_{number}", share / 2, role, f"a new role '{entry['role']}'")
            share_of_parent = share / 2
        else:
            share_of_parent = share
        yield Milestone(
            f"parent_{number}", right, share_of_parent, f"{entry['role']} reports to {wanted}", seen
        )


def _parent(work: Work, entry: Row) -> str | None:
    if not entry["parent"]:
        return None
    found = [row for org in (work.before, work.after) for row in org.named("UserRole", entry["parent"])]
    return str(found[0]["Id"]) if found else None


def _role(work: Work, entry: Row) -> Row | None:
    if entry["new"]:
        work.free("UserRole", DeveloperName=API_NAME, RollupDescription="how reports call the role")
        return work.closest("UserRole", {"Name": entry["role"]}, ParentRoleId=_parent(work, entry))
    id = work.before.one("UserRole", entry["role"])["Id"]
    work.may_change("UserRole", id, "ParentRoleId")
    return work.after.get("UserRole", id)


async def solve(pilot: Pilot, case: Case) -> None:
    """Make and move roles, one after the other, in the tree of all roles."""
    for entry in case["hierarchy"]:
        await _open_tree(pilot)
        await (_add_role if entry["new"] else _move_role)(pilot, entry["role"], entry["parent"])


async def _open_tree(pilot: Pilot) -> None:
    await open_setup(pilot, "Roles")
    await press(pilot, "Set Up Roles", PAGE)
    await press(pilot, "Expand All", PAGE)


async def _add_role(pilot: Pilot, role: str, parent: str) -> None:
    above = parent or await pilot.read(_COMPANY)
    await follow(pilot, f"Add Role under {above}")
    await enter(pilot, "Label", role, PAGE)
    await save_form(pilot)


async def _move_role(pilot: Pilot, role: str, parent: str) -> None:
    await follow(pilot, f"Edit {role}")
    await pilot.fill(named("combobox", "This role reports to", PAGE), parent)
    await pilot.click(named("option", parent, named("listbox", "This role reports to", PAGE)))
    await save_form(pilot)


@slip("milestone:parent_2")
def put_the_second_role_elsewhere(case: Case) -> Case:
    """The hierarchy has another shape."""
    first, second, *rest = case["hierarchy"]
    return misread(case, hierarchy=[first, {**second, "parent": case["other_role"]}, *rest])


@slip("record_integrity/major", 1.0)
def made_one_role_more(case: Case) -> Case:
    """All is as it should be, with a role that nobody wanted."""
    extra = {"role": "Deputy", "parent": case["other_role"], "new": True}
    return misread(case, hierarchy=[*case["hierarchy"], extra])
