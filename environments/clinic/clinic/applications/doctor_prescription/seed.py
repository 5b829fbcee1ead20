"""Fills the clinic from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from clinic import rows
from clinic.application import Seeding
from clinic.applications.doctor_prescription import cast, seed_patients, staff
from clinic.toolkit.people import Registry

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Fernbank Prescribing", "Larkspur Order Entry", "Tallyman Health Record", "Quillhaven Orders")
DEPARTMENTS = ("Primary Care Clinic", "Internal Medicine Clinic", "Family Health Clinic")


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    now = _clinic_time(stream)
    hospital = stream.choice(seeding.fixtures.load("hospitals")["names"])
    rows.insert(
        db,
        "department",
        id=1,
        hospital=hospital,
        name=stream.choice(DEPARTMENTS),
        product=stream.choice(PRODUCTS),
        workstation=f"CLIN{stream.randint(10, 49)}",
    )
    users = staff.employ(db, seeding)
    plots = seeding.fixtures.load("doctor_prescription/plots")
    plot = seeding.stream("cast")
    every = cast.cases(plot, plots)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    persons = cast.people(registry, every)
    plot.shuffle(every)
    desk = seed_patients.Desk(db, seeding, users, now, registry)
    desk.open_pharmacies()
    for place, case in enumerate(every):
        desk.admit(case, persons[case.plot], now - timedelta(minutes=150 - 15 * place))
    return now


def _clinic_time(stream: random.Random) -> datetime:
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    return datetime(day.year, day.month, day.day, 11) + timedelta(minutes=5 * stream.randrange(20))
