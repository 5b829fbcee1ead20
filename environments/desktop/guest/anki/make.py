"""Makes Anki's first-run files below HOME, with the collection that a description (JSON on stdin) tells of.

Runs inside the desktop with Anki's library; `guest/applications/anki.py` starts it, and explains the description.
"""

from __future__ import annotations

import json
import pickle
import sqlite3
import sys
from pathlib import Path
from typing import Any

from anki.collection import Collection
from anki.consts import QUEUE_TYPE_SUSPENDED
from anki.decks import DeckId, FilteredDeckConfig

BASE = Path(".local/share/Anki2")
PROFILE = "User 1"
# No first-run questions, nothing that asks the network, no animations.
_META = {
    "ver": 0,
    "updates": False,
    "check_for_updates": False,
    "suppressUpdate": True,
    "check_for_addon_updates": False,
    "created": 1_700_000_000,
    "id": 1,
    "lastMsg": 0,
    "firstRun": False,
    "defaultLang": "en_US",
    "last_loaded_profile_name": PROFILE,
    "reduce_motion": True,
    "spacebar_rates_card": True,
    "answer_keys": {number: str(number) for number in range(1, 5)},
}
_OWN: dict[str, Any] = {
    "mainWindowGeom": None,
    "mainWindowState": None,
    "numBackups": 50,
    "lastOptimize": 2**40,
    "searchHistory": [],
    "syncKey": None,
    "syncMedia": True,
    "autoSync": False,
    "allowHTML": False,
    "importMode": 1,
    "lastColour": "#00f",
    "stripHTML": True,
    "deleteMedia": False,
    "autoSyncMediaMinutes": 15,  # from here on what is there once Preferences were open
    "customSyncUrl": "",
    "networkTimeout": 60,
}

_FONT = "DejaVu Sans"  # one that is installed: the dialog of fields would write another one in place of Arial
_OPTIONS = {
    "applyAllParentLimits": False,
    "cardStateCustomizer": "",
    "fsrsHealthCheck": True,
    "newCardsIgnoreReviewLimit": False,
    "randomOrderReposition": False,
    "shiftPositionOfExistingCards": False,
}


def main() -> None:
    """Make all of it."""
    (BASE / PROFILE).mkdir(parents=True)
    with sqlite3.connect(BASE / "prefs21.db") as profiles:
        profiles.execute("create table profiles (name text primary key collate nocase, data blob not null)")
        rows = (("_global", _META), (PROFILE, _OWN))
        profiles.executemany(
            "insert into profiles values (?, ?)", [(name, pickle.dumps(data, 4)) for name, data in rows]
        )
    profiles.close()
    (BASE / "gldriver6").write_text("software", encoding="utf-8")
    col = Collection(str(BASE / PROFILE / "collection.anki2"))
    _fill(col, json.load(sys.stdin))
    col.close()


def _fill(col: Collection, told: dict[str, Any]) -> None:
    col.set_preferences(
        col.get_preferences()
    )  # so that all are there, and what the first saving of deck options adds
    for name, value in _OPTIONS.items():
        col.set_config(name, value)
    for kind in col.models.all():
        for field in kind["flds"]:
            field["font"] = _FONT
        col.models.update_dict(kind)
    presets = {}
    for preset in told.get("presets", ()):
        made = col.decks.add_config(preset["name"])
        _merge(made, preset.get("options", {}))
        col.decks.update_config(made)
        presets[preset["name"]] = made["id"]
    for kind in told.get("note_types", ()):
        _note_type(col, kind)
    for deck in told.get("decks", ()):
        made = col.decks.get(col.decks.id(deck["name"]))
        if "preset" in deck:
            made["conf"] = presets[deck["preset"]]
        made["desc"] = deck.get("description", "")
        col.decks.save(made)
    for note in told.get("notes", ()):
        _note(col, note)
    for name, value in told.get("options", {}).items():
        col.set_config(name, value)
    for filtered in told.get("filtered", ()):
        _filtered(col, filtered)
    if "current" in told:
        col.decks.set_current(col.decks.id(told["current"]))


def _note_type(col: Collection, told: dict[str, Any]) -> None:
    """Copy a note type that is there under a name of its own, with other fields and templates."""
    kind = col.models.copy(col.models.by_name(told["like"]), add=False)
    kind["name"] = told["name"]
    if "fields" in told:
        kind["flds"] = []
        for name in told["fields"]:
            col.models.add_field(kind, col.models.new_field(name) | {"font": _FONT})
    if "templates" in told:
        kind["tmpls"] = []
        for template in told["templates"]:
            made = col.models.new_template(template["name"])
            made["qfmt"], made["afmt"] = template["front"], template["back"]
            col.models.add_template(kind, made)
    kind["css"] = told.get("css", kind["css"])
    col.models.add_dict(kind)


def _note(col: Collection, told: dict[str, Any]) -> None:
    note = col.new_note(col.models.by_name(told["type"]))
    note.fields = list(told["fields"])
    note.tags = list(told.get("tags", ()))
    col.add_note(note, DeckId(col.decks.id(told["deck"])))
    for card in note.cards():
        if told.get("interval"):
            card.type = card.queue = 2
            card.ivl, card.factor, card.reps = told["interval"], 2500, 3
            card.due = col.sched.today + told.get("due", told["interval"])
        card.lapses = told.get("lapses", 0)
        card.flags = told.get("flag", 0)
        if told.get("suspended"):
            card.queue = QUEUE_TYPE_SUSPENDED
        col.update_card(card)


def _filtered(col: Collection, told: dict[str, Any]) -> None:
    deck = col.sched.get_or_create_filtered_deck(DeckId(0))
    deck.name = told["name"]
    del deck.config.search_terms[:]
    deck.config.search_terms.append(
        FilteredDeckConfig.SearchTerm(search=told["search"], limit=told["limit"], order=told.get("order", 0))
    )
    col.sched.add_or_update_filtered_deck(deck)


def _merge(into: dict[str, Any], values: dict[str, Any]) -> None:
    for name, value in values.items():
        if isinstance(value, dict):
            _merge(into[name], value)
        else:
            into[name] = value


main()
