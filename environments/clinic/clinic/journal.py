"""The journal of every committed change, written by triggers that no application can forget."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from clinic.schema import Table


def watch(db: sqlite3.Connection, tables: Iterable[Table]) -> None:
    """Make SQLite record each insert, update and delete on the tables from now on."""
    for table in tables:
        for op, before, after in (
            ("insert", None, "NEW"),
            ("update", "OLD", "NEW"),
            ("delete", "OLD", None),
        ):
            db.execute(_trigger(table, op, before, after))


def _trigger(table: Table, op: str, before: str | None, after: str | None) -> str:
    changed = " OR ".join(f'OLD."{name}" IS NOT NEW."{name}"' for name in table.columns)
    condition = f"WHEN {changed} " if op == "update" else ""
    values = ", ".join(
        (
            "(SELECT request FROM _moment)",
            f"'{table.name}'",
            _key(table, after or before),
            f"'{op}'",
            _row(table, before),
            _row(table, after),
        )
    )
    columns = "request, collection, key, op, before, after"
    record = f"INSERT INTO _journal ({columns}) VALUES ({values})"  # noqa: S608 - names of our own schema
    moment = f'AFTER {op.upper()} ON "{table.name}"'
    return f'CREATE TRIGGER "_watch_{table.name}_{op}" {moment} {condition}BEGIN {record}; END'


def _key(table: Table, image: str | None) -> str:
    return " || '|' || ".join(f'CAST({image}."{name}" AS TEXT)' for name in table.key)


def _row(table: Table, image: str | None) -> str:
    if image is None:
        return "NULL"
    return f"json_object({', '.join(_field(table, image, name) for name in table.columns)})"


def _field(table: Table, image: str, name: str) -> str:
    value = f'{image}."{name}"'
    if name in table.booleans:
        value = f"json(CASE WHEN {value} IS NULL THEN 'null' WHEN {value} THEN 'true' ELSE 'false' END)"
    return f"'{name}', {value}"


def length(db: sqlite3.Connection) -> int:
    """Return the number of changes so far, which is the revision of the state."""
    count: int = db.execute("SELECT coalesce(max(n), 0) FROM _journal").fetchone()[0]
    return count


def entries(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the whole journal, oldest first."""
    query = "SELECT n, request, collection, key, op, before, after FROM _journal ORDER BY n"
    return [_entry(row) for row in db.execute(query)]


def _entry(row: sqlite3.Row) -> dict[str, Any]:
    entry = dict(row)
    for image in ("before", "after"):
        entry[image] = json.loads(entry[image]) if entry[image] is not None else None
    return entry
