"""Settings that a database keeps for itself: each task names what to set in its dialog (toolkit/settings.py)."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.settings import saved, set_all, with_choices
from .vault import FILE, SAVED, choose, save, setup, unlock

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    return with_choices(values, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """The database has its settings."""
    yield from placed(evidence, saved(case["settings"], f"database/{FILE}"), SAVED)


async def solve(pilot: Pilot, case: Case) -> None:
    """Set what is to be set in the database's own settings, and save it."""
    await unlock(pilot)
    await choose(pilot, "Database", "Database Settings…")
    await set_all(pilot, case["settings"], "")
    await save(pilot)


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """The last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("record_integrity/major")
async def renamed_the_database(pilot: Pilot, case: Case) -> None:
    """The database has another name now."""
    name = {"fill": 'text[name="Database name field"]', "to": "Safe"}
    await solve(pilot, misread(case, settings=[*case["settings"], name]))
