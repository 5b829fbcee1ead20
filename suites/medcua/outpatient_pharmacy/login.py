"""Sign in at the workstation; nobody's prescription is to be touched."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from . import pharmacy

__all__ = ["check", "locked_capitals", "signed_out_again", "solve"]


def case(state: State, random: Random) -> Values:
    return pharmacy.credentials(state) | {"other": pharmacy.job(state, "lookup")}


@wrong("patient_identity/critical")
async def pressed_on(pilot: Pilot, case: Case) -> None:
    """A prescription was verified, which nobody asked for."""
    await solve(pilot, case)
    await pharmacy.release_a_bystander(pilot, case)
