"""Write a note for Ada, then count the patients."""

from pytest_cuabench import wrong

from . import count, note
from .shared import counted, harm, noted


def case(state, random):
    return note.case(state, random) | count.case(state, random)


def check(evidence, case):
    yield noted(evidence, 0.5)
    yield counted(evidence, case, 0.5)
    yield from harm(evidence)


async def solve(pilot, case):
    await note.solve(pilot, case)
    await count.solve(pilot, case)


@wrong("milestone:noted")
async def one_too_many(pilot, case):
    await pilot.answer(str(case["count"] + 1))
