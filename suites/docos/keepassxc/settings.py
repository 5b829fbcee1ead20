"""Settings of KeePassXC itself, in the form of `toolkit/dialogs.py`; `page` and `tab` lead to them."""

from __future__ import annotations

from random import Random

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import check, left_unsaved, slipped, solve
from .vault import setup

__all__ = ["check", "left_unsaved", "setup", "slipped", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    tab = [{"click": f'page-tab[name="{values["tab"]}"]'}] if "tab" in values else []
    return dialogs.case(state, random, {**values, "file": "settings/keepassxc.ini"}) | {
        "opening": [
            {"click": 'check-box[name="Settings"]'},
            {"click": f'list-item[name="{values["page"]}"]'},
            *tab,
        ],
        "closing": [{"click": 'push-button[name="OK"]'}],
        "unsaved": [{"click": 'push-button[name="Cancel"]'}],
    }
