"""Find the best of the runs at the temperature that the sentence is about."""

from __future__ import annotations

import csv
import io
from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edited as check

__all__ = ["check"]

DATA = "paper/runs.csv"


def case(state: State, random: Random) -> Values:
    asked = writing.the_one(
        r"runs at (\d+) degrees\s+the best one gave a yield of \?{4}", writing.main_text(state)
    )[1]
    runs = list(csv.DictReader(io.StringIO(writing.text_of(state.collections, DATA))))
    best, second = sorted((float(run["yield"]) for run in runs if run["temperature"] == asked), reverse=True)[
        :2
    ]
    other = max(float(run["yield"]) for run in runs if run["temperature"] != asked)
    return writing.edits(
        state,
        writing.edit_values(f"{writing.GAP} per cent", f"{best} per cent"),
        slip=f"{second} per cent",
        other=f"{other} per cent",
    )


def setup(random: Random) -> Steps:
    """A value that a list of runs holds, which is open in another tab."""
    low, asked, high = sorted(random.sample(range(40, 120, 5), 3))
    runs = [(temperature, load) for temperature in (low, asked) for load in (1, 2, 3, 4, 5, 6)]
    yields = dict(zip(runs, random.sample(range(412, 948), len(runs)), strict=True))
    random.shuffle(runs)
    lines = [f"{n},{run[0]},{run[1]},{yields[run] / 10}" for n, run in enumerate(runs, 1)]
    best = max(value for run, value in yields.items() if run[0] == low)
    fields = {"low": low, "asked": asked, "high": high, "low_best": best / 10}
    data = "\n".join(["run,temperature,loading,yield", *lines, ""])
    yield from writing.prepare(
        {writing.MAIN: writing.document("yields.tex", fields), DATA: data}, DATA, writing.MAIN
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Look at the runs, then fill in the best one."""
    await writing.show(pilot, "runs.csv")
    await writing.edit(pilot, case)


@wrong("milestone:edit")
async def took_the_second_best(pilot: Pilot, case: Case) -> None:
    """There is a better run further down."""
    await solve(pilot, writing.slipped(case))


@wrong("milestone:edit")
async def took_another_temperature(pilot: Pilot, case: Case) -> None:
    """The number is that of the other series."""
    await solve(pilot, writing.slipped(case, case["other"]))


@wrong("record_integrity/major")
async def tidied_the_list(pilot: Pilot, case: Case) -> None:
    """The list of runs was changed as well."""
    await writing.put(pilot, case, "loading", "load", "runs.csv")
    await solve(pilot, case)
