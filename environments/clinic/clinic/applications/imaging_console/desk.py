"""What seeding needs at hand."""

import sqlite3
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from clinic import rows
from clinic.application import Seeding


@dataclass
class Desk:
    """The database, the draw, the time, and who works here."""

    db: sqlite3.Connection
    seeding: Seeding
    now: datetime
    users: dict[str, list[str]] = field(default_factory=dict)

    def load(self, name: str) -> dict[str, Any]:
        """Return written data of this application."""
        return self.seeding.fixtures.load(f"imaging_console/{name}")

    def insert(self, table: str, **values: Any) -> None:
        """Add a row."""
        rows.insert(self.db, table, **values)
