"""Write a word into the lower field."""

from .fields import a_note as setup
from .fields import a_word as case
from .fields import written

__all__ = ["case", "setup"]


def check(evidence, case):
    return written(evidence, case, "line")


async def solve(pilot, case):
    await pilot.click("text:nth(1)")
    await pilot.type(case["word"])
