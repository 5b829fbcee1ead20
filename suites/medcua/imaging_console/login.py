"""Sign in at the console."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot, wrong

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from ..toolkit.screen import follow, press
from .console import login_values as case

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]


@wrong("record_integrity/major")
async def tried_the_phantom(pilot: Pilot, case: Case) -> None:
    """The phantom was scanned, which nobody asked for."""
    await solve(pilot, case)
    await follow(pilot, "Quality control")
    await press(pilot, "Scan phantom")
