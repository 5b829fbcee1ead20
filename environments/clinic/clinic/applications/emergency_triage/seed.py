"""Fills the department from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock
from clinic.application import Seeding
from clinic.applications.emergency_triage import cast, seed_chart
from clinic.applications.emergency_triage.seed_chart import Arrival
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Person, Registry

POSTS = (
    ("triage_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "LPN"),
    ("charge_nurse", "RN"),
    ("physician", "MD"),
    ("registrar", "REG"),
)

FIRST_DAY = date(2026, 1, 5)
WAIT_MINUTES = {
    "waiting": (4, 110),
    "in_triage": (30, 75),
    "triaged": (50, 190),
    "in_treatment": (80, 300),
    "left": (140, 320),
}
PRODUCTS = ("Sallyport ED Board", "Quillmark Triage", "Fennroad ED Tracker", "Hearthline Emergency")
DEPARTMENTS = ("Emergency Department", "Emergency Care Unit", "Accident and Emergency")
ARRIVAL_MODES = ("Walk-in", "Walk-in", "Private car", "Ambulance", "Brought by family")


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    now = _shift_time(stream)
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "ED-TRI-{:02d}", 4)
    users = staff.employ(db, seeding, POSTS)
    presentations = seeding.fixtures.load("emergency_triage/presentations")
    plot = seeding.stream("cast")
    cases = [*cast.required_cases(plot), *cast.random_cases(plot, presentations)]
    plot.shuffle(cases)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    persons = cast.people(registry, cases, presentations)
    minutes = _arrivals(seeding.stream("arrivals"), cases)
    desk = seed_chart.Desk(db, seeding, users, now)
    for case, person, before in zip(cases, persons, minutes, strict=True):
        facts = presentations[case.presentation]
        stream = seeding.stream(f"chart {case.presentation}")
        arrival = _arrival(
            stream, seeding, registry, desk, case, facts, person, now - timedelta(minutes=before)
        )
        seed_chart.write(desk, stream, case, facts, arrival)
    return now


def _shift_time(stream: random.Random) -> datetime:
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    return datetime(day.year, day.month, day.day, 9) + timedelta(minutes=stream.randrange(13 * 60))


def _arrivals(stream: random.Random, cases: list[cast.Case]) -> list[int]:
    """Draw how many minutes ago each one came, no two in the same minute."""
    drawn: list[int] = []
    for case in cases:
        low, high = WAIT_MINUTES[case.status]
        drawn.append(stream.choice([minute for minute in range(low, high) if minute not in drawn]))
    return drawn


def _arrival(
    stream: random.Random,
    seeding: Seeding,
    registry: Registry,
    desk: seed_chart.Desk,
    case: cast.Case,
    facts: dict[str, Any],
    person: Person,
    at: datetime,
) -> Arrival:
    allergen = stream.choice(facts.get("parent_allergies", [""]))
    streets = seeding.fixtures.load("streets")
    town = stream.choice(streets["towns"])
    return Arrival(
        mrn=registry.number(8),
        person=person,
        address=f"{stream.randint(1, 240)} {stream.choice(streets['streets'])}, {town}",
        visit_no=f"E{at:%y}-{registry.number(6)}",
        bay=desk.bay(stream, case.status),
        at=at,
        mode="Brought by family" if case.presentation.startswith("child") else stream.choice(ARRIVAL_MODES),
        narrative=stream.choice(facts["narratives"]).replace("{allergen}", allergen),
        clock_text=clock.text(at),
    )
