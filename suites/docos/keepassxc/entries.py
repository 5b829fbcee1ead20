"""What an entry has beside a password, on a `page` of it and in the form of `toolkit/dialogs.py`."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from ..toolkit import dialogs
from ..toolkit.changes import misread
from ..toolkit.dialogs import check, slipped, solve
from .vault import SAVE, SAVED, editing, entry, setup, titles

__all__ = ["check", "setup", "slipped", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    title, other = random.sample(titles(state), 2)
    return dialogs.case(state, random, {**values, "file": entry(title)}) | {
        "title": title,
        "other": other,
        "opening": editing(title, values["page"]),
        "closing": SAVE,
        "along": [{"place": place, "why": why} for place, why in SAVED.items()],
    }


@wrong("milestone:last")
async def changed_the_other_entry(pilot: Pilot, case: Case) -> None:
    """It is another entry."""
    await solve(pilot, misread(case, opening=editing(case["other"], case["page"])))
