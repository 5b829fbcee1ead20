"""What an application has to declare to be served."""

import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from starlette.responses import Response

from clinic.fixtures import Fixtures
from clinic.visit import Visit

Handler = Callable[[Visit], Response]


@dataclass(frozen=True)
class Page:
    """One address of an application; `anyone` marks those that need no login."""

    method: str
    path: str
    handler: Handler
    anyone: bool = False


@dataclass(frozen=True)
class Seeding:
    """What a seed function may draw from: fixtures and named random streams, never the wall clock."""

    application: str
    seed: int
    fixtures: Fixtures

    def stream(self, purpose: str) -> random.Random:
        """Return a stream of its own per purpose, so that adding a draw to one leaves the others alone."""
        return random.Random(f"{self.application}:{self.seed}:{purpose}")  # noqa: S311 - repeatable on purpose


@dataclass(frozen=True)
class Application:
    """A simulated product: its schema, how a seed fills it, and its pages."""

    name: str
    folder: Path
    seed: Callable[[sqlite3.Connection, Seeding], datetime]
    pages: tuple[Page, ...]
    ephemeral: frozenset[str] = frozenset()
    words: dict[str, Any] = field(default_factory=dict)

    @property
    def schema(self) -> str:
        """The application's own tables, as SQL."""
        return (self.folder / "schema.sql").read_text(encoding="utf-8")
