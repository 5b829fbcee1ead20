"""Fills the day from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from clinic.application import Seeding
from clinic.applications.endoscopy import cast, seed_case
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("endoscopist", "MD"),
    ("other_endoscopist", "MD"),
    ("other_endoscopist", "MD"),
    ("endoscopy_nurse", "RN"),
    ("endoscopy_nurse", "RN"),
    ("endoscopy_nurse", "RN"),
    ("clerk", "REG"),
)

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Lumenbook", "Fairview Endo", "Castine Scope Record", "Ostrava EndoDoc")
DEPARTMENTS = ("Endoscopy", "Endoscopy Unit", "Gastroenterology, Endoscopy")
ROOMS = 4
SLOT = 20


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    now = datetime(day.year, day.month, day.day, 11) + timedelta(minutes=stream.randrange(4 * 60))
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "ENDO-{:02d}", 6)
    users = staff.employ(db, seeding, POSTS)
    kinds = seeding.fixtures.load("endoscopy/procedures")
    plot = seeding.stream("cast")
    required = cast.required_cases(plot)
    cases = [*required, *cast.random_cases(plot, required)]
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    persons = cast.people(registry, cases, kinds)
    slots = _slots(seeding.stream("times"), cases, now)
    unit = seed_case.Unit(db, seeding, users, now)
    for index, (case, person) in enumerate(zip(cases, persons, strict=True)):
        chance = seeding.stream(f"case {case.story or index}")
        numbers = (registry.number(8), f"EN{now:%y}{registry.number(5)}")
        seed_case.write(unit, chance, case, person, numbers, slots[index])
    return now


def _slots(stream: random.Random, cases: list[cast.Case], now: datetime) -> list[tuple[datetime, int]]:
    """Give every procedure a time and a room: what is over before now, what is going on in rooms of its own."""
    over = [index for index, case in enumerate(cases) if case.status in ("completed", "reported")]
    begun = [index for index, case in enumerate(cases) if case.status == "in_progress"]
    waiting = [index for index in range(len(cases)) if index not in (*over, *begun)]
    for line in (over, begun, waiting):
        stream.shuffle(line)
    minutes = {index: -95 - SLOT * place for place, index in enumerate(over)}
    minutes |= {index: -40 - 5 * place for place, index in enumerate(begun)}
    minutes |= {index: 5 + SLOT * place // 2 for place, index in enumerate(waiting)}
    rooms = {index: place + 1 for place, index in enumerate(begun)}
    times = [now + timedelta(minutes=minutes[index]) for index in range(len(cases))]
    return [
        (time.replace(minute=time.minute // 5 * 5), rooms.get(index) or stream.randint(1, ROOMS))
        for index, time in enumerate(times)
    ]
