"""Settings of Geany's preferences, in the form of `toolkit/dialogs.py`; `pages` are the tabs that lead to them."""

from __future__ import annotations

from random import Random

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import setup_of_a_program as setup

__all__ = ["changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    pages = ({"click": f'dialog >> page-tab[name="{page}"]'} for page in values["pages"])
    return dialogs.case(state, random, {**values, "file": "settings/geany.conf"}) | {
        "opening": [{"press": "ctrl+alt+p"}, *pages],
        "window": "dialog",
        "closing": [{"click": 'dialog >> push-button[name="OK"]'}],
        "unsaved": [{"click": 'dialog >> push-button[name="Cancel"]'}],
    }
