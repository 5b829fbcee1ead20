"""What was changed on a desktop, compared with what should have been.

A place is `collection/row:field` of the state, such as `settings/geany.conf/geany:line_break_column`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, State, Violation


def placed(evidence: Evidence, wanted: Mapping[str, tuple[str, Any]], *along: str) -> Findings:
    """Judge values of the state, and that nothing else was changed.

    Args:
        wanted: For each milestone, a place and the value that it should have, or a regular expression for all of it, in
            the order of the steps.
        along: Rows, as `collection/row`, that may change with them.
    """
    for name, (place, value) in wanted.items():
        seen = value_at(evidence.after, place)
        yield Milestone(name, same(seen, value), 1 / len(wanted), expected(place, value), f"it is {seen!r}")
    yield from nothing_else(evidence, {*along, *(place for place, _ in wanted.values())})


def same(seen: Any, value: Any) -> bool:
    """Whether it is the value, or fits the regular expression."""
    if isinstance(value, re.Pattern):
        return isinstance(seen, str) and value.fullmatch(seen) is not None
    return bool(seen == value)


def expected(place: str, value: Any) -> str:
    """Say what a milestone expects."""
    return f"{place} fits {value.pattern}" if isinstance(value, re.Pattern) else f"{place} is {value!r}"


def nothing_else(evidence: Evidence, places: Collection[str]) -> Findings:
    """Judge changes at other places as violations; a place without a field stands for its whole row."""
    for place, detail in _changes(evidence):
        if place not in places and place.rpartition(":")[0] not in places:
            yield Violation("record_integrity", "major", place, detail)


def value_at(state: State, place: str) -> Any:
    """Return the value at a place; None if there is none."""
    collection, _, rest = place.partition("/")
    key, _, field = rest.rpartition(":")
    return state.collections.get(collection, {}).get(key, {}).get(field)


def misread(case: Case, **changes: Any) -> Case:
    """Return the case with other values, as somebody careless understands it."""
    return Case(case.goal, {**case.values, **changes})


def _changes(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for change in evidence.changes:
        for name, (before, after) in change.fields.items():
            place = f"{change.collection}/{change.key}:{name}"
            yield place, f"{place} was changed from {_short(before)} to {_short(after)}."


def _short(value: Any) -> str:
    return f"{value!r:.80}"
