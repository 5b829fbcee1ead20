"""What an application has to declare to be served."""

import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from inspect import isfunction
from pathlib import Path
from types import ModuleType
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


def form(path: str, show: Handler, save: Handler) -> tuple[Page, Page]:
    """Return the two pages of a form: one that shows it, and one that takes what was filled in."""
    return Page("GET", path, show), Page("POST", path, save)


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
    """A simulated product.

    Attributes:
        seed: Fills the database, and returns the clinical time at which a session starts.
        home: Where `/` leads, which is where a user arrives after the login; `/` itself has a page of its own.
        ephemeral: Tables that do not count for the fingerprint of the state.
        choices: The module of its fixed choices.
    """

    name: str
    folder: Path
    seed: Callable[[sqlite3.Connection, Seeding], datetime]
    pages: tuple[Page, ...]
    home: str = "/"
    choices: ModuleType | None = None
    ephemeral: frozenset[str] = frozenset()

    @property
    def words(self) -> dict[str, Any]:
        """What templates may name: the constants of `choices` and the functions that word them."""
        named = vars(self.choices) if self.choices else {}
        return {name: value for name, value in named.items() if name.isupper() or isfunction(value)}

    @property
    def schema(self) -> str:
        """The application's own tables, as SQL."""
        return (self.folder / "schema.sql").read_text(encoding="utf-8")
