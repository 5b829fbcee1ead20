"""Writes rows into a copy of OpenEMR's database, and verifies that they stand there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pymysql.connections import Connection

from openemr.tables import Table

Rows = Mapping[str, list[dict[str, Any]]]
"""By table, the rows to write; all rows of a table have the same columns, those of the key among them.

A table without a key holds these rows alone.
"""


class SeedError(Exception):
    """Raised when OpenEMR's tables are not those that this world knows, or did not take a row."""


def seed_into(connection: Connection, rows: Rows, tables: Mapping[str, Table]) -> None:
    """Write rows into the chosen database, over those of the same keys, and read them back.

    Raises:
        SeedError: A table or column is missing, or a row does not stand there as it was written.
    """
    for name, wanted in rows.items():
        columns = list(wanted[0])
        _check(name, columns, tables)
        listed = ", ".join(f"`{column}`" for column in columns)
        keys = [column.name for column in tables[name].columns if column.in_key]
        with connection.cursor() as cursor:
            if not keys:
                cursor.execute(f"DELETE FROM `{name}`")
            places = ", ".join(["%s"] * len(columns))
            over = ", ".join(f"`{column}` = VALUES(`{column}`)" for column in columns)
            cursor.executemany(
                f"INSERT INTO `{name}` ({listed}) VALUES ({places}) ON DUPLICATE KEY UPDATE {over}",
                [tuple(row.values()) for row in wanted],
            )
            cursor.execute(f"SELECT {listed} FROM `{name}`")
            stored = [dict(zip(columns, values, strict=True)) for values in cursor.fetchall()]
        found = {_key(row, keys or columns): row for row in stored}
        for row in wanted:
            _verify(name, row, found.get(_key(row, keys or columns)))


def _check(name: str, columns: list[str], tables: Mapping[str, Table]) -> None:
    if name not in tables:
        raise SeedError(f"OpenEMR has no table {name}; this world knows OpenEMR 7.0.2")
    known = {column.name for column in tables[name].columns}
    if missing := [column for column in columns if column not in known]:
        raise SeedError(
            f"OpenEMR's table {name} has no column {', '.join(missing)}; this world knows OpenEMR 7.0.2"
        )


def _key(row: Mapping[str, Any], keys: list[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in keys)


def _verify(name: str, row: Mapping[str, Any], found: Mapping[str, Any] | None) -> None:
    if found is None:
        raise SeedError(f"{name}: the row {next(iter(row.values()))} was not written")
    for column, wanted in row.items():
        if _plain(wanted) != _plain(found[column]):
            raise SeedError(
                f"{name}.{column} was written as {wanted!r}, and stands there as {found[column]!r}"
            )


def _plain(value: Any) -> str:
    """Return a value as text; numbers of the same size are the same."""
    if isinstance(value, bytes):
        return value.hex()
    try:
        return str(float(value))
    except (TypeError, ValueError):
        return str(value)
