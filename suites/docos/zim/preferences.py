"""Settings of Zim's preferences, in the form of `toolkit/dialogs.py`; `page` is the tab."""

from __future__ import annotations

from random import Random

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, slipped, solve
from .notebook import SETTINGS, preferences, setup

__all__ = ["changed_the_neighbour", "check", "setup", "slipped", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    return dialogs.case(state, random, {**values, "file": SETTINGS}) | preferences(values["page"])
