"""Files that CoqIDE makes of the one that is open: a compiled one, or a page."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import workbook
from ..toolkit.workbook import Step


def setup(random: Random, values: Values) -> list[Step]:
    """The file that something is to be made of."""
    return list(workbook.opened(workbook.filled(dict(values), workbook.chosen(random))))


def case(state: State, random: Random, values: Values) -> Values:
    return workbook.again(state, values)


def check(evidence: Evidence, case: Case) -> Findings:
    """The file is there, and nothing else was changed."""
    files = evidence.after.collections.get("files", {})
    made = f"work/{case['makes']}"
    size = files.get(made, {}).get("size", 0)
    yield Milestone("made", size > 0, 1.0, f"{made} is there", f"{size} bytes")
    yield from workbook.untouched(
        evidence, made, *workbook.products(case.values), *map("work/{}".format, case["along"])
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the item of the menus."""
    await workbook.choose(pilot, *case["menu"])


@wrong("milestone:made")
async def made_something_else(pilot: Pilot, case: Case) -> None:
    """Another item of the menus was chosen."""
    await workbook.choose(pilot, *case["slip"])


@wrong("record_integrity/major")
async def changed_the_file(pilot: Pilot, case: Case) -> None:
    """It was made of a file that is not what it was."""
    await pilot.type("(* made *) ")
    await workbook.save(pilot)
    await solve(pilot, case)
