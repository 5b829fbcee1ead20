"""A MariaDB of Debian with the tables that this repository knows of OpenEMR, and a hand that writes like OpenEMR."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymysql
import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SCHEMA = Path(__file__).parent / "worlds" / "openemr" / "schema.sql"
FIXTURES = REPOSITORY / "fixtures" / "openemr"
for program in ("openemr", "kit"):
    if (folder := str(REPOSITORY / "environments" / program)) not in sys.path:
        sys.path.insert(0, folder)

from openemr.mariadb import Server  # noqa: E402

_NEEDED = ("mariadbd", "mariadb-install-db")


@contextmanager
def database() -> Iterator[Server]:
    """Start a server of its own, reached over a socket in a private folder, and end it."""
    lacking = [name for name in _NEEDED if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")]
    if lacking:
        pytest.skip(f"{', '.join(lacking)} is not installed; type: sudo apt install mariadb-server")
    folder = Path(tempfile.mkdtemp(prefix="cua-db-"))  # short: socket paths are limited
    as_user = []
    if os.geteuid() == 0:
        shutil.chown(folder, "mysql")
        as_user = ["--user=mysql"]
    temporary = folder / "tmp"  # a server that starts deletes what another one keeps in a common folder
    temporary.mkdir()
    if as_user:
        shutil.chown(temporary, "mysql")
    where = ["--no-defaults", f"--datadir={folder / 'data'}", f"--tmpdir={temporary}", *as_user]
    path = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    prepare = ["--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(["mariadb-install-db", *where, *prepare], check=True, capture_output=True, env=path)
    quick = ["--skip-log-bin", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0"]
    process = subprocess.Popen(
        ["mariadbd", *where, f"--socket={folder / 's'}", "--skip-networking", *quick],
        stdout=subprocess.DEVNULL,
        stderr=(folder / "log").open("wb"),
        env=path,
    )
    try:
        server = Server({"unix_socket": str(folder / "s"), "user": "root", "password": ""})
        _wait_for(server, process, folder / "log")
        _install(server)
        yield server
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        with suppress(pymysql.Error), server.connected():
            return
        time.sleep(0.05)
    raise AssertionError(f"MariaDB did not start: {log.read_text(errors='replace')[-500:]}")


def _install(server: Server) -> None:
    """Make the tables as the image would have made them, and the user whom OpenEMR connects as."""
    with server.connected() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE openemr")
        cursor.execute("USE openemr")
        lines = (line for line in SCHEMA.read_text(encoding="utf-8").splitlines() if line[:2] != "--")
        for statement in "\n".join(lines).split(";"):
            if statement.strip():
                cursor.execute(statement)
        cursor.execute("CREATE USER 'openemr'@'%' IDENTIFIED BY 'secret'")


@dataclass
class Running:
    """What stands for the containers: the database is real, and a test may bring pages."""

    server: Server
    address: str = "http://127.0.0.1:9"
    username: str = "admin"
    password: str = "Cua-secret"
    sites: dict[str, str] = field(default_factory=dict)

    def add_site(self, site: str, database: str) -> None:
        """Note a site."""
        self.sites[site] = database

    def remove_site(self, site: str) -> None:
        """Forget a site."""
        self.sites.pop(site, None)


class Hand:
    """Writes into a session's database as OpenEMR's own user, which is all that OpenEMR may do."""

    def __init__(self, server: Server, database: str) -> None:
        self._connection = pymysql.connect(
            **{**server.where, "user": "openemr", "password": "secret"}, database=database, autocommit=True
        )
        self.run("SET SESSION sql_mode = ''")

    def run(self, statement: str, *values: Any) -> int:
        """Run a statement; return the number of the row that it inserted."""
        with self._connection.cursor() as cursor:
            cursor.execute(statement, values or None)
            return int(cursor.lastrowid or 0)

    def insert(self, table: str, **values: Any) -> int:
        """Insert a row."""
        columns, places = ", ".join(f"`{name}`" for name in values), ", ".join(["%s"] * len(values))
        return self.run(f"INSERT INTO `{table}` ({columns}) VALUES ({places})", *values.values())

    def close(self) -> None:
        """Disconnect."""
        self._connection.close()
