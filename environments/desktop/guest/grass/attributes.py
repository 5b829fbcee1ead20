"""Attribute tables as they stand in HOME, read without trusting the files that programs may have put there."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from guest.errors import Trouble
from guest.grass.modules import DATABASE, MAPSET

if TYPE_CHECKING:
    from guest.desk import Desk

_LONGEST = 16 * 1024 * 1024  # bytes of a database
_MOST_ROWS = 5_000  # of a table
_SECONDS = 4.0  # for a transaction to end, and for a hostile database to be read
_STEPS = 10_000  # instructions of SQLite between two looks at the clock

Collections = dict[str, dict[str, dict[str, Any]]]


@dataclass(slots=True)
class Attributes:
    """Reads the databases of locations; one that did not change is not read again."""

    _known: dict[str, tuple[str, Collections]] = field(default_factory=dict)

    async def read(self, desk: Desk, location: str) -> Collections:
        """Return a collection for each table (`countries`), and `columns` with the type of each column.

        Raises:
            Trouble: A transaction does not end, or the file is no database.
        """
        content = await _content(desk, f"{DATABASE}/{location}/{MAPSET}/sqlite/sqlite.db")
        digest = hashlib.sha256(content).hexdigest()
        if self._known.get(location, ("", {}))[0] != digest:
            self._known[location] = digest, await asyncio.to_thread(_tables, content, location)
        return self._known[location][1]


async def _content(desk: Desk, file: str) -> bytes:
    """Return a database between two transactions: while one runs, its journal lies beside the file."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        if not (desk.home / f"{file}-journal").exists():
            try:
                return desk.read(file)[:_LONGEST]
            except FileNotFoundError:
                return b""
        await asyncio.sleep(0.02)
    raise Trouble(f"a transaction on {file} did not end within {_SECONDS:g} s")


def _tables(content: bytes, location: str) -> Collections:
    found: Collections = {"columns": {}}
    if not content:
        return found
    end = time.monotonic() + _SECONDS
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)
        database.execute("PRAGMA trusted_schema = OFF")
        database.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        try:
            for name in _names(database):
                _table(database, location, name, found)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Trouble(f"the attribute tables of {location} cannot be read: {error}") from None
    return found


def _names(database: sqlite3.Connection) -> list[str]:
    return [
        row[0]
        for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    ]


def _table(database: sqlite3.Connection, location: str, name: str, found: Collections) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    columns = []
    for place, column, kind, *_ in database.execute(f"PRAGMA table_info({quoted})"):
        columns.append(column)
        found["columns"][f"{location}/{name}.{column}"] = {
            "location": location, "map": name, "name": column, "type": kind.lower(), "place": place,
        }  # fmt: skip
    rows: dict[str, dict[str, Any]] = {}
    for row in database.execute(f"SELECT * FROM {quoted} LIMIT {_MOST_ROWS}"):  # noqa: S608 - quoted
        values = {column: _plain(value) for column, value in zip(columns, row, strict=True)}
        key = str(values.get("cat", len(rows)))
        rows[key if key not in rows else f"{key}#{len(rows)}"] = values
    found[f"{location}/{name}"] = rows


def _plain(value: object) -> Any:
    return value.hex() if isinstance(value, bytes) else value
