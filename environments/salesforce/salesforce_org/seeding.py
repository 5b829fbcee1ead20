"""Builds an org for a seed: schema, metadata components and records from the fixtures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from salesforce_org.rules import RULES
from salesforce_org.store import Org
from salesforce_org.store.schema import read_schema

SCHEMA = Path(__file__).with_name("schema")


@dataclass(frozen=True)
class Seeder:
    """Makes orgs out of a folder of fixtures; the same seed gives the same org."""

    fixtures: Path

    def build(self, seed: int) -> Org:
        """Return the org of a seed."""
        return Org(read_schema(SCHEMA), RULES, datetime(2026, 3, 3, 17, tzinfo=UTC))
