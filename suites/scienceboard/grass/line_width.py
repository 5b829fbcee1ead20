"""Draw borders in some width."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | {"width": random.randrange(2, 8)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the lines as wide as wanted."""
    yield from mapping.options(evidence, case, width=str(case["width"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Type the width on the page of lines."""
    dialog = await mapping.properties(pilot, case["layer"], "Lines")
    await pilot.fill(f"{dialog} >> spin-button", str(case["width"]))
    await mapping.confirm(pilot, dialog)


@wrong("milestone:width")
async def drew_it_a_pixel_wider(pilot: Pilot, case: Case) -> None:
    """One pixel too many."""
    await solve(pilot, mapping.misread(case, width=case["width"] + 1))
