"""Write an attribute, aligned in another way than GRASS does by itself."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    side, other = random.sample(("center", "right"), 2)
    return mapping.layer(state) | {
        "column": random.choice(mapping.columns(state, mapping.shown(state)[0])),
        "side": side,
        "other": other,
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the column written on the map, aligned as wanted."""
    yield from mapping.options(evidence, case, attribute_column=case["column"], xref=case["side"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Name the column, and choose the alignment further down."""
    dialog = await mapping.properties(pilot, case["layer"], "Labels")
    await pilot.click(f"{dialog}@0.5,0.02", count=2)  # as large as the screen, so that all of the page shows
    await pilot.fill(f"{dialog} >> text:nth(1)", case["column"])
    await pilot.fill(f'{dialog} >> text[value="left"]', case["side"])
    await mapping.confirm(pilot, dialog)


@wrong("milestone:xref")
async def aligned_it_otherwise(pilot: Pilot, case: Case) -> None:
    """The labels stand on the other side."""
    await solve(pilot, mapping.misread(case, side=case["other"]))
