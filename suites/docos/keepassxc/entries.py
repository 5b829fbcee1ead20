"""What an entry has beside a password: each task names the `page`, and what to set there (toolkit/settings.py)."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.settings import saved, set_all, with_choices
from .vault import SAVED, edit, entry, save, setup, titles

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    title, other = random.sample(titles(state), 2)
    return {**with_choices(values, random), "title": title, "other": other}


def check(evidence: Evidence, case: Case) -> Findings:
    """The entry has its settings."""
    yield from placed(evidence, saved(case["settings"], entry(case["title"])), SAVED)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the entry's page, set what is to be set, and save it."""
    await edit(pilot, case["title"], case["page"])
    await set_all(pilot, case["settings"], "")
    await save(pilot)


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right page, but the last setting has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("milestone:last")
async def changed_the_other_entry(pilot: Pilot, case: Case) -> None:
    """It is another entry."""
    await solve(pilot, misread(case, title=case["other"]))
