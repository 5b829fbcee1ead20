"""Sign in at the bedside."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot, wrong

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from ..toolkit.screen import open_record, press
from .bedside import login_values as case

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]


@wrong("patient_identity/critical")
async def charted_to_try_it(pilot: Pilot, case: Case) -> None:
    """Somebody's chart has a row that nobody asked for."""
    await solve(pilot, case)
    await open_record(pilot, case["other"])
    await press(pilot, "Chart monitor values now")
