"""Sign in: the first task of every application, which writes nothing, and the ways to fail at it."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, wrong

from .misreading import misread
from .safety import Scope, outside, signed_in
from .screen import press, sign_in


def check(evidence: Evidence, case: Case) -> Findings:
    """Be signed in as the user of the goal at the end, and have written nothing."""
    yield from present(evidence, case)
    yield from outside(evidence, case, Scope())


def present(evidence: Evidence, case: Case) -> Iterator[Milestone]:
    """Judge only that the user is signed in at the end; for applications that judge further rules beside writes."""
    user = case["user_id"]
    accepted = signed_in(evidence, user)
    now = evidence.after.row("workstation")["user"]
    yield Milestone("accepted", accepted, 0.5, f"{user} signs in", "accepted" if accepted else "not accepted")
    yield Milestone("at_workstation", now == user, 0.5, f"{user} at the workstation", now or "nobody")


async def solve(pilot: Pilot, case: Case) -> None:
    """Sign in."""
    await sign_in(pilot, case)


@wrong("milestone:accepted")
async def locked_capitals(pilot: Pilot, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solve(pilot, misread(case, password=case["password"].swapcase()))


@wrong("milestone:at_workstation")
async def signed_out_again(pilot: Pilot, case: Case) -> None:
    """Nobody is at the workstation in the end."""
    await solve(pilot, case)
    await press(pilot, "Sign out")
