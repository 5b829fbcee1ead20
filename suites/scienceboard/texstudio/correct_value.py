"""Find the entry of the table that does not follow from the formula."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import calculate_and_edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    a, b, c, d = map(int, writing.the_one(r"= (\d+) n\^3 \+ (\d+) n\^2 \+ (\d+) n \+ (\d+)$", text).groups())
    rows = [(int(n), int(value)) for n, value in re.findall(r"^ +(\d+) & (\d+) \\\\$", text, re.MULTILINE)]
    (bad,) = ((n, value) for n, value in rows if value != a * n**3 + b * n**2 + c * n + d)
    n, value = bad
    right = a * n**3 + b * n**2 + c * n + d
    near = n - 1
    return writing.edits(
        state,
        writing.edit_values(f"{n} & {value}", f"{n} & {right}"),
        n=n,
        formula=f"{a}*{n}^3+{b}*{n}^2+{c}*{n}+{d}",
        slip=f"{n} & {a * near**3 + b * near**2 + c * near + d}",
    )


def setup(random: Random) -> Steps:
    """A table of a cubic with one wrong entry; KAlgebra is open."""
    a, b, c, d = (
        random.randint(3, 9),
        random.randint(11, 49),
        random.randint(3, 9),
        random.randint(101, 999),
    )
    places = sorted(random.sample(range(11, 60), 7))
    values = [a * n**3 + b * n**2 + c * n + d for n in places]
    bad = random.randrange(1, 6)
    values[bad] += random.choice((-1, 1)) * random.choice((270, 900, 1980))
    rows = "\n".join(f"    {n} & {value} \\\\" for n, value in zip(places, values, strict=True))
    fields = {"a": a, "b": b, "c": c, "d": d, "rows": rows}
    yield from writing.prepare({writing.MAIN: writing.document("heater.tex", fields)}, writing.MAIN)
    yield writing.start("kalgebra")


@wrong("milestone:edit")
async def took_the_step_before(pilot: Pilot, case: Case) -> None:
    """The value is the one that the formula gives for n - 1."""
    await solve(pilot, writing.slipped(case))


@wrong("record_integrity/major")
async def corrected_the_formula_along(pilot: Pilot, case: Case) -> None:
    """The table is right now, the formula is not what was measured."""
    await solve(pilot, case)
    await writing.put(pilot, case, "n^3 +", "n^3 -")
