"""The org that seed 0 gives, built once for all tests; each gets a copy."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from salesforce_org.seeding import Seeder
from salesforce_org.store import Org

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "salesforce"


@cache
def _built() -> Org:
    return Seeder(FIXTURES).build(0)


def seeded() -> Org:
    """Return an org of its own, with the administrator at work."""
    org = _built().copy()
    administrators = org.one("Profile", Name="System Administrator")
    org.user_id = next(org.rows("User", ProfileId=administrators["Id"], IsActive=True))["Id"]
    return org
