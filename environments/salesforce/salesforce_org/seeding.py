"""Builds an org for a seed: schema, metadata components and records from the fixtures."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from salesforce_org.rules import RULES
from salesforce_org.seeds import company, filler, stock, texts
from salesforce_org.seeds.reading import Book, Fixtures
from salesforce_org.store import Org
from salesforce_org.store.schema import Schema, read_schema

SCHEMA = Path(__file__).with_name("schema")
FIRST_DAY = datetime(2026, 3, 3, 17, tzinfo=UTC)
DAYS = 240  # other seeds' days lie within so many after the first
AGE = timedelta(days=400)  # how long ago the org was set up


@dataclass
class Seeder:
    """Makes orgs out of a folder of fixtures; the same seed gives the same org."""

    fixtures: Path
    _read: Fixtures | None = field(default=None, repr=False)
    _schema: Schema | None = field(default=None, repr=False)

    def build(self, seed: int) -> Org:
        """Return the org of a seed.

        Raises:
            ValueError: The schema or a fixture does not say what it must; the sentence names the file.
        """
        schema, fixtures = self._prepared()
        chance = random.Random(f"org {seed}")  # noqa: S311 - the same org for the same seed
        today = _day(seed, chance)
        org = Org(schema, RULES, today - AGE)
        book = Book(org, fixtures, today)
        with org.unchecked():
            stock.fill(book, chance, seed)
            company.fill(book, chance)
            texts.fill(book, chance)
            filler.fill(book, chance)
            stock.fill_reports(book)
        org.now = today
        org.journal.writes.clear()
        return org

    def _prepared(self) -> tuple[Schema, Fixtures]:
        if self._schema is None or self._read is None:
            self._schema, self._read = read_schema(SCHEMA), Fixtures.read(self.fixtures)
        return self._schema, self._read


def _day(seed: int, chance: random.Random) -> datetime:
    """Return a working morning; the first day for seed 0."""
    day = FIRST_DAY + timedelta(days=chance.randrange(DAYS)) if seed else FIRST_DAY
    return day - timedelta(days=max(0, day.weekday() - 4))
