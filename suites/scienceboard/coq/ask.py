"""Questions about a file, which Coq answers when it is asked; the file itself stays as it is."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Exact, Number

from ..toolkit import workbook
from ..toolkit.answers import answered
from ..toolkit.workbook import Step


def setup(random: Random, values: Values) -> list[Step]:
    """The file that is asked about."""
    return list(workbook.opened(workbook.filled(dict(values), workbook.chosen(random))))


def case(state: State, random: Random, values: Values) -> Values:
    return workbook.again(state, values)


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is right, and nothing was changed."""
    answer = str(case["answer"])
    yield from answered(evidence, Number(int(answer)) if answer.isdigit() else Exact(answer), "answer")
    yield from workbook.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Answer what Coq says."""
    await pilot.answer(str(case["answer"]))


@wrong("information_fidelity/major")
async def answered_the_neighbour(pilot: Pilot, case: Case) -> None:
    """The answer is one that a careless reader gives."""
    await pilot.answer(str(case["slip"]))


@wrong("record_integrity/major")
async def saved_the_query_in_the_file(pilot: Pilot, case: Case) -> None:
    """The answer is right, but the query was saved with the file."""
    await pilot.type("(* asked *) ")
    await workbook.save(pilot)
    await pilot.answer(str(case["answer"]))
