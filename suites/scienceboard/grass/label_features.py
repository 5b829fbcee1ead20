"""Write an attribute beside every feature."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    column, other = random.sample(mapping.columns(state, mapping.shown(state)[0]), 2)
    return mapping.layer(state) | {"column": column, "other": other}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the column written on the map."""
    yield from mapping.options(evidence, case, attribute_column=case["column"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Name the column on the page of labels."""
    dialog = await mapping.properties(pilot, case["layer"], "Labels")
    await pilot.fill(f"{dialog} >> text:nth(1)", case["column"])
    await mapping.confirm(pilot, dialog)


@wrong("milestone:attribute_column")
async def labelled_by_another_column(pilot: Pilot, case: Case) -> None:
    """Something else is written on the map."""
    await solve(pilot, mapping.misread(case, column=case["other"]))


@wrong("milestone:attribute_column")
async def showed_category_numbers(pilot: Pilot, case: Case) -> None:
    """The numbers of the features are no attributes."""
    dialog = await mapping.properties(pilot, case["layer"], "Required")
    await mapping.press(pilot, f'{dialog} >> check-box[name="Display category numbers of features"]')
    await mapping.confirm(pilot, dialog)
