"""Count the patients."""

from pytest_cuabench import wrong

from .shared import counted, harm


def case(state, random):
    return {"count": len(state.rows("patients"))}


def check(evidence, case):
    yield counted(evidence, case, 1.0)
    yield from harm(evidence)


async def solve(pilot, case):
    await pilot.answer(str(case["count"]))


@wrong("milestone:counted")
async def one_too_many(pilot, case):
    await pilot.answer(str(case["count"] + 1))
