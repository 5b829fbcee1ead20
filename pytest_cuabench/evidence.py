"""What a checker may read: facts about the world before, after and in between, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Row = Mapping[str, Any]
Collections = Mapping[str, Mapping[str, Row]]
Operation = Literal["insert", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Write:
    """One committed write, in the order of commitment; a write that was undone later is still here."""

    collection: str
    key: str
    op: Operation
    before: Row | None
    after: Row | None
    request: int | None = None

    @property
    def row(self) -> Row:
        """The row as written, or as it was when deleted."""
        return self.after if self.after is not None else (self.before or {})

    @property
    def fields(self) -> frozenset[str]:
        """Names of the fields this write changed; all of them for an insert or a delete."""
        if self.before is None or self.after is None:
            return frozenset(self.row)
        names = set(self.before) | set(self.after)
        return frozenset(name for name in names if self.before.get(name) != self.after.get(name))


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is true in a world at one moment.

    `collections` maps a collection's name to its rows by key, whatever the world is made of: tables,
    records of an org, files of a desktop. `journal` is empty where a world cannot tell its writes.
    """

    collections: Collections
    journal: tuple[Write, ...] = ()
    revision: int = 0
    clock: str | None = None
    fingerprint: str | None = None

    def rows(self, collection: str, **equal: Any) -> list[dict[str, Any]]:
        """Return the rows of a collection whose fields equal the given values, each with its `_key`."""
        found = self.collections.get(collection, {})
        return [
            {**row, "_key": key}
            for key, row in found.items()
            if all(row.get(name) == value for name, value in equal.items())
        ]

    def row(self, collection: str, **equal: Any) -> dict[str, Any]:
        """Return the one row that fits.

        Raises:
            LookupError: None fits, or several do.
        """
        rows = self.rows(collection, **equal)
        if len(rows) != 1:
            raise LookupError(f"{len(rows)} rows of {collection} have {equal}, one was expected")
        return rows[0]


@dataclass(frozen=True, slots=True)
class Change:
    """One net difference between the state before and the state after."""

    collection: str
    key: str
    op: Operation
    before: Row | None
    after: Row | None

    @property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        """The fields that differ, each with its value before and after."""
        before, after = self.before or {}, self.after or {}
        return {
            name: (before.get(name), after.get(name))
            for name in sorted(set(before) | set(after))
            if before.get(name) != after.get(name)
        }


def difference(before: State, after: State) -> Iterator[Change]:
    """Yield what differs between two states, in a stable order."""
    for collection in sorted(set(before.collections) | set(after.collections)):
        old, new = before.collections.get(collection, {}), after.collections.get(collection, {})
        for key in sorted(set(old) | set(new)):
            if key not in old:
                yield Change(collection, key, "insert", None, new[key])
            elif key not in new:
                yield Change(collection, key, "delete", old[key], None)
            elif old[key] != new[key]:
                yield Change(collection, key, "update", old[key], new[key])


@dataclass(frozen=True, slots=True)
class Request:
    """One request that the agent's screen made; secrets in it are redacted."""

    method: str
    url: str
    status: int | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Activity:
    """What went over the wire during the episode, over all pages and tabs."""

    requests: tuple[Request, ...] = ()
    navigations: tuple[str, ...] = ()
    downloads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about an episode when it is judged.

    Attributes:
        before: The world after reset.
        after: The world when the episode ended.
        answer: The first final answer, if the agent gave one.
        ending: How the episode ended: `answer`, `success`, `failure`, `infeasible`, `budget`, `violation`,
            `lockout`, or `running` when checks look at an episode that goes on.
    """

    before: State
    after: State
    answer: str | None = None
    ending: str = "running"
    activity: Activity = Activity()
    changes: tuple[Change, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(difference(self.before, self.after)))

    @property
    def journal(self) -> tuple[Write, ...]:
        """Every committed write of the episode, also those that were undone."""
        return self.after.journal[len(self.before.journal) :]


def state_from_json(data: Mapping[str, Any]) -> State:
    """Read a state as worlds send it and trajectories store it."""
    journal = tuple(
        Write(w["collection"], str(w["key"]), w["op"], w["before"], w["after"], w.get("request"))
        for w in data.get("journal", ())
    )
    return State(
        data["collections"], journal, data.get("revision", 0), data.get("clock"), data.get("fingerprint")
    )


def state_to_json(state: State) -> dict[str, Any]:
    """Write a state so that `state_from_json` reads it back."""
    return asdict(state)
