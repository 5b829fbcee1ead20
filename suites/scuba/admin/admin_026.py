"""Deactivate a user."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import Findings, holds, judged
from ..toolkit.lightning import follow, named, open_setup, press
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the user."""
    return shared.user(Records(state), random, values["user"])


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first user of the name is inactive."""
    user = first(Records(evidence.after).named("User", case["user"]))
    yield fact("inactive", 1.0, user.get("IsActive") is False)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the user inactive."""
    work.may_change("User", case["user_id"], "IsActive")
    yield holds("inactive", 1.0, work.after.get("User", case["user_id"]), "IsActive", False)


async def _deactivate(pilot: Pilot, user: str) -> None:
    """Deactivate a user, in the form."""
    await open_setup(pilot, "Users")
    await follow(pilot, f"Edit {shared.listed_text(user)}", shared.HERE)
    await pilot.click(named("checkbox", "Active", shared.HERE))
    await press(pilot, "OK", named("dialog", "Deactivate User"))
    await shared.press_first(pilot, "Save")


async def solve(pilot: Pilot, case: Case) -> None:
    """Deactivate a user."""
    await _deactivate(pilot, case["user"])


@slip("record_integrity/critical", 0.0)
def deactivated_somebody_else(case: Case) -> Case:
    """A colleague has no account any more."""
    return misread(case, user=case["other_user"])


@slip("milestone:inactive", 0.0, plays="admin_025")
def froze_instead(case: Case) -> Case:
    """The user cannot log in, and is active all the same."""
    return case
