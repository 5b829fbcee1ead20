"""Dialogs of Anki, in the form of `toolkit/dialogs.py`, over a small collection.

`menu` with its entries is opened first, or with `deck` the page of that deck and its button of this name. The words
`{geography}`, `{chemistry}` and `{language}` stand for the decks of the collection. Web views come a moment after their
windows, so that the pilot looks for an element until it is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

from pytest_cuabench import Case, Lost, Pilot, State, Values, wrong

from ..toolkit import dialogs
from ..toolkit.dialogs import check
from ..toolkit.steps import Steps

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]

_MAIN = 'frame[name="User 1 - Anki"]'
_KEYS = {"Options": "o", "Custom Study": "c"}  # of buttons in a bar that takes its time to find its height
_LOOKS, _BETWEEN = 40, 0.2  # seconds
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


class Patient:
    """A pilot that looks for what it clicks on until it is there."""

    def __init__(self, pilot: Pilot) -> None:
        self._pilot = pilot
        self.press, self.type = pilot.press, pilot.type

    async def click(self, target: str, **how: Any) -> None:
        """Click when it is there."""
        await self._until_there(partial(self._pilot.click, target, **how))

    async def fill(self, target: str, text: str) -> None:
        """Fill when it is there."""
        await self._until_there(partial(self._pilot.fill, target, text))

    async def _until_there(self, act: Callable[[], Awaitable[None]]) -> None:
        for _ in range(_LOOKS):
            try:
                await act()
            except Lost:
                await asyncio.sleep(_BETWEEN)
            else:
                return
        await act()


def _patient(pilot: Pilot) -> Pilot:
    return Patient(pilot)  # type: ignore[return-value]


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the dialog, set what is to be set, and save it."""
    await dialogs.solve(_patient(pilot), case)


@wrong("milestone:last")
async def left_unsaved(pilot: Pilot, case: Case) -> None:
    """Everything is set, but the dialog is left as it is, without saving."""
    await dialogs.left_unsaved(_patient(pilot), case)


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right dialog, but the last setting is another one, or has another value."""
    await dialogs.slipped(_patient(pilot), case)


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await dialogs.changed_the_neighbour(_patient(pilot), case)
