"""The people who work here; one endoscopist is at the workstation."""

import random
import sqlite3

from clinic import rows
from clinic.application import Seeding

POSTS = (
    ("endoscopist", "MD"),
    ("other_endoscopist", "MD"),
    ("other_endoscopist", "MD"),
    ("endoscopy_nurse", "RN"),
    ("endoscopy_nurse", "RN"),
    ("endoscopy_nurse", "RN"),
    ("clerk", "REG"),
)


def employ(db: sqlite3.Connection, seeding: Seeding) -> dict[str, list[str]]:
    """Fill `users` and return their ids by role."""
    names = seeding.fixtures.load("names")
    stream = seeding.stream("staff")
    families = stream.sample(names["staff_family"], len(POSTS))
    given_names = stream.sample(names["given_female"] + names["given_male"], len(POSTS))
    by_role: dict[str, list[str]] = {}
    for (role, credentials), given, family in zip(POSTS, given_names, families, strict=True):
        user_id = f"{given[0]}{family}".lower()
        password = _password(stream, names["password_words"])
        name = f"{given} {family}"
        rows.insert(
            db, "users", user_id=user_id, name=name, credentials=credentials, role=role, password=password
        )
        by_role.setdefault(role, []).append(user_id)
    return by_role


def _password(stream: random.Random, words: list[str]) -> str:
    return f"{stream.choice(words)}-{stream.choice(words)}-{stream.randint(10, 99)}"
