"""Show the schools of one kind of access only."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Kind
from pytest_cuabench.task.kinds.base import Spellings

from . import mapping
from .mapping import region as setup

__all__ = ["setup"]

_ACCESS = {
    "yes": "known to be accessible by wheelchair",
    "no": "known not to be accessible by wheelchair",
    "limited": "accessible by wheelchair with limitations",
}
_SECONDS = 1.0
_STEPS = 1_000  # instructions of SQLite between two looks at the clock
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION})
_FUNCTIONS = frozenset(
    {"lower", "upper", "like", "trim", "length", "coalesce", "ifnull", "substr", "instr", "in"}
)
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def case(state: State, random: Random) -> Values:
    access = random.choice(list(_ACCESS))
    rows = mapping.table(state, "schools")
    return {
        "map": "schools",
        "layer": mapping.full("schools"),
        "shown": mapping.full(mapping.shown(state)[0]),
        "access": access,
        "meaning": _ACCESS[access],
        "rows": {row["_key"]: row["wheelchair"] for row in rows},
        "cats": [row["cat"] for row in rows if row["wheelchair"] == access],
    }


def _chosen(options: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> set[int] | None:
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


@dataclass(frozen=True)
class Condition(Kind):
    """A condition of SQL, by the schools that it chooses.

    Attributes:
        rows: The attribute table.
        columns: Its names.
    """

    rows: tuple[tuple[Any, ...], ...]
    columns: tuple[str, ...]

    def meaning(self, value: Any) -> set[int]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        if (found := _fitting(str(value), rows)) is None:
            raise ValueError(f"{value!r:.60} is no condition")
        return found

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "spaces around", f"  {value} "
        yield "in parentheses", f"({value})"
        yield "other case", value.replace("wheelchair", "WHEELCHAIR")
        yield "another sign", value.replace("=", "==")
        yield "another word", value.replace("=", "LIKE")
        yield "a list", re.sub(r"=\s*('\w+')", r"in (\1)", value)
        yield "with what is always so", f"{value} AND cat > 0"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield from (f"NOT ({value})", f"{value} OR cat < 9", f"{value} AND cat > 9", f"{value} (", "1 = 1")
        yield value.replace("'", "")


def check(evidence: Evidence, case: Case) -> Findings:
    """Have exactly the wanted schools drawn, however the condition is written."""
    layer = mapping.layer_of(evidence, case["layer"])
    options, rows = mapping.drawn(layer), evidence.after.rows(f"{mapping.PIEMONTE}/schools")
    cats = _chosen(options, rows) if options else None
    if where := options.get("where"):
        names = tuple(name for name in rows[0] if not name.startswith("_"))
        condition = Condition(tuple(tuple(row[name] for name in names) for row in rows), names)
        condition.same(where, where, mapping.option_place(layer, "where"))
    seen = "no layer, or its condition fails" if cats is None else f"{len(cats)} schools"
    right = cats is not None and cats == set(case["cats"])
    yield Milestone(
        "schools", right, 1.0, f"the {len(case['cats'])} schools with wheelchair {case['access']!r}", seen
    )
    yield from mapping.unasked(evidence, mapping.added(case["layer"], "where", "cats"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Show the schools, then type the condition."""
    await mapping.show_map(pilot, mapping.PIEMONTE, "schools")
    await _condition(pilot, f"wheelchair = '{case['access']}'")


async def _condition(pilot: Pilot, where: str) -> None:
    """Let the layer of schools show those only that fit a condition."""
    dialog = await mapping.properties(pilot, mapping.full("schools"), "Selection")
    await pilot.fill(f"{dialog} >> text:nth(2)", where)
    await mapping.confirm(pilot, dialog)


@wrong("milestone:schools")
async def showed_all_schools(pilot: Pilot, case: Case) -> None:
    """Nothing was left out."""
    await mapping.show_map(pilot, mapping.PIEMONTE, "schools")


@wrong("milestone:schools")
async def showed_the_contrary(pilot: Pilot, case: Case) -> None:
    """Exactly the others are shown."""
    await mapping.show_map(pilot, mapping.PIEMONTE, "schools")
    await _condition(pilot, f"wheelchair != '{case['access']}'")
