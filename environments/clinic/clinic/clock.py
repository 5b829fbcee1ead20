"""The clinical clock: frozen, and moved one minute by each POST that wrote something."""

import sqlite3
from datetime import datetime, timedelta

STEP = timedelta(minutes=1)


def text(moment: datetime) -> str:
    """Return the one text form of a time in the database and in reports."""
    return moment.isoformat(timespec="minutes")


def start(db: sqlite3.Connection, moment: datetime) -> None:
    """Set the clock of a new world."""
    db.execute("INSERT INTO _moment (id, clock) VALUES (1, ?)", (text(moment),))


def now(db: sqlite3.Connection) -> datetime:
    """Return the clinical time."""
    return datetime.fromisoformat(db.execute("SELECT clock FROM _moment").fetchone()[0])


def advance(db: sqlite3.Connection) -> None:
    """Let one clinical minute pass."""
    db.execute("UPDATE _moment SET clock = ?", (text(now(db) + STEP),))
