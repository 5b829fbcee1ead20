"""The people of the department; one of them plans."""

import sqlite3

from clinic import rows
from clinic.application import Seeding

POSTS = (
    ("planner", "CMD"),
    ("dosimetrist", "CMD"),
    ("physicist", "DABR"),
    ("physicist", "PhD"),
    ("physician", "MD"),
    ("physician", "MD"),
    ("therapist", "RTT"),
)


def employ(db: sqlite3.Connection, seeding: Seeding) -> dict[str, list[str]]:
    """Fill `users` and return their ids by role."""
    names, stream = seeding.fixtures.load("names"), seeding.stream("staff")
    people = zip(
        stream.sample(names["given_female"] + names["given_male"], len(POSTS)),
        stream.sample(names["staff_family"], len(POSTS)),
        strict=True,
    )
    by_role: dict[str, list[str]] = {}
    for (role, credentials), (given, family) in zip(POSTS, people, strict=True):
        user_id = f"{given[0]}{family}".lower()
        password = "-".join([*stream.sample(names["password_words"], 2), str(stream.randint(10, 99))])
        rows.insert(
            db,
            "users",
            user_id=user_id,
            name=f"{given} {family}",
            credentials=credentials,
            role=role,
            password=password,
        )
        by_role.setdefault(role, []).append(user_id)
    return by_role
