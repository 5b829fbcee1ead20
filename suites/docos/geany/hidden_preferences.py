"""Settings that Geany's preferences list by their names only, and that the manual explains.

In `hidden_preferences.toml`, `cells` is how often the arrow key has to be pressed to get from a name to its value.
"""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.gtk import find_in_list
from ..toolkit.kinds import TEXT
from ..toolkit.steps import setup_of_a_program as setup

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    return {**values, "to": random.choice(values["to"])}


def check(evidence: Evidence, case: Case) -> Findings:
    """The setting has its value."""
    yield from placed(evidence, {"setting": (f"settings/geany.conf/{case['option']}", case["to"], TEXT)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Look for the name in the list, and edit what stands beside it."""
    await pilot.press("ctrl+alt+p")
    await pilot.click('dialog >> page-tab[name="Various"]')
    await pilot.press("tab")
    await find_in_list(pilot, case["name"])
    await pilot.press("right", case["cells"])
    await pilot.press("enter")
    await pilot.press("ctrl+a")
    await pilot.type(case["to"])
    await pilot.press("enter")
    await pilot.click('dialog >> push-button[name="OK"]')


@wrong("milestone:setting")
async def changed_another(pilot: Pilot, case: Case) -> None:
    """The value is right, the setting is another one."""
    await solve(pilot, misread(case, name=case["other"]))


@wrong("milestone:setting")
async def took_another_value(pilot: Pilot, case: Case) -> None:
    """The setting is right, the value is another one."""
    await solve(pilot, misread(case, to=case["slip"]))
