"""The only place that puts column names into SQL; they come from our own code and are checked all the same."""

import sqlite3
from typing import Any


def _name(identifier: str) -> str:
    if not identifier.isidentifier():
        raise ValueError(f"{identifier!r} cannot name a table or column")
    return f'"{identifier}"'


def insert(db: sqlite3.Connection, table: str, **values: Any) -> None:
    """Add a row."""
    columns, marks = ", ".join(map(_name, values)), ", ".join("?" * len(values))
    statement = f"INSERT INTO {_name(table)} ({columns}) VALUES ({marks})"  # noqa: S608 - checked names
    db.execute(statement, tuple(values.values()))


def update(db: sqlite3.Connection, table: str, where: dict[str, Any], **values: Any) -> int:
    """Change the rows that have the given values; return how many there were."""
    changes = ", ".join(f"{_name(name)} = ?" for name in values)
    condition = " AND ".join(f"{_name(name)} = ?" for name in where)
    statement = f"UPDATE {_name(table)} SET {changes} WHERE {condition}"  # noqa: S608 - checked names
    return db.execute(statement, (*values.values(), *where.values())).rowcount


def read_all(db: sqlite3.Connection, table: str, order: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return all rows in the order of some columns."""
    statement = f"SELECT * FROM {_name(table)} ORDER BY {', '.join(map(_name, order))}"  # noqa: S608 - checked names
    return [dict(row) for row in db.execute(statement)]
