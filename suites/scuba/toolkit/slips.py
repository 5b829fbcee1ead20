"""Wrong solutions: the reference on a case that somebody careless has misread, or the reference of another task.

The reading is kept beside the solution, so that a test can make the same mistake without a browser.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from pytest_cuabench import Case, Pilot, wrong
from pytest_cuabench.task.case import Solution
from pytest_cuabench.task.case import misread as misread

Reading = Callable[[Case], Case]


def slip(reason: str, score: float | None = None, plays: str = "") -> Callable[[Reading], Solution]:
    """Make a wrong solution out of a reading of the case: the solution beside it, or that of the task `plays`."""

    def mark(reading: Reading) -> Solution:
        application, _, own = reading.__module__.rpartition(".")

        async def solution(pilot: Pilot, case: Case) -> None:
            await import_module(f"{application}.{plays or own}").solve(pilot, reading(case))

        solution.__name__, solution.__doc__ = reading.__name__, reading.__doc__
        vars(solution).update(reading=reading, plays=plays or own)
        return wrong(reason, score)(solution)

    return mark
