"""The database behind OpenEMR: a copy for each site, a journal of every write, and the way back.

openemr          as OpenEMR installed it, or as an address file names it; nobody plays in it
cua_...          the copy that a session plays in; triggers of the administrator note each write
cuabench         the journals, one table for each copy; OpenEMR's own user cannot see them
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.connections import Connection

from openemr.seeding import Rows, SeedError, seed_into
from openemr.tables import CLINICAL, NOTES, OF_PATIENTS, Table, tables_of

JOURNALS = "cuabench"
_QUIET = "@cuabench_quiet"  # set in the connection whose writes are ours


@dataclass
class Server:
    """The database server, as its administrator.

    Args:
        where: What PyMySQL needs to connect: a socket or a host and port, user and password.
        user: Whom OpenEMR connects as.
        base: The database of its default site.
    """

    where: dict[str, Any] = field(repr=False)
    user: str = "openemr"
    base: str = "openemr"

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """Connect as the administrator, with OpenEMR's own leniency about missing values."""
        connection = pymysql.connect(**self.where, charset="utf8mb4", autocommit=True, connect_timeout=10)
        try:
            run(connection, f"SET SESSION sql_mode = '', foreign_key_checks = 0, {_QUIET} = 1")
            yield connection
        finally:
            connection.close()

    def number_of(self, user: str) -> int:
        """Return OpenEMR's number of a user.

        Raises:
            SeedError: OpenEMR has no user of this name.
        """
        with self.connected() as connection:
            found = run(connection, f"SELECT id FROM `{self.base}`.users WHERE username = %s", user)
        if not found:
            raise SeedError(f"OpenEMR knows no user {user}")
        return int(found[0][0])

    def tables(self) -> dict[str, Table]:
        """Return all tables of OpenEMR."""
        with self.connected() as connection:
            return tables_of(
                run(
                    connection,
                    "SELECT c.table_name, c.column_name, c.column_type, c.column_key"
                    " FROM information_schema.columns c JOIN information_schema.tables t"
                    " USING (table_schema, table_name)"
                    " WHERE c.table_schema = %s AND t.table_type = 'BASE TABLE'"
                    " ORDER BY c.table_name, c.ordinal_position",
                    self.base,
                )
            )


class Copy:
    """One copy of OpenEMR's database, with its journal."""

    def __init__(self, server: Server, database: str) -> None:
        self._server, self._tables = server, server.tables()
        self.database = database
        self._journal = f"`{JOURNALS}`.`{self.database}`"
        self._seeded: frozenset[str] = frozenset()

    def make(self) -> None:
        """Copy all tables, and note every write from now on."""
        with self._server.connected() as connection:
            run(connection, f"CREATE DATABASE IF NOT EXISTS `{JOURNALS}`")
            run(connection, f"CREATE DATABASE `{self.database}` CHARACTER SET utf8mb4")
            run(
                connection,
                f"CREATE TABLE {self._journal} (id BIGINT AUTO_INCREMENT PRIMARY KEY, collection VARCHAR(64),"
                " pk VARCHAR(255), op VARCHAR(6), `before` LONGTEXT, `after` LONGTEXT)",
            )
            for name, table in self._tables.items():
                run(
                    connection, f"CREATE TABLE `{self.database}`.`{name}` LIKE `{self._server.base}`.`{name}`"
                )
                self._fill(connection, name)
                if name not in NOTES:
                    for trigger in self._triggers(table):
                        run(connection, trigger)
            hosts = run(connection, "SELECT Host FROM mysql.user WHERE User = %s", self._server.user)
            for (host,) in hosts:
                run(connection, f"GRANT ALL ON `{self.database}`.* TO %s@%s", self._server.user, host)

    def restore(self, rows: Rows) -> float:
        """Bring back what OpenEMR installed, seed it, and verify that; return the seconds that took.

        Raises:
            SeedError: A row that was written does not stand there.
        """
        began = time.monotonic()
        with self._server.connected() as connection:
            written = {one for (one,) in run(connection, f"SELECT DISTINCT collection FROM {self._journal}")}
            stale = (written | NOTES | self._seeded) & self._tables.keys()
            for name in sorted(stale):
                run(connection, f"TRUNCATE `{self.database}`.`{name}`")
                self._fill(connection, name)
            run(connection, f"TRUNCATE {self._journal}")
            self._seeded = frozenset(rows)
            run(connection, f"USE `{self.database}`")
            seed_into(connection, rows, self._tables)
        return time.monotonic() - began

    def collections(self) -> dict[str, dict[str, Any]]:
        """Return the clinical tables whole, and what OpenEMR's own log says of logins."""
        found: dict[str, dict[str, Any]] = {}
        with self._server.connected() as connection:
            run(connection, f"USE `{self.database}`")
            for name in CLINICAL:
                if table := self._tables.get(name):
                    rows = run(connection, f"SELECT {table.key()}, {table.row()} FROM `{name}`")
                    found[name] = {str(key): json.loads(row) for key, row in rows}
            logins = run(connection, "SELECT id, user, success FROM log WHERE event = 'login' ORDER BY id")
        found["logins"] = {str(key): {"user": user, "ok": bool(ok)} for key, user, ok in logins}
        return found

    def journal(self) -> list[dict[str, Any]]:
        """Return every write since the reset, in order."""
        with self._server.connected() as connection:
            rows = run(
                connection, f"SELECT collection, pk, op, `before`, `after` FROM {self._journal} ORDER BY id"
            )
        return [
            {
                "collection": collection,
                "key": key,
                "op": op,
                "before": json.loads(before) if before else None,
                "after": json.loads(after) if after else None,
            }
            for collection, key, op, before, after in rows
        ]

    def revision(self) -> int:
        """Return how many writes and logins there were since the reset."""
        with self._server.connected() as connection:
            writes = f"(SELECT COUNT(*) FROM {self._journal})"
            logins = f"(SELECT COUNT(*) FROM `{self.database}`.log WHERE event = 'login')"
            ((number,),) = run(connection, f"SELECT {writes} + {logins}")
        return int(number)

    def drop(self) -> None:
        """Remove the copy and its journal."""
        with self._server.connected() as connection:
            run(connection, f"DROP DATABASE IF EXISTS `{self.database}`")
            run(connection, f"DROP TABLE IF EXISTS {self._journal}")

    def _fill(self, connection: Connection, name: str) -> None:
        """Copy a table's rows, but no patients: those of a seed have the same numbers."""
        if name not in OF_PATIENTS:
            run(
                connection,
                f"INSERT INTO `{self.database}`.`{name}` SELECT * FROM `{self._server.base}`.`{name}`",
            )

    def _triggers(self, table: Table) -> Iterator[str]:
        old, new = table.row("OLD"), table.row("NEW")
        yield self._trigger(table, "insert", table.key("NEW"), "NULL", new)
        yield self._trigger(table, "update", table.key("NEW"), old, new, f" AND {old} <> {new}")
        yield self._trigger(table, "delete", table.key("OLD"), old, "NULL")

    def _trigger(self, table: Table, op: str, key: str, before: str, after: str, more: str = "") -> str:
        return (
            f"CREATE TRIGGER `{self.database}`.`cua_{op}_{table.name}` AFTER {op} ON"
            f" `{self.database}`.`{table.name}` FOR EACH ROW IF {_QUIET} IS NULL{more} THEN"
            f" INSERT INTO {self._journal} (collection, pk, op, `before`, `after`)"
            f" VALUES ('{table.name}', {key}, '{op}', {before}, {after}); END IF"
        )


def run(connection: Connection, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Run one statement and return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return list(cursor.fetchall())
