"""Settings of KeePassXC itself: each task names the `page` and what to set there (toolkit/settings.py)."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.settings import saved, set_all, with_choices
from .vault import press_button, setup

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    return {"tab": "", **with_choices(values, random)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved with its value."""
    yield from placed(evidence, saved(case["settings"], "settings/keepassxc.ini"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the page, set what is to be set, and save it."""
    await _set(pilot, case)
    await press_button(pilot, "OK")


async def _set(pilot: Pilot, case: Case) -> None:
    await pilot.click('check-box[name="Settings"]')
    await pilot.click(f'list-item[name="{case["page"]}"]')
    if case["tab"]:
        await pilot.click(f'page-tab[name="{case["tab"]}"]')
    await set_all(pilot, case["settings"], "")


@wrong("milestone:last")
async def cancelled(pilot: Pilot, case: Case) -> None:
    """Everything is set, and nothing is saved."""
    await _set(pilot, case)
    await press_button(pilot, "Cancel")


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right page, but the last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))
