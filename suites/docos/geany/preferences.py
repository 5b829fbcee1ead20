"""Settings of Geany's preferences: each task names the `pages` to open, and what to set there (toolkit/settings.py)."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.settings import saved, set_all, with_choices
from ..toolkit.steps import setup_of_a_program as setup

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    return with_choices(values, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved with its value."""
    yield from placed(evidence, saved(case["settings"], "settings/geany.conf"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the pages, set what is to be set, and save it."""
    await _set(pilot, case)
    await pilot.click('dialog >> push-button[name="OK"]')


async def _set(pilot: Pilot, case: Case) -> None:
    await pilot.press("ctrl+alt+p")
    for page in case["pages"]:
        await pilot.click(f'dialog >> page-tab[name="{page}"]')
    await set_all(pilot, case["settings"])


@wrong("milestone:last")
async def cancelled(pilot: Pilot, case: Case) -> None:
    """Everything is set, and the dialog is closed without saving."""
    await _set(pilot, case)
    await pilot.click('dialog >> push-button[name="Cancel"]')


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right page, but the last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await solve(pilot, misread(case, settings=[*case["settings"], case["beside"]]))
