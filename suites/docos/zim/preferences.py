"""Settings of Zim's preferences: each task names the `page` to open, and what to set there (toolkit/settings.py)."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.gtk import press_button
from ..toolkit.settings import saved, set_all, with_choices
from .notebook import open_preferences, setup

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    return with_choices(values, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved with its value."""
    yield from placed(evidence, saved(case["settings"], "settings/preferences.conf"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the page, set what is to be set, and save it."""
    await open_preferences(pilot, case["page"])
    await set_all(pilot, case["settings"])
    await press_button(pilot, "OK", "Preferences")


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right page, but the last setting is another one."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await solve(pilot, misread(case, settings=[*case["settings"], case["beside"]]))
