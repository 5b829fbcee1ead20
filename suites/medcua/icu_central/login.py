"""Sign in at the central station."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot, wrong

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from ..toolkit.screen import follow
from .central import login_values as case

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]


@wrong("patient_identity/critical")
async def tidied_the_list(pilot: Pilot, case: Case) -> None:
    """The first alarm of the list was acknowledged along the way."""
    await solve(pilot, case)
    await follow(pilot, "Alarm list")
    await pilot.click('table[aria-label="Alarms"] button >> nth=0')
