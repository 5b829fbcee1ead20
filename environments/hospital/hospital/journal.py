"""Triggers that note every change of a database, by any program, and how those notes are read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

_OWN = "cua_journal"
_WATCHED = ("ir_attachment", "ir_note", "res_user")  # of Tryton's own tables; the others only note who looked
_AT_ONCE = 40  # pairs in one JSON object: SQLite limits the arguments of a function
_UNTOLD = frozenset({"create_date", "create_uid", "write_date", "write_uid", "password_hash", "photo"})


def watch(database: sqlite3.Connection) -> None:
    """Add the journal to a database."""
    database.execute(
        f"CREATE TABLE {_OWN} (n INTEGER PRIMARY KEY, tab TEXT, id INTEGER, op TEXT, old TEXT, new TEXT)"
    )
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        if table in _WATCHED or not table.startswith(("ir_", "res_", "sqlite_", "cua_")):
            for trigger in _triggers(database, table):
                database.execute(trigger)


def _triggers(database: sqlite3.Connection, table: str) -> Iterator[str]:
    columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
    told = [name for name in columns if name not in _UNTOLD]
    if "id" not in columns:
        return
    for op, event, side in (
        ("insert", "INSERT", "new"),
        ("update", "UPDATE", "new"),
        ("delete", "DELETE", "old"),
    ):
        old = _row(told, "old") if op != "insert" else "NULL"
        new = _row(told, "new") if op != "delete" else "NULL"
        yield (
            f'CREATE TRIGGER "cua_{op}_{table}" AFTER {event} ON "{table}" BEGIN INSERT INTO {_OWN} '
            f"(tab, id, op, old, new) VALUES ('{table}', {side}.id, '{op}', {old}, {new}); END"
        )


def _row(columns: list[str], side: str) -> str:
    """Return an expression for a row, as a list of JSON objects."""
    parts = [columns[at : at + _AT_ONCE] for at in range(0, len(columns), _AT_ONCE)]
    objects = (", ".join(f"'{name}', {side}.\"{name}\"" for name in part) for part in parts)
    return f"json_array({', '.join(f'json_object({each})' for each in objects)})"


def forget(database: sqlite3.Connection) -> None:
    """Begin the journal anew."""
    database.execute(f"DELETE FROM {_OWN}")


def read(database: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return all writes that changed something."""
    found = []
    rows = database.execute(f"SELECT n, tab, id, op, old, new FROM {_OWN} ORDER BY n")
    for _, table, key, op, old, new in rows:
        before, after = _joined(old), _joined(new)
        if before != after:
            found.append({"collection": table, "key": str(key), "op": op, "before": before, "after": after})
    return found


def _joined(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    joined: dict[str, Any] = {}
    for part in json.loads(text):
        joined |= part
    return joined


def collection(database: sqlite3.Connection, table: str) -> dict[str, dict[str, Any]]:
    """Return a table whole, with the same fields as in the journal."""
    cursor = database.execute(f'SELECT * FROM "{table}"')
    names = [each[0] for each in cursor.description]
    rows = (dict(zip(names, row, strict=True)) for row in cursor)
    return {str(row["id"]): {name: row[name] for name in names if name not in _UNTOLD} for row in rows}
