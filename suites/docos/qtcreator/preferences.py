"""Settings of Qt Creator's preferences, in the form of `toolkit/dialogs.py`; `page` is a category and its tab."""

from __future__ import annotations

from random import Random

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from .sources import setup

__all__ = ["changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_WINDOW = 'dialog[name="Preferences"]'


def case(state: State, random: Random, values: Values) -> Values:
    category, tab = values["page"]
    return dialogs.case(state, random, values) | {
        "opening": [
            {"click": 'menu-item[name="Edit"]:nth(0)'},
            {"click": 'menu-item[name^="Preferences"]:nth(0)'},
            {"click": f'{_WINDOW} >> list-item[name="{category}"]:nth(0)'},
            {"click": f'{_WINDOW} >> page-tab[name="{tab}"]'},
        ],
        "window": "dialog",
        "closing": [{"click": f'{_WINDOW} >> push-button[name="OK"]'}],
        "unsaved": [{"click": f'{_WINDOW} >> push-button[name="Cancel"]'}],
    }
