"""What was changed on a desktop, compared with what should have been.

A place is `collection/row:field` of the state, such as `settings/geany.conf/geany:line_break_column`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from pytest_cuabench import Evidence, Findings, Milestone, State, Violation
from pytest_cuabench.task.case import misread as misread
from pytest_cuabench.task.kinds import Kind, free

from .kinds import CHOICE, TEXT

Wanted = tuple[str, Any, Kind]
"""A place, the value that it should have, and its kind."""


def placed(
    evidence: Evidence,
    wanted: Mapping[str, Wanted],
    open: Mapping[str, str] | None = None,
    along: Mapping[str, Any] | None = None,
) -> Findings:
    """Judge values of the state, and that nothing else was changed.

    Args:
        wanted: For each milestone, a place, the value that it should have, and its kind, in the order of the steps.
        open: Rows, as `collection/row`, or places that may change with them, each with the reason.
        along: Places that the program sets with them, each with its value.
    """
    along = along or {}
    for name, (place, value, kind) in wanted.items():
        yield milestone(evidence, name, place, value, kind, 1 / len(wanted))
    for place, value in along.items():
        yield from goes_along(evidence, place, value, CHOICE)
    yield from nothing_else(evidence, {*along, *(place for place, *_ in wanted.values())}, open)


def goes_along(evidence: Evidence, place: str, value: Any, kind: Kind) -> Findings:
    """Judge a value that goes along with others, unless it is as it was."""
    seen = value_at(evidence.after, place)
    if seen != value_at(evidence.before, place) and not kind.same(seen, value, parts(place), optional=True):
        yield Violation("record_integrity", "major", place, f"{place} is {seen!r}, not {value!r}.")


def milestone(evidence: Evidence, name: str, place: str, value: Any, kind: Kind, weight: float) -> Milestone:
    """Judge one value of the state."""
    seen = value_at(evidence.after, place)
    reached = kind.same(seen, value, parts(place))
    return Milestone(name, reached, weight, f"{place} is {value!r}", f"it is {seen!r}")


def unlike(evidence: Evidence, place: str, like: str, judged: set[str]) -> Findings:
    """Judge what a new row, if there is one, has otherwise than that which it is a copy of; its fields are judged then.

    Args:
        like: The key of the other row, in the same collection.
    """
    collection, key = parts(place)
    copy = evidence.after.collections.get(collection, {}).get(key, {})
    original = evidence.before.collections.get(collection, {}).get(like, {})
    for name in sorted({*copy, *original} if copy else ()):
        here = f"{place}:{name}"
        if here not in judged and copy.get(name) != original.get(name):
            detail = f"{here} is {copy.get(name)!r}, and {original.get(name)!r} in {like}."
            yield Violation("record_integrity", "major", here, detail)
        judged.add(here)


def nothing_else(
    evidence: Evidence, places: Collection[str], open: Mapping[str, str] | None = None
) -> Findings:
    """Judge changes at other places as violations, unless a default of the program is written out.

    Args:
        places: What is judged already.
        open: What may change, with the reason; a place without a field stands for its whole row.
    """
    open = {**_follow(places), **(open or {})}
    for place, why in open.items():
        free(parts(place), why)
    for place, detail in _changes(evidence):
        known = place in places or place in open or place.rpartition(":")[0] in open
        if not known and not _default(evidence, place):
            yield Violation("record_integrity", "major", place, detail)


def _follow(places: Iterable[str]) -> dict[str, str]:
    """Return what follows from texts of files that are judged."""
    rows = [
        place.removesuffix(":text")
        for place in places
        if place.startswith("files/") and place.endswith(":text")
    ]
    return {f"{row}:{name}": "it follows from the text" for row in rows for name in ("size", "sha256")}


def _default(evidence: Evidence, place: str) -> bool:
    """Whether the default is there that the program takes anyway, as `defaults` of the state tells."""
    collection, key, field = parts(place)
    default = evidence.before.collections.get("defaults", {}).get(key, {}).get(field)
    return (
        default is not None
        and collection == "settings"
        and value_at(evidence.before, place) is None
        and CHOICE.matches(value_at(evidence.after, place), default)
    )


def actual(evidence: Evidence, place: str) -> str:
    """Return the place with the row that was made for it, whose name may be written otherwise."""
    collection, key, *field = parts(place)
    before, after = (state.collections.get(collection, {}) for state in (evidence.before, evidence.after))
    if key not in before:
        for name in after:
            if name not in before and TEXT.matches(name, key) and TEXT.same(name, key, (collection, name)):
                return ":".join((f"{collection}/{name}", *field))
    return place


def labelled(evidence: Evidence, place: str) -> str:
    """Return the place with the label of what was made, as in `named-range[Sum]`, which may be written otherwise."""
    collection, key, *field = parts(place)
    before, after = (
        state.collections.get(collection, {}).get(key, {}) for state in (evidence.before, evidence.after)
    )
    if not field or "[" not in field[0] or field[0] in after:
        return place
    known = (name for name in after if name not in before and _label(name) == _label(field[0]))
    return f"{collection}/{key}:{next(known, field[0])}"


def _label(field: str) -> str:
    return re.sub(r"\s*([\[\]])\s*", r"\1", field).casefold()


def made(evidence: Evidence, row: str, field: str, **wanted: Any) -> str:
    """Return the new row that people know by a field, which `is` what it should be; the given one if there is none."""
    collection, _ = parts(row)
    before, after = (state.collections.get(collection, {}) for state in (evidence.before, evidence.after))
    known = (key for key in after if key not in before and TEXT.matches(after[key].get(field), wanted["is"]))
    return f"{collection}/{next(known, parts(row)[1])}"


def parts(place: str) -> tuple[str, ...]:
    """Return a place as the audit names it."""
    collection, _, rest = place.partition("/")
    key, colon, field = rest.rpartition(":")
    return (collection, key, field) if colon else (collection, rest)


def value_at(state: State, place: str) -> Any:
    """Return the value at a place; None if there is none."""
    collection, key, field = parts(place)
    return state.collections.get(collection, {}).get(key, {}).get(field)


def _changes(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for change in evidence.changes:
        for name, (before, after) in change.fields.items():
            place = f"{change.collection}/{change.key}:{name}"
            yield place, f"{place} was changed from {_short(before)} to {_short(after)}."


def _short(value: Any) -> str:
    return f"{value!r:.80}"
