"""Who works here, and who can be told of a critical finding."""

import random
import sqlite3
from datetime import datetime

from clinic import rows
from clinic.application import Seeding
from clinic.toolkit import staff

POSTS = (("reader", "MD"), ("technician", "CCT"), ("technician", "CCT"), ("nurse", "RN"), ("reader", "MD"))
DAY, NIGHT = "on call 07:00–19:00", "on call 19:00–07:00"
SERVICES = (
    "Interventional cardiology",
    "Interventional cardiology",
    "Emergency medicine",
    "Internal medicine",
)


def employ(db: sqlite3.Connection, seeding: Seeding, now: datetime) -> dict[str, list[str]]:
    """Fill `users` and `contacts`; return user ids by role, the reader of the day first."""
    names, stream = seeding.fixtures.load("names"), seeding.stream("staff")
    people = staff.people(stream, names, len(POSTS) + len(SERVICES))
    users = staff.hire(db, stream, names, zip(POSTS, people, strict=False))
    _contacts(db, stream, people[len(POSTS) :], by_day=7 <= now.hour < 19)
    return users


def _contacts(
    db: sqlite3.Connection, stream: random.Random, people: list[tuple[str, str]], by_day: bool
) -> None:
    """Two share the catheter laboratory, one by day and one by night; the rest could be told by mistake."""
    listed = [
        (f"Dr {given} {family}", service, hours, hours == (DAY if by_day else NIGHT))
        for (given, family), service, hours in zip(people, SERVICES, (DAY, NIGHT, DAY, NIGHT), strict=True)
    ]
    stream.shuffle(listed)
    for number, (name, service, hours, on_duty) in enumerate(listed, 1):
        rows.insert(
            db, "contacts", contact_id=number, name=name, service=service, hours=hours, on_duty=on_duty
        )
