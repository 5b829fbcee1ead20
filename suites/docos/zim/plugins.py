"""Plugins of Zim: each task switches one on that is off, and configures it, in the form of `toolkit/dialogs.py`."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong
from pytest_cuabench.agents.builtin.solution_steps import do

from ..toolkit import dialogs
from ..toolkit.changes import misread
from ..toolkit.dialogs import check, slipped, solve
from .notebook import SETTINGS, plugin, plugins_with, preferences, setup

__all__ = ["check", "setup", "slipped", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    on = {
        "place": f"{SETTINGS}/General:plugins",
        "is": plugins_with(values["key"]),
        "kind": "zim.notebook.PLUGIN_LIST",
    }
    filled = dialogs.case(state, random, {**values, "file": SETTINGS})
    dialog = preferences("Plugins")
    window = 'dialog[name="Configure Plugin"]'
    return filled | {
        "opening": [
            *dialog["opening"],
            *plugin(values["plugin"]),
            {"click": 'dialog[name="Preferences"] >> push-button[name="Configure"]'},
        ],
        "window": window,
        "settings": [on, *filled["settings"]],
        "closing": [{"click": f'{window} >> push-button[name="OK"]'}, *dialog["closing"]],
    }


@wrong("milestone:last")
async def only_switched_it_on(pilot: Pilot, case: Case) -> None:
    """The plugin is on, with the settings that it comes with."""
    await solve(pilot, misread(case, settings=case["settings"][:-1]))


@wrong("milestone:setting_1")
async def switched_another_on(pilot: Pilot, case: Case) -> None:
    """It is a plugin with another purpose."""
    dialog = preferences("Plugins")
    await do(pilot, [*dialog["opening"], *plugin(case["other"]), *dialog["closing"]])
