"""Worklists: what is shown is chosen by a filter and a search in the address."""

import sqlite3
from collections.abc import Collection, Iterable

from clinic.visit import Visit


def chosen(visit: Visit, name: str, options: Collection[str]) -> str:
    """Return the filter that the address names, `all` where it names none of the options."""
    wanted = visit.query.get(name, "all")
    return wanted if wanted in options else "all"


def matching(found: Iterable[sqlite3.Row], search: str, *more: str) -> list[sqlite3.Row]:
    """Return the rows that hold each word of a search in name, number or the columns of `more`."""
    words = search.casefold().replace(",", " ").split()
    return [row for row in found if all(word in _text(row, more) for word in words)]


def _text(row: sqlite3.Row, more: tuple[str, ...]) -> str:
    return " ".join(row[name] for name in ("family_name", "given_name", "mrn", *more)).casefold()
