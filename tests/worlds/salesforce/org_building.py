"""A seeded org for tests, built once and copied for each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from salesforce_org.seeding import Seeder
from salesforce_org.store import Org

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures" / "salesforce"


@cache
def seeder() -> Seeder:
    """The builder of orgs."""
    return Seeder(FIXTURES)


@cache
def _built(seed: int) -> Org:
    return seeder().build(seed)


def fresh(seed: int = 0) -> Org:
    """Return an org of a seed that nobody else changes."""
    return _built(seed).copy()


def id_of(org: Org, object: str, name: str, field: str = "Name") -> str:
    """Return the id of the one record that has a name."""
    return str(org.one(object, **{field: name})["Id"])
