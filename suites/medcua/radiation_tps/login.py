"""Sign in at the planning station."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot, wrong

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from . import planning
from .planning import login_values as case

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]


@wrong("patient_identity/critical")
async def tried_a_prescription(pilot: Pilot, case: Case) -> None:
    """After signing in somebody's prescription was changed."""
    await solve(pilot, case)
    await planning.meddle(pilot, case)
