"""Evidence for checks: the world's state before and after an episode, writes and requests, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

Row = Mapping[str, Any]
Collections = Mapping[str, Mapping[str, Row]]
Operation = Literal["insert", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Write:
    """One committed write, in commit order; writes that were undone later are included."""

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
    """The complete state of a world at one moment.

    `collections` maps a collection's name to its rows by key, whatever the world is made of: tables, records of an org,
    files of a desktop. `journaled` says that the world reports its writes: an empty `journal` then means none. `ended`
    says that the world itself has ended the episode, as a game does that is over. `unsealed` says why
    a part of it is as it was read before, since code of the agent's runs in the application that tells it.
    """

    collections: Collections
    journal: tuple[Write, ...] = ()
    revision: int = 0
    clock: str | None = None
    fingerprint: str | None = None
    ended: bool = False
    journaled: bool = False
    unsealed: str | None = None

    def rows(self, collection: str, **equal: Any) -> list[dict[str, Any]]:
        """Return the rows of a collection whose fields equal the given values, each with its `_key`."""
        found = self.collections.get(collection, {})
        return [
            {**row, "_key": key}
            for key, row in found.items()
            if all(row.get(name) == value for name, value in equal.items())
        ]

    def row(self, collection: str, **equal: Any) -> dict[str, Any]:
        """Return the single matching row.

        Raises:
            LookupError: There is no matching row, or more than one.
        """
        rows = self.rows(collection, **equal)
        if len(rows) != 1:
            raise LookupError(f"{len(rows)} rows of {collection} have {equal}, expected 1")
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
    """Yield the differences of two states, in a stable order."""
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
    """One network request of the agent's screen, with secrets redacted."""

    method: str
    url: str
    status: int | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Activity:
    """Network activity during the episode, of all pages and tabs."""

    requests: tuple[Request, ...] = ()
    navigations: tuple[str, ...] = ()
    downloads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of an episode for its check.

    Attributes:
        before: The world's state after reset.
        after: The world's state at the end of the episode.
        answer: The first final answer, if the agent gave one.
        ending: How the episode ended: `answer`, `success`, `failure`, `infeasible`, `budget`, `violation`,
            `lockout`, `human` where a person ended it, `world` where the world did, `broke` where an error did, or
            `running` when checks look at an episode that goes on.
        goal: The goal's text; set by `Task.judge`.
    """

    before: State
    after: State
    answer: str | None = None
    ending: str = "running"
    activity: Activity = Activity()
    goal: str = ""
    changes: tuple[Change, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "changes", tuple(difference(self.before, self.after)))

    def about(self, goal: str) -> Evidence:
        """Return the same evidence for a goal."""
        same = copy(self)  # `replace` would compare the states again
        object.__setattr__(same, "goal", goal)
        return same

    @property
    def journal(self) -> tuple[Write, ...]:
        """All committed writes of the episode, including undone ones."""
        return self.after.journal[len(self.before.journal) :]

    def rewound(self) -> Iterator[Evidence]:
        """Yield the evidence with the newest writes reverted one by one, down to the state before."""
        states = [self.before]
        for write in self.journal:
            states.append(_after(states[-1], write))
        for state in reversed(states[:-1]):
            yield replace(self, after=state)


def _after(state: State, write: Write) -> State:
    rows = {key: row for key, row in state.collections.get(write.collection, {}).items() if key != write.key}
    if write.after is not None:
        rows[write.key] = write.after
    held = {**state.collections, write.collection: rows}
    return State(held, (*state.journal, write), state.revision, state.clock)


def state_from_json(data: Mapping[str, Any]) -> State:
    """Create a state from plain data, as in the world protocol and in trajectories."""
    journal = tuple(
        Write(w["collection"], str(w["key"]), w["op"], w["before"], w["after"], w.get("request"))
        for w in data.get("journal", ())
    )
    return State(
        data["collections"],
        journal,
        data.get("revision", 0),
        data.get("clock"),
        data.get("fingerprint"),
        data.get("ended", False),
        data.get("journaled", "journal" in data),
        data.get("unsealed"),
    )


def state_to_json(state: State) -> dict[str, Any]:
    """Return a state as plain data for `state_from_json`; the rows are the state's own, not copies."""
    return {**_shallow(state), "journal": [_shallow(write) for write in state.journal]}


def _shallow(one: State | Write) -> dict[str, Any]:
    return {each.name: getattr(one, each.name) for each in fields(one)}
