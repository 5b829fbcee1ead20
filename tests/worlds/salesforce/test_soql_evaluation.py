"""The engine finds and sorts what a plain evaluation of the same conditions does."""

from __future__ import annotations

import fnmatch
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from salesforce_org.soql import query
from salesforce_org.soql.likeness import matcher
from salesforce_org.soql.tree import Both, Comparison, Condition, Literal, Not
from salesforce_org.soql.tree import Path as Names
from salesforce_org.soql.unparse import condition as written
from salesforce_org.store import Org

from . import soql_org
from .soql_trees import trees

NAMES = ["Acme", "acme", "Beta", "b%", "_x", None]
NUMBERS = [None, -1, 0, 2.5, 100]
DAYS = [None, "2025-12-31", "2026-03-03", "2026-03-04"]


@cache
def org() -> Org:
    """Return an org with opportunities of all kinds; it is read only."""
    with TemporaryDirectory() as folder:
        made = soql_org.build(Path(folder))
    place = 0
    for stage in (None, "Prospecting", "Closed Won"):
        for amount in NUMBERS:
            for day in DAYS:
                name = NAMES[place % 5]
                made.insert("Opportunity", Name=name, StageName=stage, Amount=amount, CloseDate=day)
                place += 1
    return made


def number(value: float) -> Literal:
    """Return a number as a query has it."""
    return Literal("number", str(value))


def text(value: str) -> Literal:
    """Return a text as a query has it."""
    return Literal("text", value)


def day(value: str) -> Literal:
    """Return a date as a query has it."""
    return Literal("date", value)


NULL = Literal("null", "null")
KINDS = {
    "Name": [text(name) for name in NAMES if name] + [NULL],
    "StageName": [text("closed won"), text("Prospecting"), text("none"), NULL],
    "Amount": [number(value) for value in NUMBERS if value is not None] + [NULL],
    "CloseDate": [day(value) for value in DAYS if value] + [NULL],
}
tests = st.sampled_from(sorted(KINDS)).flatmap(
    lambda name: st.one_of(
        st.builds(
            Comparison,
            st.just(Names((name,))),
            st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
            st.sampled_from(KINDS[name]).map(lambda one: (one,)),
        ),
        st.builds(
            Comparison,
            st.just(Names((name,))),
            st.sampled_from(["IN", "NOT IN"]),
            st.lists(st.sampled_from(KINDS[name]), min_size=1, max_size=3).map(tuple),
        ),
    )
)
likes = st.builds(
    Comparison,
    st.just(Names(("Name",))),
    st.just("LIKE"),
    st.text("acmeb%_\\", max_size=5)
    .map(lambda pattern: re.sub(r"\\(?![%_\\])|\\$", "", pattern.replace("\\\\", "")))
    .map(lambda pattern: (Literal("pattern", pattern),)),
)


def plainly(tree: Condition, row: dict[str, Any]) -> bool:
    """Return what a condition says of a record, evaluated as plainly as can be."""
    if isinstance(tree, Not):
        return not plainly(tree.condition, row)
    if isinstance(tree, Both):
        found = [plainly(one, row) for one in tree.conditions]
        return all(found) if tree.word == "AND" else any(found)
    assert isinstance(tree.left, Names)
    assert isinstance(tree.right, tuple)
    value = row[tree.left.names[0]]
    if tree.operator == "LIKE":
        return bool(re.fullmatch(glob(tree.right[0].text), value, re.IGNORECASE | re.DOTALL))
    given = [plain(one) for one in tree.right]
    value = value.lower() if isinstance(value, str) else value
    if tree.operator in ("IN", "="):
        return value in given
    if tree.operator in ("NOT IN", "!="):
        return value not in given
    if value is None or given[0] is None:
        return False
    return bool(
        {"<": value < given[0], "<=": value <= given[0], ">": value > given[0], ">=": value >= given[0]}[
            tree.operator
        ]
    )


def plain(value: Literal) -> Any:
    """Return the value of a literal."""
    if value.kind == "null":
        return None
    return float(value.text) if value.kind == "number" else value.text.lower()


def glob(pattern: str) -> str:
    """Return a pattern of LIKE as a regular expression, piece by piece."""
    pieces = re.findall(r"\\.|.", pattern)
    return "".join({"%": ".*", "_": "."}.get(piece, re.escape(piece[-1])) for piece in pieces)


@settings(max_examples=60)
@given(trees(tests | likes))
def test_the_engine_agrees_with_a_plain_evaluation(tree: Condition) -> None:
    """Whatever AND, OR, NOT, comparisons, lists and patterns say, the same records are found."""
    rows = [dict(row) for row in org().rows("Opportunity")]
    wanted = [row["Id"] for row in rows if plainly(tree, row)]
    found = query(org(), f"SELECT Id FROM Opportunity WHERE {written(tree)}")
    assert [row["Id"] for row in found.records] == wanted


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from(["Name", "Amount", "CloseDate"]), st.booleans(), st.booleans()),
        min_size=1,
        max_size=3,
        unique_by=lambda key: key[0],
    )
)
def test_records_are_in_order_by_every_key(keys: list[tuple[str, bool, bool]]) -> None:
    """Of two neighbours, the first key in which they differ tells why they stand so."""
    clause = ", ".join(
        f"{name} {'DESC' if down else 'ASC'} NULLS {'LAST' if last else 'FIRST'}" for name, down, last in keys
    )
    found = query(org(), f"SELECT Name, Amount, CloseDate FROM Opportunity ORDER BY {clause}").records
    assert len(found) == 60
    for one, other in pairwise(found):
        assert not rank(other, keys) < rank(one, keys)


class Backwards:
    """A value that compares the other way round."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Backwards) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Backwards) -> bool:
        return bool(other.value < self.value)


def rank(row: dict[str, Any], keys: list[tuple[str, bool, bool]]) -> list[Any]:
    """Return a record's place by some keys."""
    found: list[Any] = []
    for name, down, last in keys:
        value = row[name].lower() if isinstance(row[name], str) else row[name]
        empty = value is None
        found.append(empty == last)
        found.append(0 if empty else Backwards(value) if down else value)
    return found


@given(st.text("ab_%", max_size=8), st.text("ab", max_size=8))
def test_like_is_a_glob(pattern: str, value: str) -> None:
    """Patterns without escapes match what shells match with `*` and `?`."""
    shell = pattern.replace("%", "*").replace("_", "?")
    assert matcher(pattern)(value) == fnmatch.fnmatchcase(value, shell)
