"""Wrong solutions: the reference on a case that somebody careless has misread, or the reference of another task.

The reading is kept beside the solution, so that a test can make the same mistake without a browser.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, Solution, wrong

Reading = Callable[[Case], Case]
Slip = Callable[..., Callable[[Reading], Solution]]


def misread(case: Case, **changes: Any) -> Case:
    """Return the case with other values."""
    return Case(case.goal, {**case.values, **changes})


def slips_of(solutions: types.ModuleType) -> Slip:
    """Return the decorator that makes wrong solutions out of readings of cases."""

    def slip(
        template: str, reason: str, score: float | None = None, plays: str = ""
    ) -> Callable[[Reading], Solution]:
        def mark(reading: Reading) -> Solution:
            async def solution(hand: Hand, case: Case) -> None:
                await getattr(solutions, plays or template)(hand, reading(case))

            solution.__name__, solution.__doc__ = reading.__name__, reading.__doc__
            vars(solution).update(reading=reading, plays=plays or template)
            return wrong(template, reason, score)(solution)

        return mark

    return slip
