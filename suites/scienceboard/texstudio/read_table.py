"""Ask for the hardness of one casting, as cast or aged."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.answers import answered
from . import writing
from .writing import Steps

CASTINGS = ("Ahorn", "Birke", "Eibe", "Esche", "Linde", "Tanne", "Ulme", "Weide")


def case(state: State, random: Random) -> Values:
    rows = re.findall(r"^ +(\w+) & (\d+) & (\d+) \\\\$", writing.main_text(state), re.MULTILINE)
    place = random.randrange(len(rows) - 1)
    column = random.randrange(2)
    return {
        "texts": writing.texts(state),
        "casting": rows[place][0],
        "condition": ("as it was cast", "after ageing")[column],
        "value": int(rows[place][1 + column]),
        "next_row": int(rows[place + 1][1 + column]),
        "other_column": int(rows[place][2 - column]),
    }


def setup(random: Random) -> Steps:
    """A table of eight rows and two columns of numbers."""
    values = random.sample(range(61, 199), 2 * len(CASTINGS))
    names = random.sample(CASTINGS, len(CASTINGS))
    rows = (f"    {name} & {values[2 * i]} & {values[2 * i + 1]} \\\\" for i, name in enumerate(names))
    yield from writing.prepare(
        {writing.MAIN: writing.document("alloys.tex", {"rows": "\n".join(rows)})}, writing.MAIN
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the hardness that was asked for."""
    words = (
        "hardness",
        "Vickers",
        "HV10",
        "HV",
        "mean",
        "casting",
        "aged",
        "cast",
        "ageing",
        case["casting"],
    )
    yield from answered(evidence, Number(case["value"], words=words), "hardness")
    yield from writing.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the row and the column."""
    await writing.show(pilot, "main.tex")
    await pilot.answer(f"{case['value']} HV10")


@wrong("information_fidelity/major")
async def read_the_next_row(pilot: Pilot, case: Case) -> None:
    """The column is right, the casting is not."""
    await pilot.answer(str(case["next_row"]))


@wrong("information_fidelity/major")
async def read_the_other_column(pilot: Pilot, case: Case) -> None:
    """The casting is right, the column is not."""
    await pilot.answer(str(case["other_column"]))


@wrong("record_integrity/major")
async def wrote_into_the_table(pilot: Pilot, case: Case) -> None:
    """The answer is right, but the document is not what it was."""
    await writing.put(pilot, case, case["casting"], case["casting"].upper())
    await pilot.answer(str(case["value"]))
