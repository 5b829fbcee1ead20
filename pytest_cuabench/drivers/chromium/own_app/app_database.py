"""The SQLite database of a user's own application, read and copied while the application has it open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

_WAIT = 30.0  # seconds to wait for a lock of the application


def read_rows(file: Path, queries: Mapping[str, str]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the rows of queries by id (the first column), read in one transaction.

    Raises:
        ValueError: Two rows of a query have one id.
        sqlite3.Error: The file is missing or no database, or a query is wrong.
    """
    with _opened(file) as database:
        database.execute("BEGIN")
        return {name: _rows(database, name, query) for name, query in queries.items()}


def copy_database(source: Path, target: Path) -> None:
    """Copy with SQLite's backup API, which is one atomic write for an application that has the target open."""
    with _opened(source) as old, closing(sqlite3.connect(target, timeout=_WAIT)) as new:
        new.execute("PRAGMA synchronous = OFF")  # after a power cut it is copied again
        old.backup(new)


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open an existing database for reading."""
    address = f"{file.resolve().as_uri()}?mode=ro"
    # Without an isolation level the module begins no transactions; `read_rows` begins its own.
    with closing(sqlite3.connect(address, uri=True, isolation_level=None, timeout=_WAIT)) as database:
        yield database


def _rows(database: sqlite3.Connection, name: str, query: str) -> dict[str, dict[str, Any]]:
    found = database.execute(query)
    columns = [column[0] for column in found.description or ()]
    rows = [dict(zip(columns, map(_plain, row), strict=True)) for row in found]
    by_id = {str(row[columns[0]]): row for row in rows}
    if len(by_id) != len(rows):
        raise ValueError(f"queries.{name}: its first column, {columns[0]}, is not different in each row")
    return by_id


def _plain(value: Any) -> Any:
    """Return a value that JSON can represent."""
    return value.hex() if isinstance(value, bytes) else value
