"""Dialogs of Anki, in the form of `toolkit/dialogs.py`, over a small collection.

`menu` with its entries is opened first, or with `deck` the page of that deck and its button of this name. The words
`{geography}`, `{chemistry}` and `{language}` stand for the decks of the collection.
"""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import State, Values

from ..toolkit import dialogs
from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_MAIN = 'frame[name="User 1 - Anki"]'
_KEYS = {"Options": "o", "Custom Study": "c"}  # of buttons in a bar that takes its time to find its height
_COUNTRIES = (
    ("Chile", "Santiago", "america", 12, 4),
    ("Ghana", "Accra", "africa", 0, 0),
    ("Iceland", "Reykjavik", "europe", 30, 2),
    ("Kenya", "Nairobi", "africa", 9, 7),
    ("Norway", "Oslo", "europe", 0, 0),
    ("Peru", "Lima", "america", 21, 0),
    ("Portugal", "Lisbon", "europe", 45, 30),
)
_WORDS = (
    ("deber", "to owe sth.", "Debo algo (sth.) a mi tía.", "verbs"),
    ("gato", "cat", "El gato duerme.", "animals"),
    ("pedir", "to ask for sth.", "Pido ayuda.", "verbs"),
    ("perro", "dog", "El perro corre.", "animals"),
)
_VOCABULARY = {
    "name": "Vocabulary",
    "like": "Basic (and reversed card)",
    "fields": ["Word", "Meaning", "Example"],
    "templates": [
        {"name": "Recall", "front": "{{Word}}", "back": "{{FrontSide}}\n<hr id=answer>\n{{Meaning}}"},
        {"name": "Produce", "front": "{{Meaning}}", "back": "{{FrontSide}}\n<hr id=answer>\n{{Word}}"},
    ],
}


def setup(random: Random) -> Steps:
    """Make a collection with three decks, each under one of several names."""
    geography = random.choice(("Capitals", "Countries", "World"))
    chemistry = random.choice(("Chemistry", "Elements", "Molecules"))
    language = random.choice(("Castilian", "Spanish", "Spanish A1"))
    countries = [
        {
            "type": "Basic",
            "deck": geography,
            "fields": [front, back],
            "tags": [tag],
            "interval": ivl,
            "due": due,
        }
        for front, back, tag, ivl, due in _COUNTRIES
    ]
    words = [
        {"type": "Vocabulary", "deck": language, "fields": list(fields), "tags": [tag]}
        for *fields, tag in _WORDS
    ]
    water = {"type": "Cloze", "deck": chemistry, "fields": ["Water is {{c1::H2O}}.", ""]}
    about = {
        "presets": [
            {"name": "Maps", "options": {"new": {"perDay": random.choice((8, 12, 15))}}},
            {"name": "Languages", "options": {"new": {"perDay": random.choice((6, 9, 14))}}},
        ],
        "decks": [
            {"name": geography, "preset": "Maps"},
            {"name": chemistry},
            {"name": language, "preset": "Languages"},
            {"name": f"{language}::Phrases", "preset": "Languages"},
        ],
        "note_types": [_VOCABULARY],
        "notes": [*countries, water, *words],
    }
    yield {"do": "collection", "about": about}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and say how the dialog is opened."""
    found = _decks(state)
    decks = {name: [deck] for name, deck in found.items()}
    filled = dialogs.case(state, random, {**values, "choices": {**values.get("choices", {}), **decks}})
    opening: list[dict[str, Any]] = [
        {"click": f'menu-item[name="{name}"]:nth(0)'} for name in filled.get("menu", ())
    ]
    if "deck" in filled:
        button = filled["button"]
        opening = [
            {"click": f'{_MAIN} >> link[name="{filled["deck"]}"]'},
            {"click": f'{_MAIN} >> heading[name="{filled["deck"]}"]'},  # its page is there
            {"press": _KEYS[button]}
            if button in _KEYS
            else {"click": f'{_MAIN} >> push-button[name="{button}"]'},
        ]
    return filled | {"opening": opening + filled.get("opening", [])}


def _decks(state: State) -> dict[str, str]:
    """Return the names of the decks by what they are about."""
    rows = state.collections["decks"]
    by_preset = {
        row.get("preset"): name for name, row in rows.items() if "::" not in name and name != "Default"
    }
    return {
        "geography": by_preset["Maps"],
        "chemistry": by_preset["Default"],
        "language": by_preset["Languages"],
    }
