"""The plan of a reset: steps that revert a difference, in an order in which they can succeed.

Nothing that existed before is deleted. A record is deleted only if the difference shows it as new *and* its
CreatedDate is after the snapshot; other new records are kept and reported. The one exception is a lead that was
converted in the episode: Salesforce cannot revert that, so the lead is recreated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.difference import Describes, record_name
from pytest_cuabench.drivers.salesforce.snapshot import CREATED, METADATA, Record, Snapshot
from pytest_cuabench.task.evidence import Change

Act = Literal[
    "undelete",
    "deploy",
    "recreate",
    "update",
    "article",
    "analytics",
    "delete",
    "retire",
    "replace",
    "destroy",
]
# Parents are restored before their children; references to a new record are cleared before it is deleted.
ORDER: tuple[Act, ...] = (
    "undelete",
    "deploy",
    "recreate",
    "update",
    "article",
    "analytics",
    "delete",
    "replace",
    "retire",
    "destroy",
)
_WORDS: Mapping[Act, str] = {
    "undelete": "take back from the recycle bin",
    "deploy": "deploy again",
    "recreate": "recreate",
    "update": "set back",
    "article": "archive and delete",
    "analytics": "delete",
    "delete": "delete",
    "replace": "delete and recreate, because it was converted",
    "retire": "deactivate and rename, as users cannot be deleted",
    "destroy": "destroy",
}


# Records that can only be deleted through their metadata component, with its full name.
_COMPONENTS = {"ListView": "{SobjectType}.{DeveloperName}"}
# Records that are deleted through the Analytics API, and their components with them.
ANALYTICS: Mapping[str, str] = {"Dashboard": "dashboards", "Report": "reports"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a reset.

    Attributes:
        object: An object's name, or a metadata type.
        key: Id, or full name of a component.
        name: Display name.
        fields: The values to write.
    """

    act: Act
    object: str
    key: str
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        detail = f": {values}" if self.act == "update" else ""
        return f"{_WORDS[self.act]}: {self.object} {self.name}{detail}"


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order, and sentences on changes that are not reset; `unread` concerns content missing in snapshots."""

    steps: tuple[Step, ...]
    left_alone: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Planner:
    before: Snapshot
    now: Snapshot
    described: Describes
    changes: tuple[Change, ...]
    lost: frozenset[str]

    def plan(self) -> Plan:
        steps: list[Step] = []
        left: list[str] = []
        unread: list[str] = []
        for change in self.changes:
            if sentence := self._unread(change):
                unread.append(sentence)
                continue
            found = self._step(change)
            if isinstance(found, Step):
                steps.append(found)
            elif found:
                left.append(found)
        return Plan(tuple(self._ordered(_distinct(steps))), tuple(left), tuple(unread))

    def _unread(self, change: Change) -> str | None:
        """Return a sentence on a changed or deleted component whose content is in no snapshot."""
        kind = change.collection.removeprefix(METADATA)
        if change.op == "insert" or change.key not in self.before.listed.get(kind, {}):
            return None
        done = "changed" if change.op == "update" else "deleted"
        return f"{kind} {change.key} was {done}, and the snapshot holds its name only"

    def _step(self, change: Change) -> Step | str | None:
        if change.collection.startswith(METADATA):
            return self._component(change)
        if change.op == "insert":
            return self._created(change)
        if change.op == "delete":
            return self._deleted(change)
        return self._changed(change)

    def _component(self, change: Change) -> Step | str | None:
        kind = change.collection.removeprefix(METADATA)
        if change.op != "insert":
            return Step("deploy", kind, change.key, change.key)
        if kind in ANALYTICS and kind in self.now.records:
            return None  # deleted with its record
        read = self.now.components.get(kind, {}).get(change.key)
        created = read.created if read else self.now.listed[kind][change.key][CREATED]
        if not is_newer(created, self.before.taken):
            return f"{kind} {change.key} was not there before, but is older than the snapshot"
        return Step("destroy", kind, change.key, change.key)

    def _created(self, change: Change) -> Step | str | None:
        row = change.after or {}
        info, name = self.described[change.collection], self._name(change)
        if not is_newer(str(row.get("CreatedDate") or ""), self.before.taken):
            return f"{change.collection} {name} was not there before, but is older than the snapshot"
        if change.collection == "User":
            return Step("retire", "User", change.key, name, _retired(row))
        if change.collection.endswith("__kav"):
            return Step("article", change.collection, change.key, name)
        if change.collection in ANALYTICS:
            return Step("analytics", change.collection, change.key, name)
        if change.collection in _COMPONENTS and not info.deletable:
            full = _COMPONENTS[change.collection].format_map(row)
            return Step("destroy", change.collection, full, full)
        if not info.deletable:
            return None  # deleted with its parent; if not, the next comparison shows it
        return Step("delete", change.collection, change.key, name)

    def _deleted(self, change: Change) -> Step | str:
        info, name = self.described[change.collection], self._name(change)
        fields = values_for_recreate(info, change.before or {})
        if info.undeletable and change.key not in self.lost:
            return Step("undelete", change.collection, change.key, name, fields)
        if info.createable:
            return Step("recreate", change.collection, change.key, name, fields)
        return f"{change.collection} {name} was deleted, and cannot be recreated"

    def _changed(self, change: Change) -> Step | str | None:
        info, name, row = self.described[change.collection], self._name(change), change.before or {}
        if change.collection == "Lead" and (change.after or {}).get("IsConverted"):
            whole = self.before.records["Lead"][change.key]
            return Step("replace", "Lead", change.key, name, values_for_recreate(info, whole))
        fields = {field: value for field, value in row.items() if info.fields[field].updateable}
        if fields and info.updateable:
            return Step("update", change.collection, change.key, name, fields)
        return f"{change.collection} {name}: {', '.join(row)} changed, and cannot be written"

    def _ordered(self, steps: Sequence[Step]) -> Iterator[Step]:
        # A record comes back below its last parent, and would go again with one that was created: it is moved first.
        if any(step.act == "undelete" for step in steps):
            steps = [step for step in steps if step.act != "delete"]
        for act in ORDER:
            chosen = [step for step in steps if step.act == act]
            if act == "delete":
                yield from self._by_reference(chosen, self.now, children_first=True)
            elif act == "undelete":
                yield from self._roots(chosen)
            elif act == "recreate":
                yield from self._by_reference(chosen, self.before, children_first=False)
            else:
                yield from chosen

    def _roots(self, steps: Sequence[Step]) -> Sequence[Step]:
        """Return the steps whose records refer to none of the others; their children are restored with them."""
        keys = {step.key for step in steps}
        roots = [
            step
            for step in steps
            if not keys.intersection(
                self.described[step.object].references(self.before.records[step.object][step.key])
            )
        ]
        return roots or steps  # a cycle has no root

    def _by_reference(self, steps: Sequence[Step], source: Snapshot, *, children_first: bool) -> list[Step]:
        by_key = {step.key: step for step in steps}
        graph = {
            step.key: {
                target
                for target in self.described[step.object].references(source.records[step.object][step.key])
                if target in by_key and target != step.key
            }
            for step in steps
        }
        parents_first = [by_key[key] for key in _sorted(graph)]
        return parents_first[::-1] if children_first else parents_first

    def _name(self, change: Change) -> str:
        return record_name(change.collection, change.key, (self.now, self.before), self.described)


def reset_plan(
    before: Snapshot,
    now: Snapshot,
    described: Describes,
    changes: Iterable[Change],
    lost: frozenset[str] = frozenset(),
) -> Plan:
    """Return the plan that reverts changes; `lost` records are no longer in the recycle bin."""
    return _Planner(before, now, described, tuple(changes), lost).plan()


def _distinct(steps: Sequence[Step]) -> list[Step]:
    """Remove duplicate steps: a list view is both a record and a component."""
    return list({(step.act, step.object, step.key): step for step in steps}.values())


def values_for_recreate(info: ObjectInfo, row: Record) -> dict[str, Any]:
    """Return the values for recreating a record."""
    return {
        name: value
        for name, value in row.items()
        if value is not None and name in info.fields and info.fields[name].createable
    }


def is_newer(created: str, taken: str) -> bool:
    """Whether `created` is not before `taken`; both are ISO 8601 in UTC, compared to the second."""
    return bool(created) and created[:19] >= taken[:19]


def _sorted(graph: Mapping[str, set[str]]) -> list[str]:
    """Sort keys topologically; a cycle is broken, and later passes retry what fails."""
    remaining = {key: set(targets) for key, targets in graph.items()}
    while True:
        try:
            return list(TopologicalSorter(remaining).static_order())
        except CycleError as error:
            circle = error.args[1]
            remaining[circle[1]].discard(circle[0])


def _retired(row: Record) -> dict[str, Any]:
    """Return the fields that deactivate and mark a user, since users cannot be deleted."""
    return {
        # Renamed as well: a name stays taken by a user that is inactive.
        "IsActive": False,
        "Username": f"retired.{str(row['Id']).lower()}@cuabench.invalid",
        "LastName": f"Retired {row['Id']}",
        "Alias": "retired",
    }
