"""Which features a layer's conditions choose: the conditions are an agent's text, so they run in a cage."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

_SECONDS = 1.0
_STEPS = 1_000  # instructions of SQLite between two looks at the clock
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION})
_FUNCTIONS = frozenset(
    {"lower", "upper", "like", "trim", "length", "coalesce", "ifnull", "substr", "instr", "in"}
)
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def chosen(options: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> set[int] | None:
    """Return the categories that a drawing command's `where` and `cats` leave, None where they make no sense."""
    every = {int(row["cat"]) for row in rows}
    where, cats = options.get("where", "").strip(), options.get("cats", "").strip()
    fitting = _fitting(where, rows) if where else every
    listed = _listed(cats) if cats else every
    return None if fitting is None or listed is None else fitting & listed


def _fitting(where: str, rows: Sequence[Mapping[str, Any]]) -> set[int] | None:
    columns = [name for name in rows[0] if not name.startswith("_")]
    named = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    marks = ", ".join("?" * len(columns))
    end = time.monotonic() + _SECONDS
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE features ({named})")
        values = ([row[name] for name in columns] for row in rows)
        database.executemany(f"INSERT INTO features VALUES ({marks})", values)  # noqa: S608 - question marks
        database.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
        database.set_authorizer(_reading_only)
        try:
            found = database.execute(f"SELECT cat FROM features WHERE ({where})")  # noqa: S608 - in its cage
            return {int(row[0]) for row in found}
        except (sqlite3.Error, sqlite3.Warning, ValueError, TypeError):
            return None


def _reading_only(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_OK if (second or "").lower() in _FUNCTIONS else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and first != "features":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _listed(cats: str) -> set[int] | None:
    found: set[int] = set()
    for part in cats.replace(" ", "").split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2] or match[1])
        if last - first > 100_000:
            return None
        found.update(range(first, last + 1))
    return found
