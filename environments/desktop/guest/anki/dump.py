"""Prints as JSON what a copy of Anki's files holds.

The first line of stdin is an object with their `sizes` and the patterns `without` which rows and fields are told; then
come their bytes. Runs with Anki's library where no program of the desktop is (`guest/reading.py`).
"""

from __future__ import annotations

import html
import io
import json
import pickle
import re
import shlex
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from anki.collection import Collection

_TIMES = {"id", "mod", "usn", "did", "originalStockKind", "original_stock_kind", "ver"}
_OF_DECKS = {
    "name",
    "conf",
    "collapsed",
    "browserCollapsed",
    "newToday",
    "revToday",
    "lrnToday",
    "timeToday",
    "dyn",
}
_QUEUES = {-3: "buried", -2: "buried", -1: "suspended"}
_STEPS = ("terms", "resched", "delays", "previewDelay")


def main() -> None:
    """Read the files, and print."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    about = json.loads(sys.stdin.buffer.readline())
    sizes = about["sizes"]
    with tempfile.TemporaryDirectory() as folder:
        for name, size in sizes.items():
            Path(folder, name).write_bytes(sys.stdin.buffer.read(size))
        found: dict[str, Any] = {}
        if "collection.anki2" in sizes:
            col = Collection(f"{folder}/collection.anki2")
            found |= dump(col)
            col.close()
        if "prefs21.db" in sizes:
            found["preferences"] = dict(_preferences(f"{folder}/prefs21.db"))
    json.dump({name: dict(_kept(name, rows, about["without"])) for name, rows in found.items()}, sys.stdout)


def _kept(collection: str, rows: dict[str, Any], patterns: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows that fit no pattern, without the fields that fit one."""
    for key, row in rows.items():
        place = f"{collection}/{key}"
        if not _fits(place, patterns):
            yield key, {name: value for name, value in row.items() if not _fits(f"{place}:{name}", patterns)}


def _fits(place: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(place, pattern) for pattern in patterns)


def dump(col: Collection) -> dict[str, dict[str, Any]]:
    """Return everything in rows, but for the times and the numbers that Anki gives."""
    presets = {preset["id"]: preset for preset in col.decks.all_config()}
    decks = {deck["id"]: deck for deck in col.decks.all()}
    kinds = {kind["id"]: kind for kind in col.models.all()}
    found: dict[str, dict[str, Any]] = {
        "presets": {preset["name"]: _flat(preset, _TIMES | {"name"}) for preset in presets.values()},
        "decks": {},
        "note_types": {},
        "fields": {},
        "templates": {},
        "notes": {},
        "cards": {},
        "options": {
            name: _flat(value if isinstance(value, dict) else {"value": value}, set())
            for name, value in col.all_config().items()
        },
        "searches": {
            name: {"search": _words(text)}
            for name, text in (col.get_config("savedFilters", {}) or {}).items()
        },
    }
    for deck in decks.values():
        row = _flat(deck, _TIMES | _OF_DECKS)
        if not deck["dyn"]:
            row["preset"] = presets[deck["conf"]]["name"] if deck["conf"] in presets else ""
        row["filtered"] = bool(deck["dyn"])
        found["decks"][deck["name"]] = row
    for kind in kinds.values():
        _kind(found, kind, decks)
    for number, (nid,) in enumerate(col.db.execute("select id from notes order by id")):
        note = col.get_note(nid)
        kind = kinds[note.mid]
        key = _free(_text(note.fields[0]) or f"note {number}", found["notes"])
        found["notes"][key] = {
            "type": kind["name"],
            "tags": " ".join(sorted(note.tags)),
            **{f["name"]: text for f, text in zip(kind["flds"], note.fields, strict=False) if text},
        }
        for card in note.cards():
            name = kind["tmpls"][0 if kind["type"] else card.ord]["name"]
            found["cards"][f"{key}/{name}" + (f" {card.ord + 1}" if kind["type"] else "")] = {
                "deck": decks[card.did]["name"],
                "home": decks[card.odid]["name"] if card.odid else "",
                "state": _QUEUES.get(card.queue, "active"),
                "flag": card.flags & 7,
                "due": (card.odue or card.due) - (0 if card.type == 0 else col.sched.today),
                "kind": card.type,
                "interval": card.ivl,
                "lapses": card.lapses,
                "reviews": card.reps,
            }
    return found


def _kind(found: dict[str, dict[str, Any]], kind: dict[str, Any], decks: dict[int, Any]) -> None:
    name = kind["name"]
    row = _flat(kind, _TIMES | {"name", "flds", "tmpls", "req", "sortf", "tags", "vers"})
    row["sort field"] = kind["flds"][kind["sortf"]]["name"]
    row["fields"] = ", ".join(field["name"] for field in kind["flds"])
    row["templates"] = ", ".join(template["name"] for template in kind["tmpls"])
    found["note_types"][name] = row
    for field in kind["flds"]:
        found["fields"][f"{name}/{field['name']}"] = _flat(field, {"id", "name", "ord", "tag", "media"})
    for template in kind["tmpls"]:
        row = _flat(template, {"id", "name", "ord", "did"})
        for side in ("qfmt", "afmt"):
            row[side] = "\n".join(line.strip() for line in row[side].splitlines() if line.strip())
        row["deck"] = decks[template["did"]]["name"] if template.get("did") in decks else ""
        found["templates"][f"{name}/{template['name']}"] = row


def _flat(value: Any, without: set[str], path: str = "") -> dict[str, Any]:
    """Return the values within objects and lists of objects by their paths; a list of plain values is one text."""
    row: dict[str, Any] = {}
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for name, one in pairs:
        where = f"{path}.{name}" if path else str(name)
        if not path and name in without:
            continue
        if isinstance(one, dict) or (isinstance(one, list) and any(isinstance(x, dict | list) for x in one)):
            row |= _flat(one, without, where)
        elif isinstance(one, list):
            row[where] = " ".join(f"{x:g}" if isinstance(x, float) else str(x) for x in one)
        else:
            row[where] = round(one, 4) if isinstance(one, float) else one
    return row


def _words(search: str) -> str:
    """Return a search without its quotes, and its parts in one order."""
    try:
        return " ".join(sorted(shlex.split(search)))
    except ValueError:
        return search


def _text(field: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", field)).strip()[:80]


def _free(name: str, taken: dict[str, Any]) -> str:
    return next(
        key for key in (name, *(f"{name} ({n})" for n in range(2, len(taken) + 3))) if key not in taken
    )


class _Plain(pickle.Unpickler):
    """Reads values only; what is of a class becomes None."""

    def find_class(self, module: str, name: str) -> Any:
        return lambda *_: lambda *_: None


def _preferences(file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield those of the program, and those of the profile."""
    base = sqlite3.connect(file)
    for name, data in base.execute("select name, cast(data as blob) from profiles"):
        held = _Plain(io.BytesIO(data), errors="ignore").load()
        kept = {
            key: value
            for key, value in held.items()
            if isinstance(value, str | int | float | bool | dict | list)
        }
        yield name, _flat(kept, set())
    base.close()


main()
