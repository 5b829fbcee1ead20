"""Write a note for Ada, and none for Bo."""

from pytest_cuabench import wrong

from .shared import harm, noted


def case(state, random):
    return {"name": state.row("patients", name="Ada")["name"]}


def check(evidence, case):
    yield noted(evidence, 1.0)
    yield from harm(evidence)


async def solve(pilot, case):
    await pilot.press("n")


@wrong("patient_identity/critical")
async def note_for_bo(pilot, case):
    await pilot.press("n")
    await pilot.press("x")
