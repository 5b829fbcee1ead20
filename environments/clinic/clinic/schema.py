"""Reads the application tables back from SQLite, so that nothing has to be declared twice."""

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """An application table: its columns in order, which are boolean, and its primary key."""

    name: str
    columns: tuple[str, ...]
    booleans: frozenset[str]
    key: tuple[str, ...]


def tables(db: sqlite3.Connection) -> list[Table]:
    """Return all application tables by name; those of the world and of SQLite are left out."""
    names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    return [_table(db, name) for (name,) in names if not name.startswith(("_", "sqlite_"))]


def _table(db: sqlite3.Connection, name: str) -> Table:
    columns = db.execute("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", (name,)).fetchall()
    key = sorted((pk, column) for column, _, pk in columns if pk)
    if not key:
        raise ValueError(f"table {name} has no primary key")
    return Table(
        name=name,
        columns=tuple(column for column, _, _ in columns),
        booleans=frozenset(column for column, kind, _ in columns if kind == "BOOLEAN"),
        key=tuple(column for _, column in key),
    )
