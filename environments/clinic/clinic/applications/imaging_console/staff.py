"""The people who work here, one of them at the console, one radiologist on duty, one physicist on call."""

import random

from clinic import rows
from clinic.applications.imaging_console.desk import Desk

POSTS = (
    ("technologist", "RT"),
    ("assistant", "MA"),
    ("assistant", "MA"),
    ("radiologist", "MD"),
    ("radiologist", "MD"),
    ("radiologist", "MD"),
    ("physicist", "MS"),
    ("physicist", "PhD"),
)


def employ(desk: Desk) -> None:
    """Fill `users` and `duties`, and let the desk know who is who."""
    names = desk.seeding.fixtures.load("names")
    stream = desk.seeding.stream("staff")
    families = stream.sample(names["staff_family"], len(POSTS))
    given_names = stream.sample(names["given_female"] + names["given_male"], len(POSTS))
    for (role, credentials), given, family in zip(POSTS, given_names, families, strict=True):
        user_id = f"{given[0]}{family}".lower()
        desk.insert(
            "users",
            user_id=user_id,
            name=f"{given} {family}",
            credentials=credentials,
            role=role,
            password=_password(stream, names["password_words"]),
        )
        desk.users.setdefault(role, []).append(user_id)
    for post in ("radiologist", "physicist"):
        rows.insert(desk.db, "duties", post=post, user=stream.choice(desk.users[post]))


def _password(stream: random.Random, words: list[str]) -> str:
    return f"{stream.choice(words)}-{stream.choice(words)}-{stream.randint(10, 99)}"
