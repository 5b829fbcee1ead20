"""What writing an intensive care unit's patients needs."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.toolkit.people import Registry


@dataclass(frozen=True)
class Unit:
    """What writing needs: the database, people, staff ids by role, and the time."""

    db: sqlite3.Connection
    seeding: Seeding
    registry: Registry
    staff: dict[str, list[str]]
    now: datetime

    def load(self, name: str) -> dict[str, Any]:
        """Return a fixture of this application."""
        return self.seeding.fixtures.load(f"icu_bedside/{name}")

    def ago(self, minutes: int) -> str:
        """Return a time in the past."""
        return clock.text(self.now - timedelta(minutes=minutes))

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)

    def nurse(self, stream: random.Random) -> str:
        """Return the id of a colleague."""
        return stream.choice(self.staff["staff_nurse"])

    def doctor(self, stream: random.Random) -> str:
        """Return the name of a physician."""
        user_id = stream.choice(self.staff["physician"])
        return str(self.db.execute("SELECT name FROM users WHERE user_id = ?", (user_id,)).fetchone()[0])
