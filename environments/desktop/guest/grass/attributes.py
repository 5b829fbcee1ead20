"""Reads attribute tables from HOME, without trusting the files."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from guest.applications.base import Desk
from guest.grass.modules import DATABASE, MAPSET
from guest.timeouts import scaled

_LONGEST = 16 * 1024 * 1024  # bytes of a database
_MOST_ROWS = 5_000  # of a table
_WAIT_SECONDS = scaled(4.0)  # for a transaction to end
_CPU_SECONDS = 2.0  # for a hostile database; ours take milliseconds
_STEPS = 10_000  # SQLite instructions between two checks of the time

Collections = dict[str, dict[str, dict[str, Any]]]


@dataclass(slots=True)
class Attributes:
    """Reads the databases of locations; unchanged ones are cached."""

    _known: dict[str, tuple[str, Collections]] = field(default_factory=dict)

    async def read(self, desktop: Desk, location: str) -> Collections:
        """Return a collection for each table (`countries`), and `columns` with the type of each column.

        A file that is not a database yields only a row of `unreadable` that says why.
        """
        content = await _content(desktop, f"{DATABASE}/{location}/{MAPSET}/sqlite/sqlite.db")
        digest = hashlib.sha256(content).hexdigest()
        if self._known.get(location, ("", {}))[0] != digest:
            self._known[location] = digest, await asyncio.to_thread(_tables, content, location)
        return self._known[location][1]


async def _content(desktop: Desk, file: str) -> bytes:
    """Return a database's content between transactions: a running one has a journal file.

    A journal that stays is ignored: its program has died.
    """
    end = time.monotonic() + _WAIT_SECONDS
    while os.path.lexists(desktop.home / f"{file}-journal") and time.monotonic() < end:
        await asyncio.sleep(0.02)
    try:
        return desktop.read(file)[:_LONGEST]
    except OSError:
        return b""


def _tables(content: bytes, location: str) -> Collections:
    found: Collections = {"columns": {}}
    if not content:
        return found
    end = time.thread_time() + _CPU_SECONDS
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)
        database.text_factory = lambda text: text.decode(errors="backslashreplace")
        database.execute("PRAGMA trusted_schema = OFF")
        database.set_progress_handler(lambda: time.thread_time() > end, _STEPS)
        try:
            for name in _names(database):
                _table(database, location, name, found)
        except (sqlite3.Error, OverflowError) as error:
            return {"columns": {}, "unreadable": {f"{location}/tables": {"reason": str(error)}}}
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
