"""Freeze a user."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import Findings, holds, judged
from ..toolkit.lightning import follow, open_setup, press
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the user with the record that freezes."""
    org = Records(state)
    found = shared.user(org, random, values["user"])
    (login,) = org.where("UserLogin", UserId=found["user_id"])
    return {**found, "login_id": login["Id"]}


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first user of the name is frozen."""
    org = Records(evidence.after)
    user = first(org.named("User", case["user"]))
    login = first(org.where("UserLogin", UserId=user.get("Id")))
    yield fact("frozen", 1.0, login.get("IsFrozen") is True)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the user frozen."""
    work.may_change("UserLogin", case["login_id"], "IsFrozen")
    login = work.after.get("UserLogin", case["login_id"])
    yield holds("frozen", 1.0, login, "IsFrozen", True)


async def _freeze(pilot: Pilot, user: str) -> None:
    """Freeze a user, on the user's page."""
    await open_setup(pilot, "Users")
    await follow(pilot, shared.listed_text(user), shared.HERE)
    await press(pilot, "Freeze", shared.HERE)


async def solve(pilot: Pilot, case: Case) -> None:
    """Freeze a user."""
    await _freeze(pilot, case["user"])


@slip("record_integrity/critical", 0.0)
def froze_somebody_else(case: Case) -> Case:
    """A colleague cannot log in any more."""
    return misread(case, user=case["other_user"])


@slip("milestone:frozen", 0.0, plays="admin_026")
def deactivated_instead(case: Case) -> Case:
    """The user is out, but in a way that costs the license."""
    return case
