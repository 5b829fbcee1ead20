"""The people who work here, one of them the prescriber of the day, and the code that orders are signed with."""

import sqlite3

from clinic import rows
from clinic.application import Seeding
from clinic.toolkit import staff

POSTS = (
    ("prescriber", "MD"),
    ("nurse", "RN"),
    ("nurse", "RN"),
    ("clerk", "CLK"),
)


def employ(db: sqlite3.Connection, seeding: Seeding) -> dict[str, list[str]]:
    """Fill `users` and `signature_codes`; return ids by role."""
    users = staff.employ(db, seeding, POSTS)
    words, stream = seeding.fixtures.load("names")["password_words"], seeding.stream("codes")
    for user_id in users["prescriber"]:
        code = f"{stream.choice(words)}{stream.randint(100, 999)}"
        rows.insert(db, "signature_codes", user_id=user_id, code=code)
    return users
