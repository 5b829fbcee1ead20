"""Fills the unit from a seed."""

import sqlite3
from datetime import date, datetime, timedelta

from clinic import rows
from clinic.application import Seeding
from clinic.applications.icu_central import seed_beds
from clinic.applications.icu_central.seed_beds import Ward
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("monitor_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("charge_nurse", "RN"),
    ("physician", "MD"),
    ("physician", "MD"),
    ("therapist", "RRT"),
)

FIRST_DAY = date(2026, 1, 12)
CRISES = ("desaturation", "extreme_bradycardia", "extreme_tachycardia", "extreme_hypotension")
RESIDENTS = (
    "hypoxia",
    "hypoxia_other",
    "agitation",
    "ordered_limits",
    "stable",
    "past_episode",
    "drift",
    "steady_low",
)
BEDS = 12


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("unit")
    day = FIRST_DAY + timedelta(days=stream.randrange(330))
    now = datetime(day.year, day.month, day.day) + timedelta(minutes=15 * stream.randrange(4, 92))
    facts = seeding.fixtures.load("icu_central/unit")
    settle(db, seeding, stream, facts["departments"], facts["products"], "CMS-{:02d}", 3, station_last=True)
    users = staff.employ(db, seeding, POSTS)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    ward = Ward(db, seeding, registry, users, now)
    crises = stream.sample(CRISES, stream.choice((2, 3)))
    stories = [*crises, *RESIDENTS]
    families = _families(registry)
    numbers = stream.sample(range(1, BEDS + 1), BEDS)
    for number in range(1, BEDS + 1):
        rows.insert(db, "beds", number=number, state="cleaning")
    for story, number in zip(stories, numbers, strict=False):
        seed_beds.occupy(ward, story, number, families.get(story), handled=story in crises[1:])
    rows.update(db, "beds", {"number": numbers[len(stories)]}, state="ready")
    seed_beds.past_alarms(ward)
    seed_beds.technical_alarms(ward)
    seed_beds.tell_counts_apart(ward)
    seed_beds.expect_arrivals(ward)
    return now


def _families(registry: Registry) -> dict[str, str]:
    """Return family names that are the same or easily confused."""
    twin = registry.family()
    one, other = registry.similar_families()
    return {"hypoxia": twin, "hypoxia_other": twin, "stable": one, "ordered_limits": other}
