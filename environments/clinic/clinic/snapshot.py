"""The state of a session as plain JSON values, and its fingerprint."""

import hashlib
import json
import sqlite3
from collections.abc import Set as AbstractSet
from typing import Any

from clinic import rows, schema

Collections = dict[str, dict[str, dict[str, Any]]]


def collections(db: sqlite3.Connection) -> Collections:
    """Return every application table as {primary key: row}."""
    return {table.name: _rows(db, table) for table in schema.tables(db)}


def _rows(db: sqlite3.Connection, table: schema.Table) -> dict[str, dict[str, Any]]:
    found = rows.read_all(db, table.name, table.key)
    return {"|".join(str(row[name]) for name in table.key): _json_row(table, row) for row in found}


def _json_row(table: schema.Table, row: dict[str, Any]) -> dict[str, Any]:
    for name in table.booleans:
        row[name] = None if row[name] is None else bool(row[name])
    return row


def fingerprint(state: Collections, ephemeral: AbstractSet[str]) -> str:
    """Return a hash of everything that is not ephemeral, the same in every process."""
    lasting = {name: table for name, table in state.items() if name not in ephemeral}
    canonical = json.dumps(lasting, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
