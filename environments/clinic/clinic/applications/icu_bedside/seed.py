"""Fills the unit from a seed."""

import sqlite3
from datetime import date, datetime, timedelta

from clinic.application import Seeding
from clinic.applications.icu_bedside import seed_chart
from clinic.applications.icu_bedside.unit import Unit
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("bedside_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("physician", "MD"),
    ("physician", "MD"),
)

FIRST_DAY = date(2026, 1, 19)
STORIES = ("septic", "cardiogenic", "ards", "postop", "neuro", "weaning")
LATE_HOURS = (15, 16, 17, 3, 4, 5)


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts: late in a shift."""
    stream = seeding.stream("unit")
    day = FIRST_DAY + timedelta(days=stream.randrange(330))
    # Early in the hour: the clock must not reach the next one while somebody works.
    now = datetime(day.year, day.month, day.day, stream.choice(LATE_HOURS), stream.randint(5, 25))
    facts = seeding.fixtures.load("icu_bedside/unit")
    settle(
        db, seeding, stream, facts["departments"], facts["products"], "ICU-BED-{:02d}", 9, station_last=True
    )
    users = staff.employ(db, seeding, POSTS)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    unit = Unit(db, seeding, registry, users, now)
    twin, (one, other) = registry.family(), registry.similar_families()
    families = {"ards": twin, "postop": twin, "neuro": one, "weaning": other}
    beds = stream.sample(range(1, len(STORIES) + 1), len(STORIES))
    for story, bed in zip(STORIES, beds, strict=True):
        seed_chart.write(unit, story, bed, families.get(story))
    return now
