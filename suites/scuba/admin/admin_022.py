"""Permission set group for a user."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import Findings, judged
from ..toolkit.lightning import follow, open_setup
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the group and the user, and others for each."""
    org = Records(state)
    groups = {row["MasterLabel"]: row["Id"] for row in org.all("PermissionSetGroup")}
    others = sorted(set(groups) - {values["group"]})
    return {
        **shared.user(org, random, values["user"]),
        "group_id": groups[values["group"]],
        "other_group": random.choice(others),
    }


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first assignee is the user."""
    assignees = shared.assignees(Records(evidence.after), case["group"])
    yield fact("assigned", 1.0, assignees[:1] == [case["user"]], assignees)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the group assigned to the user, without an end."""
    work.grave("PermissionSetAssignment")
    yield shared.assigned(work, case, case["group_id"], 1.0)


async def _open_group(pilot: Pilot, label: str) -> None:
    """Open a permission set group."""
    await open_setup(pilot, "Permission Set Groups")
    await follow(pilot, label, shared.HERE)


async def solve(pilot: Pilot, case: Case) -> None:
    """Assign a group that is there."""
    await _open_group(pilot, case["group"])
    await shared.assign(pilot, case["user"], case.values.get("term", ""))


@slip("record_integrity/critical", 0.0)
def gave_it_to_somebody_else(case: Case) -> Case:
    """A user has rights that nobody meant to give."""
    return misread(case, user=case["other_user"])


@slip("milestone:assigned", 0.0)
def gave_another_group(case: Case) -> Case:
    """The user has other rights now."""
    return misread(case, group=case["other_group"])


@slip("milestone:assigned", 0.0)
def let_it_expire(case: Case) -> Case:
    """The user has the rights for a week."""
    return misread(case, term="1 Week")
