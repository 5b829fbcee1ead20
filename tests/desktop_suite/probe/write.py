"""Write a word into the upper field."""

from pytest_cuabench import wrong

from .fields import a_note as setup
from .fields import a_word as case
from .fields import written

__all__ = ["case", "setup"]


def check(evidence, case):
    return written(evidence, case, "text")


async def solve(pilot, case):
    await pilot.click("text:nth(0)")
    await pilot.type(case["word"])


@wrong("milestone:written")
async def another_word(pilot, case):
    await pilot.click("text:nth(0)")
    await pilot.type("another")
