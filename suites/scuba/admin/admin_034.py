"""Public group of users and roles."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.groups import add_members, new_group, save_form
from ..toolkit.judging import API_NAME, Findings, exists, judged, listed
from ..toolkit.records import Records, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the users and the groups that stand for the roles."""
    org = Records(state)
    users = [org.one("User", name)["Id"] for name in values["users"]]
    roles = {row["Id"]: called(row) for row in org.all("UserRole")}
    groups = {roles.get(row["RelatedId"], ""): row["Id"] for row in org.where("Group", Type="Role")}
    words = [f"the user {name}" for name in values["users"]] + [
        f"the role {name}" for name in values["roles"]
    ]
    others = sorted(set(roles.values()) - set(values["roles"]))
    return {
        "member_ids": [*users, *(groups[name] for name in values["roles"])],
        "members_words": "; ".join(words),
        "other_role": random.choice(others),
    }


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A group of the name with these members, whoever else is in it; of the users of 034_005 only the first."""
    org = Records(evidence.after)
    groups = {row["Id"] for row in org.where("Group", Name=case["group"])}
    members = {row["UserOrGroupId"] for row in org.all("GroupMember") if row["GroupId"] in groups}
    both = list(zip([*case["users"], *case["roles"]], case["member_ids"], strict=True))
    counted = [
        (name, id) for name, id in both if not (case["group"] == "Marketing Team" and name == "Sample User")
    ]
    yield fact("group", 0.25, bool(groups))
    for number, (_, id) in enumerate(counted, 1):
        yield fact(f"member_{number}", 0.75 / len(counted), id in members)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a public group of exactly these members."""
    work.free("Group", DeveloperName=API_NAME)
    group = work.closest("Group", {"Name": case["group"], "Type": "Regular"})
    yield exists("group", 0.25, group, f"a public group '{case['group']}'")
    members = work.made("GroupMember", GroupId=group["Id"]) if group else []
    found = {row["UserOrGroupId"]: row for row in members}
    names = [*case["users"], *case["roles"]]
    seen = listed(_member(work, id) for id in found)
    for number, (id, name) in enumerate(zip(case["member_ids"], names, strict=True), 1):
        work.claim(found.get(id), "GroupId", "UserOrGroupId")
        yield Milestone(f"member_{number}", id in found, 0.75 / len(names), f"{name} is a member", seen)


def _member(work: Work, id: str) -> str:
    group = work.after.get("Group", id)
    if group is None:
        return work.after.name("User", id)
    kind = "" if group["Type"] == "Role" else f" ({group['Type']})"
    return (work.after.name("UserRole", group.get("RelatedId")) or called(group)) + kind


async def solve(pilot: Pilot, case: Case) -> None:
    """Make a public group of users and roles."""
    await new_group(pilot, "Public Groups", case["group"])
    await add_members(pilot, "User", case["users"])
    await add_members(pilot, case.values.get("kind", "Role"), case["roles"])
    await save_form(pilot)


@slip("milestone:member_1")
def left_the_first_member_out(case: Case) -> Case:
    """Somebody is missing in the group."""
    users, roles = case["users"], case["roles"]
    return misread(case, users=users[1:], roles=roles if users else roles[1:])


@slip("record_integrity/major", 1.0)
def let_one_role_more_in(case: Case) -> Case:
    """All members are there, and others beside them."""
    return misread(case, roles=[*case["roles"], case["other_role"]])


@slip("record_integrity/major")
def took_the_subordinates_along(case: Case) -> Case:
    """Everybody below the roles is in the group as well."""
    return misread(case, kind="Role and Subordinates")
