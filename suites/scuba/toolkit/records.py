"""An org's state as records: found by id, by name and by what they hold."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from unicodedata import normalize

from pytest_cuabench.task.evidence import State

Row = Mapping[str, Any]
NAMES = ("MasterLabel", "Label", "Name", "Subject", "Title", "label", "masterLabel", "fullName")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_QUOTES = {ord(mark): "'" for mark in "‘’"} | {ord(mark): '"' for mark in "“”"}
_TAG = re.compile(r"<[^>]*>")
_BLOCK = re.compile(
    r"</?(?:p|div|br|hr|li|ul|ol|h[1-6]|table|tr|td|th|tbody|thead|blockquote|pre)\b[^>]*>", re.I
)


def fold(value: Any) -> str:
    """Return a text without what nobody would call a difference: case, dashes, quotes, spaces, Unicode's forms."""
    return " ".join(normalize("NFC", str(value or "")).translate(_DASHES | _QUOTES).split()).casefold()


def same(one: Any, other: Any) -> bool:
    """Whether two values of a field mean the same; an empty text is no value."""
    if isinstance(one, str) or isinstance(other, str):
        return fold(one) == fold(other)
    return bool((one if one is not None else None) == other)


def same_text(one: Any, other: Any) -> bool:
    """Whether two texts mean the same but for a full stop at the end."""
    return fold(one).removesuffix(".") == fold(other).removesuffix(".")


def plain(text: Any) -> str:
    """Return what is to be read of a rich text; tags within a line, such as bold ones, divide no words."""
    lines = _TAG.sub("", _BLOCK.sub(" ", str(text or "")))
    return " ".join(html.unescape(lines).split())


def called(row: Row) -> str:
    """Return what a record is called; a person without a stored name is first and last name."""
    named = next((str(row[name]) for name in NAMES if row.get(name)), "")
    return named or " ".join(filter(None, (row.get("FirstName"), row.get("LastName"))))


class Records:
    """All records of one state."""

    def __init__(self, state: State) -> None:
        self.state = state

    @property
    def today(self) -> date:
        """The date in the org."""
        return date.fromisoformat((self.state.clock or "")[:10])

    def all(self, object: str) -> list[Row]:
        """Return the records of an object, each with its `Id`."""
        return [{**row, "Id": key} for key, row in self.state.collections.get(object, {}).items()]

    def where(self, object: str, **equal: Any) -> list[Row]:
        """Return the records whose fields mean the same as the given values."""
        return [
            row
            for row in self.all(object)
            if all(same(row.get(name), value) for name, value in equal.items())
        ]

    def named(self, object: str, name: str) -> list[Row]:
        """Return the records that are called so."""
        return [row for row in self.all(object) if same(called(row), name)]

    def one(self, object: str, name: str, **equal: Any) -> Row:
        """Return the one record that is called so.

        Raises:
            LookupError: None is, or several are.
        """
        found = [
            row
            for row in self.named(object, name)
            if all(same(row.get(field), value) for field, value in equal.items())
        ]
        if len(found) != 1:
            raise LookupError(f"{len(found)} records of {object} are called {name!r}, one was expected")
        return found[0]

    def get(self, object: str, id: str | None) -> Row | None:
        """Return a record by its id."""
        row = self.state.collections.get(object, {}).get(id or "")
        return None if row is None else {**row, "Id": id}

    def find(self, id: str) -> Row:
        """Return a record by its id, whatever its object; an empty one where there is none."""
        tables = self.state.collections.values()
        return next(({**table[id], "Id": id} for table in tables if id in table), {})

    def name(self, object: str, id: str | None) -> str:
        """Return what a record is called, by its id; empty where there is none."""
        row = self.get(object, id)
        return called(row) if row else ""
