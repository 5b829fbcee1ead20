"""Fills the unit from a seed."""

import json
import sqlite3
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.nursing_documentation.seed_sheets import Sheets
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("shift_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "LPN"),
    ("charge_nurse", "RN"),
    ("physician", "MD"),
)

FIRST_DAY = date(2026, 1, 5)
STORIES = (
    "read_vitals",
    "read_fluids",
    "record_vitals",
    "record_io",
    "note",
    "handover",
    "wound",
    "deteriorating",
    "incomplete",
    "wrong_fluid",
)
RETAINING = "record_io"  # has the second oxygen scale, for too much carbon dioxide


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("unit")
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    started = datetime(day.year, day.month, day.day, stream.choice((6, 7, 8)))
    now = started + timedelta(minutes=stream.randint(7 * 60, 10 * 60 + 30))
    unit = seeding.fixtures.load("nursing_documentation/unit")
    settle(db, seeding, stream, unit["units"], unit["products"], "NURS-{:02d}", 9)
    ends = clock.text(started + timedelta(hours=12))
    rows.insert(db, "shift", id=1, name="Day shift", started_at=clock.text(started), ends_at=ends)
    users = staff.employ(db, seeding, POSTS)
    mrns = _admit(db, seeding, unit, now)
    sheets = Sheets(db, seeding, users, started, now)
    for story, mrn in mrns.items():
        sheets.write(mrn, story)
    return now


def _admit(db: sqlite3.Connection, seeding: Seeding, unit: dict[str, Any], now: datetime) -> dict[str, str]:
    """Put everybody into a bed; two pairs have names that are easily confused."""
    stream = seeding.stream("admissions")
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    one, other = registry.similar_families()
    twin = registry.family()
    families = {"record_vitals": one, "read_vitals": other, "record_io": twin, "wound": twin}
    first = stream.choice((1, 11, 21, 31))
    beds = stream.sample(range(first, first + len(STORIES)), len(STORIES))
    reasons = stream.sample(unit["reasons"], len(STORIES))
    mrns = {}
    for story, bed, reason in zip(STORIES, beds, reasons, strict=True):
        person = registry.person(stream.choice("FM"), (38, 88), families.get(story))
        retaining = story == RETAINING
        mrns[story] = registry.number(8)
        rows.insert(
            db,
            "patients",
            mrn=mrns[story],
            family_name=person.family,
            given_name=person.given,
            sex=person.sex,
            birth_date=person.born.isoformat(),
            bed=bed,
            admitted_at=clock.text(now - timedelta(days=stream.randint(2, 6), minutes=stream.randrange(600))),
            reason="COPD, acute worsening" if retaining else reason,
            history="COPD with retained carbon dioxide" if retaining else stream.choice(unit["histories"]),
            allergies=stream.choice(unit["allergies"]),
            spo2_scale=2 if retaining else 1,
            story=json.dumps({"name": story}),
        )
    return mrns
