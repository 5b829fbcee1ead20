"""Queue with members."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.groups import add_members, new_group, save_form
from ..toolkit.judging import API_NAME, ASKED, Findings, exists, holds, judged, listed
from ..toolkit.lightning import PAGE, add_to_list, enter
from ..toolkit.records import Records, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the users and the groups that stand for the roles."""
    org = Records(state)
    roles = {row["Id"]: called(row) for row in org.all("UserRole")}
    groups = {roles.get(row["RelatedId"], ""): row["Id"] for row in org.where("Group", Type="Role")}
    users = [org.one("User", name)["Id"] for name in values["users"]]
    words = [f"the user {name}" for name in values["users"]] + [
        f"the role {name}" for name in values["roles"]
    ]
    return {
        "member_ids": [*users, *(groups[name] for name in values["roles"])],
        "members_words": "; ".join(words),
        "email_words": _email_words(values["email"]),
        "other_role": random.choice(sorted(set(roles.values()) - set(values["roles"]))),
    }


def _email_words(email: str) -> str:
    if not email:
        return "It has no email address."
    return f"Its email address is {email}; the members themselves get no emails."


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the queue with its address, its one object and exactly its members."""
    work.free("Group", DeveloperName=API_NAME)
    queue = work.closest("Group", {"Name": case["queue"], "Type": "Queue"}, Email=case["email"])
    id = queue["Id"] if queue else "-"
    objects, members = work.made("QueueSobject", QueueId=id), work.made("GroupMember", GroupId=id)
    for row in (*objects, *members):
        work.claim(row, "QueueId", "SobjectType", "GroupId", "UserOrGroupId")
    kinds = [row["SobjectType"] for row in objects]
    ids = [row["UserOrGroupId"] for row in members]
    names = [*case["users"], *case["roles"]]
    yield exists("queue", 0.3, queue, f"a queue '{case['queue']}'")
    yield Milestone(
        "object", kinds == [case["object"]], 0.2, f"supports {case['object']} only", listed(kinds)
    )
    yield holds("email", 0.25 if case["email"] else ASKED, queue, "Email", case["email"])
    if case["email"]:
        yield holds("silent_members", ASKED, queue, "DoesSendEmailToMembers", False)
    yield Milestone(
        "members",
        sorted(ids) == sorted(case["member_ids"]),
        0.25,
        f"exactly {listed(names)}",
        listed(_member(work, id) for id in ids),
    )


def _member(work: Work, id: str) -> str:
    group = work.after.get("Group", id)
    if group is None:
        return work.after.name("User", id)
    kind = "" if group["Type"] == "Role" else f" ({group['Type']})"
    return (work.after.name("UserRole", group.get("RelatedId")) or called(group)) + kind


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A queue of the developer name; members may be more, and an address that nobody asked for is free."""
    org = Records(evidence.after)
    queue = first(org.where("Group", Type="Queue", DeveloperName="_".join(case["queue"].split())))
    object = first(org.where("QueueSobject", QueueId=queue["Id"]) if queue else [])
    members = org.where("GroupMember", GroupId=queue["Id"]) if queue else []
    ids = {row["UserOrGroupId"] for row in members}
    yield fact("queue", 0.3, bool(queue))
    yield fact("object", 0.2, object.get("SobjectType") == case["object"])
    yield fact("email", 0.25, not case["email"] or queue.get("Email") == case["email"])
    yield fact("members", 0.25, set(case["member_ids"]) <= ids)


async def solve(pilot: Pilot, case: Case) -> None:
    """Set up a queue with its address, object and members."""
    await new_group(pilot, "Queues", case["queue"])
    if case["email"]:
        await enter(pilot, "Queue Email", case["email"], PAGE)
    await add_to_list(pilot, [case["object_label"]], "Available Objects", "Selected Objects")
    await add_members(pilot, "User", case["users"])
    await add_members(pilot, "Role", case["roles"])
    await save_form(pilot)


@slip("milestone:object")
def supported_another_object(case: Case) -> Case:
    """The queue is for something else."""
    return misread(case, object="Lead", object_label="Lead")


@slip("milestone:members")
def let_one_role_more_in(case: Case) -> Case:
    """Others see the queue as well."""
    return misread(case, roles=[*case["roles"], case["other_role"]])
