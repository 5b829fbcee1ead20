"""Fills the pharmacy from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from clinic.application import Seeding
from clinic.applications.outpatient_pharmacy import cast, seed_patients, seed_stock
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("pharmacist", "PharmD"),
    ("technician", "CPhT"),
    ("technician", "CPhT"),
    ("cashier", "CSR"),
)

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = (
    "Pestle 4 for Outpatients",
    "Dispensary Desk 5.2",
    "Mortar Pharmacy System",
    "ScriptBench Classic",
)
DEPARTMENTS = ("Outpatient Pharmacy", "Clinic Pharmacy", "Ambulatory Care Pharmacy")


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    now = _opening_time(stream)
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "RX{:02d}-VERIFY", 6)
    users = staff.employ(db, seeding, POSTS)
    plots = seeding.fixtures.load("outpatient_pharmacy/plots")
    plot = seeding.stream("cast")
    cases = [*cast.required_cases(plot, plots), *cast.random_cases(plot, plots)]
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    desk = seed_patients.Desk(db, seeding, users, now, registry)
    seed_stock.fill(desk, cases)
    persons = cast.people(registry, cases)
    plot.shuffle(cases)
    desk.register(cases, persons)
    for case in cases:
        desk.receive(case)
    return now


def _opening_time(stream: random.Random) -> datetime:
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    return datetime(day.year, day.month, day.day, 11) + timedelta(minutes=stream.randrange(5 * 60))
