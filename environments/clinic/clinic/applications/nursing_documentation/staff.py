"""The people who work here; one of them has this shift, others take the next one."""

import sqlite3

from clinic import rows
from clinic.application import Seeding

POSTS = (
    ("shift_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "RN"),
    ("staff_nurse", "LPN"),
    ("charge_nurse", "RN"),
    ("physician", "MD"),
)


def employ(db: sqlite3.Connection, seeding: Seeding) -> dict[str, list[str]]:
    """Fill `users` and return their ids by role."""
    names, stream = seeding.fixtures.load("names"), seeding.stream("staff")
    families = stream.sample(names["staff_family"], len(POSTS))
    given_names = stream.sample(names["given_female"] + names["given_male"], len(POSTS))
    by_role: dict[str, list[str]] = {}
    for (role, credentials), given, family in zip(POSTS, given_names, families, strict=True):
        user_id = f"{given[0]}{family}".lower()
        password = "-".join([*stream.sample(names["password_words"], 2), str(stream.randint(10, 99))])
        name = f"{given} {family}"
        rows.insert(
            db, "users", user_id=user_id, name=name, credentials=credentials, role=role, password=password
        )
        by_role.setdefault(role, []).append(user_id)
    return by_role
