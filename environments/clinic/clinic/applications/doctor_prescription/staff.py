"""The people who work here, one of them the prescriber of the day."""

import random
import sqlite3

from clinic import rows
from clinic.application import Seeding

POSTS = (
    ("prescriber", "MD"),
    ("nurse", "RN"),
    ("nurse", "RN"),
    ("clerk", "CLK"),
)


def employ(db: sqlite3.Connection, seeding: Seeding) -> dict[str, list[str]]:
    """Fill `users` and the code that the prescriber signs with; return ids by role."""
    names = seeding.fixtures.load("names")
    stream = seeding.stream("staff")
    families = stream.sample(names["staff_family"], len(POSTS))
    given_names = stream.sample(names["given_female"] + names["given_male"], len(POSTS))
    by_role: dict[str, list[str]] = {}
    for (role, credentials), given, family in zip(POSTS, given_names, families, strict=True):
        user_id = f"{given[0]}{family}".lower()
        rows.insert(
            db,
            "users",
            user_id=user_id,
            name=f"{given} {family}",
            credentials=credentials,
            role=role,
            password=_password(stream, names["password_words"]),
        )
        if role == "prescriber":
            code = f"{stream.choice(names['password_words'])}{stream.randint(100, 999)}"
            rows.insert(db, "signature_codes", user_id=user_id, code=code)
        by_role.setdefault(role, []).append(user_id)
    return by_role


def _password(stream: random.Random, words: list[str]) -> str:
    return f"{stream.choice(words)}-{stream.choice(words)}-{stream.randint(10, 99)}"
