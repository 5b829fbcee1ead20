"""Differences of snapshots: records by field and components by element, as readable lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.snapshot import METADATA, Record, Snapshot
from pytest_cuabench.task.evidence import Change, Operation

Describes = Mapping[str, ObjectInfo]
_LONGEST = 60


def difference(before: Snapshot, now: Snapshot, described: Describes) -> tuple[Change, ...]:
    """Return the net changes of everything that is in both snapshots, in a stable order.

    A record counts as changed when a writable field differs; totals and stamps are derived.
    """
    return (*_records(before, now, described), *_components(before, now))


def _records(before: Snapshot, now: Snapshot, described: Describes) -> Iterator[Change]:
    for object in sorted(set(before.records) & set(now.records)):
        old, new = before.records[object], now.records[object]
        if old is new:  # not read again
            continue
        compared = described[object].compared
        for key in sorted(set(old) | set(new)):
            yield from _change(object, key, old.get(key), new.get(key), compared)


def _change(
    object: str, key: str, old: Record | None, new: Record | None, compared: frozenset[str]
) -> Iterator[Change]:
    if old is None or new is None:
        op: Operation = "insert" if old is None else "delete"
        yield Change(object, key, op, old, new)
    # The first comparison is fast, and most records are equal.
    elif old != new and any(old.get(name) != new.get(name) for name in compared):
        fields = sorted(name for name in compared if old.get(name) != new.get(name))
        yield Change(object, key, "update", {f: old.get(f) for f in fields}, {f: new.get(f) for f in fields})


def _components(before: Snapshot, now: Snapshot) -> Iterator[Change]:
    for kind in sorted({*before.components, *before.listed} & {*now.components, *now.listed}):
        old, new = before.trees(kind), now.trees(kind)
        for name in sorted(set(old) | set(new)):
            if old.get(name) != new.get(name):
                op: Operation = "insert" if name not in old else "delete" if name not in new else "update"
                yield Change(METADATA + kind, name, op, old.get(name), new.get(name))


def describe_change(change: Change, before: Snapshot, now: Snapshot, described: Describes) -> Iterator[str]:
    """Yield the description of a change: operation and record, then each value before and after."""
    verb = {"insert": "created", "delete": "deleted", "update": "changed"}[change.op]
    name = record_name(change.collection, change.key, (now, before), described)
    yield f"{verb} {change.collection.removeprefix(METADATA)} {name}"
    if change.op == "update":
        for path, old, new in element_changes(change.before, change.after):
            yield f"    {path}: {_formatted(old)} -> {_formatted(new)}"


def record_name(collection: str, key: str, snapshots: tuple[Snapshot, ...], described: Describes) -> str:
    """Return a record's name with its id; for a component its full name."""
    if collection.startswith(METADATA):
        return key
    info = described.get(collection)
    for snapshot in snapshots:
        row = snapshot.records.get(collection, {}).get(key)
        called = row.get(info.name_field) if row and info and info.name_field else None
        if called:
            return f'"{called}" ({key})'
    return key


def element_changes(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield each differing element of two trees with its path; list entries are matched by name."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in sorted(set(old) | set(new)):
            yield from element_changes(old.get(name), new.get(name), f"{path}.{name}" if path else name)
    elif _named(old) and _named(new):
        first, second = _by_name(old), _by_name(new)
        for name in dict.fromkeys((*first, *second)):
            yield from element_changes(first.get(name), second.get(name), f"{path}[{name}]")
        if set(first) == set(second) and list(first) != list(second):
            yield f"{path} order", ", ".join(first), ", ".join(second)
    elif old != new:
        yield path, old, new


_NAMES = ("fullName", "value", "name", "label", "field", "object")


def _named(entries: Any) -> bool:
    """Whether all entries of a list have distinct names."""
    return (
        isinstance(entries, list)
        and all(isinstance(entry, Mapping) for entry in entries)
        and len(set(_by_name(entries))) == len(entries)
    )


def _by_name(entries: list[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {str(next((entry[n] for n in _NAMES if n in entry), "")): entry for entry in entries}


def _formatted(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping | list):
        return f"{len(value)} elements"
    text = str(value)
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
