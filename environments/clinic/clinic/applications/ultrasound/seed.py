"""Fills the day from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from clinic.application import Seeding
from clinic.applications.ultrasound import cast, seed_exam
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("sonologist", "MD"),
    ("sonographer", "RDMS"),
    ("sonographer", "RDMS"),
    ("resident", "MD"),
    ("clinician", "MD"),
    ("clinician", "MD"),
    ("clinician", "DO"),
    ("clinician", "MD"),
    ("ward_nurse", "RN"),
)

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Meridian Sonar 8", "Halden Echo Suite", "Brightwell Sonograph", "Tarn Imaging Echo")
DEPARTMENTS = ("Ultrasound", "Diagnostic Ultrasound", "Sonography")
SLOT = 12


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    now = _working_time(stream)
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "US-{:02d}", 5)
    users = staff.employ(db, seeding, POSTS)
    protocols = seeding.fixtures.load("ultrasound/protocols")
    plot = seeding.stream("cast")
    cases = [*cast.required_cases(plot), *cast.random_cases(plot, protocols)]
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    persons = cast.people(registry, cases, protocols)
    times = _times(seeding.stream("times"), cases, now)
    room = seed_exam.Room(db, seeding, users, now)
    for index, (case, person) in enumerate(zip(cases, persons, strict=True)):
        chance = seeding.stream(f"exam {case.story or index} {case.protocol}")
        numbers = (registry.number(8), f"US{now:%y}{registry.number(6)}")
        seed_exam.write(room, chance, case, protocols[case.protocol], person, numbers, times[index])
    return now


def _working_time(stream: random.Random) -> datetime:
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    return datetime(day.year, day.month, day.day, 11) + timedelta(minutes=stream.randrange(5 * 60))


def _times(stream: random.Random, cases: list[cast.Case], now: datetime) -> list[datetime]:
    """Give every exam a slot: what is done before what is going on, and what is waiting after now."""
    done = [index for index, case in enumerate(cases) if case.status in ("scanned", "reported")]
    begun = [index for index, case in enumerate(cases) if case.status == "in_progress"]
    waiting = [index for index in range(len(cases)) if index not in (*done, *begun)]
    for line in (done, begun, waiting):
        stream.shuffle(line)
    slots = {
        index: now - timedelta(minutes=SLOT * (place + 6)) for place, index in enumerate([*begun, *done], -4)
    }
    slots |= {index: now + timedelta(minutes=SLOT * place) for place, index in enumerate(waiting)}
    return [slots[index].replace(minute=slots[index].minute // 5 * 5) for index in range(len(cases))]
