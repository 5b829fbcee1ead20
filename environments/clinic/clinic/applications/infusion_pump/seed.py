"""Fills the unit from a seed."""

import random
import sqlite3
from datetime import date, datetime, timedelta

from clinic import rows
from clinic.application import Seeding
from clinic.applications.infusion_pump import cast
from clinic.applications.infusion_pump.bedside import Bedside, Unit
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Person, Registry

POSTS = (
    ("bedside_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("charge_nurse", "RN"),
    ("pharmacist", "PharmD"),
    ("physician", "MD"),
    ("physician", "MD"),
)

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Meridew Infusion", "Tallowby Smart Pump", "Corrow Infusion Suite", "Lindale Pump Manager")
DEPARTMENTS = ("Intensive Care Unit", "Surgical Intensive Care", "Medical Intensive Care")


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("unit")
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    now = datetime(day.year, day.month, day.day, 8) + timedelta(minutes=stream.randrange(11 * 60))
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "ICU-PMP-{:02d}", 6)
    unit = Unit(db, seeding, staff.employ(db, seeding, POSTS), now)
    unit.stock(seeding.stream("library"))
    plot = seeding.stream("cast")
    stories = [*cast.STORIES, *cast.idle(plot)]
    plot.shuffle(stories)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    people = _people(registry, stories)
    beds = sorted(plot.sample(range(1, 25), len(stories)))
    for story, person, bed in zip(stories, people, beds, strict=True):
        chance = seeding.stream(f"patient {story}")
        cast.tell(story, _admit(unit, registry, chance, story, person, bed))
    return now


def _people(registry: Registry, stories: list[str]) -> list[Person]:
    """Draw a person for each story; two pairs of them are easily confused by name."""
    one, other = registry.similar_families()
    twin = registry.family()
    families = {"look_alike": one, "active": other, "pressor": twin, "limits": twin}
    sexes = dict.fromkeys(("look_alike", "active"), registry.stream.choice("FM"))
    return [
        registry.person(sexes.get(story) or registry.stream.choice("FM"), (31, 84), families.get(story))
        for story in stories
    ]


def _admit(
    unit: Unit, registry: Registry, chance: random.Random, story: str, person: Person, bed: int
) -> Bedside:
    told = unit.seeding.fixtures.load("infusion_pump/stories")
    mrn, weight = registry.number(8), round(chance.uniform(48, 112), 1)
    rows.insert(
        unit.db,
        "patients",
        mrn=mrn,
        family_name=person.family,
        given_name=person.given,
        sex=person.sex,
        birth_date=person.born.isoformat(),
        bed=bed,
        pump=f"P-{registry.number(5)}",
        weight_kg=weight,
        diagnosis=chance.choice(told["diagnoses"]),
        allergies=chance.choice(told["allergies"]),
        story=story,
    )
    return Bedside(unit, chance, mrn, weight)
