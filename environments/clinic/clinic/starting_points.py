"""Seeded databases, built once per (application, seed) and copied for every session."""

import sqlite3
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from clinic import clock, journal, schema, snapshot
from clinic.application import Application, Seeding
from clinic.fixtures import Fixtures
from clinic.toolkit import COMMON_EPHEMERAL, COMMON_SCHEMA

KERNEL = Path(__file__).with_name("kernel.sql")
CAPACITY = 64


def connect() -> sqlite3.Connection:
    """Open an empty in-memory database with explicit transactions."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA recursive_triggers = ON")  # REPLACE must be journalled as delete + insert
    return db


@dataclass(frozen=True)
class StartingPoint:
    """A seeded database that nobody writes to."""

    db: sqlite3.Connection
    fingerprint: str

    def copy(self) -> sqlite3.Connection:
        """Return a database of its own with this content."""
        db = connect()
        self.db.backup(db)
        return db


def build(application: Application, seed: int, fixtures: Fixtures) -> StartingPoint:
    """Create the tables, let the application fill them, then start the journal."""
    db = connect()
    for part in (KERNEL.read_text(encoding="utf-8"), COMMON_SCHEMA, application.schema):
        db.executescript(part)
    db.execute("BEGIN")
    clock.start(db, application.seed(db, Seeding(application.name, seed, fixtures)))
    journal.watch(db, schema.tables(db))
    db.execute("COMMIT")
    ephemeral = application.ephemeral | COMMON_EPHEMERAL
    return StartingPoint(db, snapshot.fingerprint(snapshot.collections(db), ephemeral))


@dataclass
class StartingPoints:
    """The most recently used starting points."""

    fixtures: Fixtures
    _kept: OrderedDict[tuple[str, int], StartingPoint] = field(default_factory=OrderedDict)

    def get(self, application: Application, seed: int) -> StartingPoint:
        """Return the starting point, building it at its first use."""
        wanted = (application.name, seed)
        if wanted not in self._kept:
            self._kept[wanted] = build(application, seed, self.fixtures)
        self._kept.move_to_end(wanted)
        while len(self._kept) > CAPACITY:
            self._kept.popitem(last=False)[1].db.close()
        return self._kept[wanted]
