"""Permission set group with one set."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import Findings, exists, judged
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """See that the permission set is there, and find another one."""
    sets = shared.permission_sets(Records(state))
    others = sorted(set(sets) - {values["permission_set"]})
    return {"set_id": sets[values["permission_set"]], "other_set": random.choice(others)}


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A group of the label with exactly one component of the label."""
    org = Records(evidence.after)
    yield fact("group", 0.25, bool(org.where("PermissionSetGroup", MasterLabel=case["group"])))
    yield fact(
        "permission_sets", 0.75, shared.components_list(org, case["group"]) == [case["permission_set"]]
    )


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a group of one set."""
    group = shared.group(work, case)
    yield exists("group", 0.25, group, f"a permission set group '{case['group']}'")
    yield shared.components(work, group, [case["permission_set"]], 0.75)
    work.grave("PermissionSetAssignment")


async def solve(pilot: Pilot, case: Case) -> None:
    """Make a group of one permission set."""
    await shared.new_group(
        pilot, case["group"], case.values.get("permission_sets") or [case["permission_set"]]
    )


@slip("milestone:permission_sets", 0.25)
def took_another_set(case: Case) -> Case:
    """The group is there, with other rights."""
    return misread(case, permission_set=case["other_set"])


@slip("milestone:permission_sets", 0.25)
def put_a_second_set_in(case: Case) -> Case:
    """The group allows more than it should."""
    return misread(case, permission_sets=[case["permission_set"], case["other_set"]])
