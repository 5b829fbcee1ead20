"""Fills the imaging department from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.imaging_console import cast, seed_exam, staff
from clinic.applications.imaging_console.desk import Desk
from clinic.toolkit.people import Registry

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Tellurion Scan Console", "Corvant Imaging Console", "Osprey Acquisition Station")
DEPARTMENTS = ("Diagnostic Imaging", "Radiology Department", "Cross-sectional Imaging")


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    now = _shift_time(stream)
    _department(db, seeding, stream)
    desk = Desk(db, seeding, now)
    staff.employ(desk)
    _scanners(desk, seeding.stream("phantom"))
    examinations = desk.load("examinations")
    plot = seeding.stream("cast")
    cases = [*cast.required_cases(plot), *cast.random_cases(plot, examinations)]
    plot.shuffle(cases)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    persons = cast.people(registry, cases, examinations)
    slots = _slots(seeding.stream("slots"), now, len(cases) + 1)
    for case, person, slot in zip(cases, persons, slots, strict=False):
        mrn, accession = registry.number(8), registry.number(7)
        seed_exam.write(desk, case, person, mrn, accession, slot)
        if case.part == "arrival":
            seed_exam.second_order(desk, mrn, registry.number(7), slots[-1])
    return now


def _shift_time(stream: random.Random) -> datetime:
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    return datetime(day.year, day.month, day.day, 8, 30) + timedelta(minutes=stream.randrange(8 * 60))


def _department(db: sqlite3.Connection, seeding: Seeding, stream: random.Random) -> None:
    hospital = stream.choice(seeding.fixtures.load("hospitals")["names"])
    name, product = stream.choice(DEPARTMENTS), stream.choice(PRODUCTS)
    rows.insert(
        db, "department", id=1, hospital=hospital, name=name, product=product, workstation="CONSOLE-1"
    )


def _slots(stream: random.Random, now: datetime, count: int) -> list[datetime]:
    """Draw appointments around now, five minutes apart at least."""
    start = now.replace(minute=now.minute // 5 * 5) - timedelta(minutes=90)
    places = stream.sample(range(60), count)
    return [start + timedelta(minutes=5 * place) for place in places]


def _scanners(desk: Desk, stream: random.Random) -> None:
    """Draw what the phantom reads today: within limits, one value outside of them, or a ring."""
    trouble = stream.choice(("", "water", "", "uniformity", "", "noise", "ring"))
    centre = round(stream.uniform(-2.5, 2.5) + (stream.choice((-6.5, 6.5)) if trouble == "water" else 0), 1)
    edges = [round(centre + stream.choice((-1, 1)) * stream.uniform(0.4, 3.2), 1) for _ in range(4)]
    if trouble == "uniformity":
        edges[stream.randrange(4)] = round(centre + stream.choice((-1, 1)) * stream.uniform(5.8, 7.6), 1)
    noise = round(stream.uniform(3.6, 4.8) + (2.8 if trouble == "noise" else 0), 1)
    north, east, south, west = edges
    desk.insert(
        "scanners",
        name="CT 1",
        in_service=True,
        centre=centre,
        north=north,
        east=east,
        south=south,
        west=west,
        noise=noise,
        ring=trouble == "ring",
        seed=stream.randrange(1, 10**6),
    )
    for days in (3, 2, 1):
        at = clock.text(desk.now.replace(hour=6, minute=stream.randrange(30, 59)) - timedelta(days=days))
        water, spread = round(stream.uniform(-2, 2), 1), round(stream.uniform(0.8, 3.4), 1)
        desk.insert(
            "qc_results",
            scanner="CT 1",
            phantom_scan=None,
            water_hu=water,
            noise_hu=round(stream.uniform(3.6, 4.9), 1),
            uniformity_hu=spread,
            artefact="none",
            result="pass",
            by=desk.users["technologist"][0],
            at=at,
        )
