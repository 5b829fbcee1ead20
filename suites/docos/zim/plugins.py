"""Plugins of Zim: each task switches one on that is off, and configures it (toolkit/settings.py)."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.gtk import press_button
from ..toolkit.settings import saved, set_all, with_choices
from .notebook import find_plugin, plugins_with, setup

__all__ = ["setup"]

_FILE = "settings/preferences.conf"


def case(state: State, random: Random, values: Values) -> Values:
    return with_choices(values, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """The plugin is on, with its settings."""
    plugin = {"plugin": (f"{_FILE}/General:plugins", plugins_with(case["key"]))}
    yield from placed(evidence, plugin | saved(case["settings"], _FILE), f"{_FILE}/{case['section']}")


async def solve(pilot: Pilot, case: Case) -> None:
    """Look the plugin up in the list, switch it on, and configure it."""
    await find_plugin(pilot, case["plugin"])
    await pilot.click("dialog >> table-cell:selected:nth(0)")
    await press_button(pilot, "Configure", "Preferences")
    await set_all(pilot, case["settings"], 'dialog[name="Configure Plugin"]')
    await press_button(pilot, "OK", "Configure Plugin")
    await press_button(pilot, "OK", "Preferences")


@wrong("milestone:last")
async def only_switched_it_on(pilot: Pilot, case: Case) -> None:
    """The plugin is on, with the settings that it comes with."""
    await solve(pilot, misread(case, settings=case["settings"][:-1]))


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """The last setting is another one."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("milestone:plugin")
async def switched_another_on(pilot: Pilot, case: Case) -> None:
    """It is a plugin with another purpose."""
    await find_plugin(pilot, case["other"])
    await pilot.click("dialog >> table-cell:selected:nth(0)")
    await press_button(pilot, "OK", "Preferences")
