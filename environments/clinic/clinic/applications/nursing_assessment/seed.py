"""Fills the ward from a seed."""

import json
import random
import sqlite3
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.nursing_assessment import seed_records
from clinic.applications.nursing_assessment.stories import STORIES, Story, Teller
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("bedside_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("charge_nurse", "RN"),
    ("physician", "MD"),
)

FIRST_DAY = date(2026, 1, 5)
MOBILITY = {"bundle": "bed_rest", "unplanned": "bed_rest"}

# Heights in cm between about the 5th and the 97th percentile of adults; source: NHANES 2015-2018 (NCHS).
_HEIGHTS = {"F": (150, 174), "M": (163, 189)}


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("ward")
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    now = datetime(day.year, day.month, day.day, 8) + timedelta(minutes=stream.randrange(11 * 60))
    profiles = seeding.fixtures.load("nursing_assessment/profiles")
    settle(db, seeding, stream, profiles["wards"], profiles["products"], "TABLET-{:02d}", 30)
    users = staff.employ(db, seeding, POSTS)
    teller = Teller(seeding, seeding.stream("stories"))
    stories = [teller.tell(name) for name in STORIES]
    mrns = _admit(db, seeding, profiles, stories, now)
    desk = seed_records.Desk(db, seeding, users, now)
    desk.write(dict(zip(mrns, stories, strict=True)))
    return now


def _admit(
    db: sqlite3.Connection, seeding: Seeding, profiles: dict[str, Any], stories: list[Story], now: datetime
) -> list[str]:
    """Put everybody into a bed; two pairs have names that are easily confused."""
    stream = seeding.stream("admissions")
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    one, other = registry.similar_families()
    twin = registry.family()
    families = {"braden_new": one, "braden_read": other, "pain_new": twin, "planned": twin}
    first = stream.choice((1, 1, 13, 21))
    beds = stream.sample(range(first, first + len(stories)), len(stories))
    diagnoses = stream.sample(profiles["diagnoses"], len(stories))
    mrns = []
    for story, bed, diagnosis in zip(stories, beds, diagnoses, strict=True):
        person = registry.person(stream.choice("FM"), (48, 91), families.get(story.name))
        mrns.append(registry.number(8))
        rows.insert(
            db,
            "patients",
            mrn=mrns[-1],
            family_name=person.family,
            given_name=person.given,
            sex=person.sex,
            birth_date=person.born.isoformat(),
            bed=bed,
            admitted_at=clock.text(
                now - timedelta(days=stream.randint(8, 16), minutes=stream.randrange(600))
            ),
            diagnosis=diagnosis,
            height_cm=stream.randint(*_HEIGHTS[person.sex]),
            story=json.dumps({"name": story.name, "now": story.now}, sort_keys=True),
            **_facts(stream, profiles, story),
        )
    return mrns


def _facts(stream: random.Random, profiles: dict[str, Any], story: Story) -> dict[str, str]:
    """Draw facts of the chart that agree with the points for falling."""
    points = story.standing("morse")
    known = points["history"] and story.name != "fallen"
    return {
        "other_diagnoses": stream.choice(profiles["second"]) if points["secondary"] else "None",
        "access": stream.choice(profiles["lines"]) if points["iv"] else "None",
        "falls": stream.choice(profiles["falls"] if known else profiles["no_falls"]),
        "mobility_order": MOBILITY.get(story.name) or stream.choice(("free", "with_help")),
    }
