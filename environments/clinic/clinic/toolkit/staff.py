"""The people who work somewhere: the users of an application, and how they sign in."""

import random
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from clinic import rows
from clinic.application import Seeding

Post = tuple[str, str]  # role and credentials
Named = tuple[str, str]  # given and family name


def employ(db: sqlite3.Connection, seeding: Seeding, posts: Sequence[Post]) -> dict[str, list[str]]:
    """Fill `users` for the posts, and return their ids by role."""
    names, stream = seeding.fixtures.load("names"), seeding.stream("staff")
    return hire(db, stream, names, zip(posts, people(stream, names, len(posts)), strict=True))


def people(stream: random.Random, names: Mapping[str, list[str]], count: int) -> list[Named]:
    """Return so many people, no two of one family."""
    families = stream.sample(names["staff_family"], count)
    given = stream.sample(names["given_female"] + names["given_male"], count)
    return list(zip(given, families, strict=True))


def hire(
    db: sqlite3.Connection,
    stream: random.Random,
    names: Mapping[str, list[str]],
    hired: Iterable[tuple[Post, Named]],
) -> dict[str, list[str]]:
    """Give each of the hired a user ID, a password and a code to countersign with; return the ids by role."""
    by_role: dict[str, list[str]] = {}
    for (role, credentials), (given, family) in hired:
        user_id = f"{given[0]}{family}".lower()
        words = names["password_words"]
        password = f"{stream.choice(words)}-{stream.choice(words)}-{stream.randint(10, 99)}"
        name = f"{given} {family}"
        code = str(random.Random(password).randrange(100000, 1000000))  # noqa: S311 - repeatable on purpose
        signs = {"password": password, "code": code}
        rows.insert(db, "users", user_id=user_id, name=name, credentials=credentials, role=role, **signs)
        by_role.setdefault(role, []).append(user_id)
    return by_role
