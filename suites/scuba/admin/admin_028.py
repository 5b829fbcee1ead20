"""Permission set group with sets and a user."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import Findings, exists, judged
from ..toolkit.lightning import follow
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the permission sets and the user."""
    org = Records(state)
    sets = shared.permission_sets(org)
    others = sorted(set(sets) - set(values["permission_sets"]))
    return {
        **shared.user(org, random, values["user"]),
        "set_ids": [sets[name] for name in values["permission_sets"]],
        "sets_words": " and ".join(f'"{name}"' for name in values["permission_sets"]),
        "other_set": random.choice(others),
    }


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A group of the label with exactly these sets and this one assignee."""
    org = Records(evidence.after)
    yield fact("group", 0.3, bool(org.where("PermissionSetGroup", MasterLabel=case["group"])))
    yield fact(
        "permission_sets",
        0.4,
        set(shared.components_list(org, case["group"])) == set(case["permission_sets"]),
    )
    yield fact("assigned", 0.3, shared.assignees(org, case["group"]) == [case["user"]])


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a group of these sets, assigned to this user."""
    work.grave("PermissionSetAssignment")
    group = shared.group(work, case)
    yield exists("group", 0.3, group, f"a permission set group '{case['group']}'")
    yield shared.components(work, group, list(case["permission_sets"]), 0.4)
    yield shared.assigned(work, case, group["Id"] if group else None, 0.3)


async def _back_to_group(pilot: Pilot, label: str) -> None:
    """Go back from the permission sets of a group to the group."""
    await follow(pilot, f"Back to: {label}", shared.HERE)


async def solve(pilot: Pilot, case: Case) -> None:
    """Make a group of permission sets and assign it."""
    await shared.new_group(pilot, case["group"], case["permission_sets"])
    if case["user"]:
        await _back_to_group(pilot, case["group"])
        await shared.assign(pilot, case["user"])


@slip("milestone:assigned", 0.7)
def forgot_the_user(case: Case) -> Case:
    """The group is right, nobody has it."""
    return misread(case, user="")


@slip("record_integrity/critical", 0.7)
def assigned_somebody_else(case: Case) -> Case:
    """The wrong user has the group."""
    return misread(case, user=case["other_user"])


@slip("milestone:permission_sets", 0.6)
def took_the_first_set_only(case: Case) -> Case:
    """Half of the rights are missing."""
    return misread(case, permission_sets=case["permission_sets"][:1])
