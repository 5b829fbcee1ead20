"""The people and records that every seed's org has."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from salesforce_org.seeds.reading import Book, Table

WITH_PHONE = ("Account", "Contact", "Lead")


def fill(book: Book, chance: random.Random) -> None:
    """Enter what `company.toml` holds, over the last months."""
    domain = _domain(book)
    for object, records in book.fixtures["company"].items():
        for given in records:
            at = book.today - timedelta(days=chance.randrange(20, 200), minutes=-chance.randrange(480))
            book.enter(object, _whole(object, given, domain, chance), at)


def _domain(book: Book) -> str:
    return str(next(book.org.rows("User"))["Username"]).partition("@")[2]


def _whole(object: str, given: Table, domain: str, chance: random.Random) -> dict[str, Any]:
    if object in WITH_PHONE:
        return {"Phone": f"({chance.randrange(201, 990)}) 555-01{chance.randrange(100):02}", **given}
    if object != "User":
        return dict(given)
    names = [str(given[name]).lower() for name in ("FirstName", "LastName") if name in given]
    username = f"{'.'.join(names)}@{domain}"
    return {"Username": username, "Email": username, **given}
