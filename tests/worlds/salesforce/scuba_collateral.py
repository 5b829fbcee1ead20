"""Legal writes beside a task of SCUBA: each kind that the org offers, done to the store after the reference.

A kind is an object or metadata type with what is done to it: a field of a record that the task made or changed, a field
of another record, a new record, a deletion, and the same with what is put back at once. What the org refuses, and what
changes nothing, is no legal write.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError
from salesforce_org.store.schema import Field, Schema, SObject

from .scuba_trials import Trial, scuba_deeds, seeded, seen

PAGE = Path(__file__).resolve().parents[3] / "docs" / "scuba-collateral.md"
HEAD = """# SCUBA: writes beside the task

After the reference of each template's first task one further legal write is done to the org, of each kind that it
offers, and the task is judged again: each has to be a violation or a lost milestone, unless it is declared free.
*same record* is a field of what the task made or changed, *other record* a field of any other object's record, *put
back* that what was written is undone at once. What the org refuses is not counted. A sample runs with the default
tests, all 300 tasks at night (`tests/worlds/salesforce/test_scuba_collateral.py`). Written by
`scripts/scuba-pages`.
"""
# Fields that are free, with the template that says so and why.
FREE: Mapping[tuple[str, str], str] = {
    **{
        (template, f"{object}.DeveloperName"): "the task names no API name"
        for template, object in (
            ("admin_010", "ListViewChart"),
            ("admin_020", "PermissionSetGroup"),
            ("admin_028", "PermissionSetGroup"),
            ("admin_034", "Group"),
            ("admin_035", "UserRole"),
            ("sales_011", "ObjectTerritory2AssignmentRule"),
            ("sales_011", "Territory2Model"),
            ("service_001", "Group"),
        )
    },
    ("admin_019", "PermissionSet.Name"): "the task names no API name",
    ("admin_035", "UserRole.RollupDescription"): "how reports call the role",
    **{
        ("sales_005", f"Event.{name}"): "the task leaves the event's time open"
        for name in (
            "StartDateTime",
            "EndDateTime",
            "ActivityDate",
            "ActivityDateTime",
            "DurationInMinutes",
            "IsAllDayEvent",
        )
    },
    ("sales_005", "Task.Subject"): "any subject of a call will do",
    ("sales_005", "Task.Description"): "the text of the email is open",
    ("sales_005", "EmailMessage.TextBody"): "the text of the email is open",
    ("sales_005", "EmailMessage.HtmlBody"): "the text of the email is open",
    ("service_006", "MilestoneType.Description"): "the task leaves descriptions open",
    ("service_010", "Knowledge__kav.UrlName"): "the task leaves the URL name open",
}


@dataclass(frozen=True, slots=True)
class Extra:
    """One legal write beside the task.

    Attributes:
        group: `same record`, `other record`, `create`, `create, of it` (a child of what the task made), `delete`,
            `component`, and some of them with `, put back`.
        name: The object or type, with the field.
    """

    group: str
    name: str
    write: Callable[[Org], None]


class Beside:
    """The reference's end state of a task, and what further writes in it are judged to be."""

    def __init__(self, task: Task, seed: int = 0) -> None:
        self.trial = Trial(task, seed)
        self.done = self.trial.start.copy()
        self.done.journal.request = 1
        self.said = scuba_deeds.do(self.done, task.template, self.trial.case)
        self.asked = tuple(Write(*write) for write in self.done.journal.writes)
        self._chance = random.Random(task.id)

    def extras(self) -> Iterator[Extra]:
        """Yield every kind of write that the org offers; whether it is legal shows when it is made."""
        ours = {(one.collection, one.key) for one in self.asked if one.op != "delete"}
        for collection, key in sorted(ours):
            if collection in self.done.schema.objects:
                kind = self.done.schema[collection]
                yield from self._fields("same record", kind, key)
                yield from self._children(kind, key)
        for name, kind in sorted(self.done.schema.objects.items()):
            others = [row for row in self.done.rows(name) if (name, row["Id"]) not in ours]
            if others:
                other = self._chance.choice(others)
                yield from self._fields("other record", kind, other["Id"])
                yield from self._whole(kind, other)
        for collection, rows in sorted(self.done.collections().items()):
            if collection.startswith("metadata/"):
                own = {key for kind, key in ours if kind == collection}
                yield from self._components(collection.removeprefix("metadata/"), rows, own)

    def judged(self, extra: Extra) -> Verdict | None:
        """Return the verdict on the task with a write beside it; None where the org does not allow that write."""
        org = self.done.copy()
        org.journal.request = 2
        try:
            extra.write(org)
        except (OrgError, LookupError, ValueError, TypeError):
            return None
        if not org.journal.writes:
            return None
        state = seen(org)
        after = State(state.collections, (*self.asked, *state.journal), clock=state.clock)
        return self.trial.judge(Evidence(self.trial.before, after, self.said, "success"))

    def survives(self, extra: Extra) -> bool:
        """Whether a write beside the task is accepted without being declared free."""
        verdict = self.judged(extra)
        return verdict is not None and verdict.success and not self.free(extra)

    def free(self, extra: Extra) -> bool:
        """Whether a write is one that the task leaves free."""
        return extra.group == "same record" and (self.trial.task.template, extra.name) in FREE

    @staticmethod
    def schema() -> Schema:
        """Return the objects of the org."""
        return seeded(0).schema

    def _fields(self, group: str, kind: SObject, key: str) -> Iterator[Extra]:
        for one in kind.fields:
            if kind.updateable and one.updateable and one.stored:
                yield Extra(group, f"{kind.name}.{one.name}", _updated(kind, key, one))
                if group == "other record":
                    yield Extra(f"{group}, put back", f"{kind.name}.{one.name}", _and_back(kind, key, one))

    def _children(self, kind: SObject, key: str) -> Iterator[Extra]:
        """Yield new records of each object that may point to one that the task made or changed."""
        for child, reference in self.done.schema.children.get(kind.name, ()):
            row = next(self.done.rows(child.name), None)
            if row and child.createable and reference.createable:
                given = {**row, reference.name: key}
                name = f"{child.name}.{reference.name}"
                yield Extra("create, of it", name, lambda org, c=child, g=given: _cloned(org, c, g) and None)

    def _whole(self, kind: SObject, row: Record) -> Iterator[Extra]:
        if kind.createable:
            yield Extra("create", kind.name, lambda org: _cloned(org, kind, row) and None)
            yield Extra("create, put back", kind.name, lambda org: org.delete(_cloned(org, kind, row)))
        if kind.deletable:
            yield Extra("delete", kind.name, lambda org: org.delete(row["Id"]))
            yield Extra("delete, put back", kind.name, lambda org: _deleted_and_back(org, row["Id"]))

    def _components(self, kind: str, rows: Mapping[str, Any], own: set[str]) -> Iterator[Extra]:
        name = self._chance.choice(sorted(rows.keys() - own) or sorted(rows))
        tree = rows[name]
        changed = {**tree, "description": "By the way"}

        def back(org: Org) -> None:
            org.put_component(kind, name, changed)
            org.put_component(kind, name, tree)

        yield Extra("component", f"{kind}, changed", lambda org: org.put_component(kind, name, changed))
        yield Extra("component", f"{kind}, deleted", lambda org: org.put_component(kind, name, None))
        if kind != "Profile":  # a new profile is a record first
            yield Extra(
                "component", f"{kind}, created", lambda org: org.put_component(kind, f"{name}_2", tree)
            )
        if name not in own:
            yield Extra("component, put back", f"{kind}, changed", back)


def _updated(kind: SObject, key: str, field: Field) -> Callable[[Org], None]:
    def write(org: Org) -> None:
        row = org.get(kind.name, key)
        assert row is not None
        org.update(key, **{field.name: _other(org, field, row)})

    return write


def _and_back(kind: SObject, key: str, field: Field) -> Callable[[Org], None]:
    def write(org: Org) -> None:
        row = org.get(kind.name, key)
        assert row is not None
        org.update(key, **{field.name: _other(org, field, row)})
        org.update(key, **{field.name: row[field.name]})

    return write


def _deleted_and_back(org: Org, key: str) -> None:
    org.delete(key)
    org.undelete(key)


def _cloned(org: Org, kind: SObject, row: Record) -> str:
    """Create a record like another one, with other texts where they must be unique, or with as little as it needs."""
    given = {
        one.name: row[one.name]
        for one in kind.fields
        if one.createable and one.stored and row.get(one.name) is not None
    }
    for name in ("Name", "DeveloperName", "UrlName", "Username", "MasterLabel", "Label", "Title"):
        if isinstance(given.get(name), str):
            given[name] = f"x{given[name]}"[:40]
    if "Username" in given:
        given["Username"] = "one.more@cuabench.invalid"
    with suppress(OrgError):
        return org.insert(kind.name, **given)
    needed = {name: value for name, value in given.items() if (kind.by_name[name.casefold()]).required}
    return org.insert(kind.name, **needed)


def _other(org: Org, field: Field, row: Record) -> Any:
    """Return another value than a record's that a field takes.

    Raises:
        LookupError: There is none.
    """
    now = row.get(field.name)
    match field.type:
        case "boolean":
            return not now
        case "picklist" | "multipicklist" | "combobox":
            entries = [one.value for one in org.picklist(field) if one.active and one.value != now]
            return entries[0]
        case "reference":
            targets = (one["Id"] for object in field.to for one in org.rows(object) if one["Id"] != now)
            return [one for one in targets if one != row["Id"]][0]  # noqa: RUF015 - IndexError is a LookupError
        case "int" | "double" | "currency" | "percent":
            return 1 if now is None else now + 1 if now < 90 else now - 1
        case "date":
            return "2026-03-17" if now != "2026-03-17" else "2026-03-18"
        case "datetime":
            return "2026-03-17T09:00:00.000+0000"
        case "email":
            return "another@cuabench.example"
        case "phone":
            return "+1 555 010 9999" if now is None else f"{now}1"
        case "url":
            return "https://cuabench.example"
    return f"x{now or ''}"[: field.length]


def tally(tasks: Iterable[Task]) -> Counter[tuple[str, str]]:
    """Return how many kinds were tried by group, and how many of them were `free` or `accepted`."""
    counted: Counter[tuple[str, str]] = Counter()
    for task in tasks:
        beside = Beside(task)
        for extra in beside.extras():
            verdict = beside.judged(extra)
            if verdict is not None:
                counted[extra.group, "legal"] += 1
                free = beside.free(extra)
                counted[extra.group, "free" if free else "accepted"] += verdict.success
    return counted


def text(counted: Counter[tuple[str, str]]) -> str:
    """Return the page of the docs."""
    lines = [
        HEAD,
        "| what is done beside the task | legal writes | declared free | accepted |",
        "|---|---|---|---|",
    ]
    groups = sorted({group for group, _ in counted})
    kinds = ("legal", "free", "accepted")
    for group in groups:
        lines.append(f"| {group} | {' | '.join(f'{counted[group, kind]:,}' for kind in kinds)} |")
    sums = [sum(counted[group, kind] for group in groups) for kind in kinds]
    lines.append(f"| all | {' | '.join(f'{one:,}' for one in sums)} |")
    lines += [
        "",
        "## What is declared free",
        "",
        "| template | field of what the task makes | why |",
        "|---|---|---|",
    ]
    lines += [f"| {template} | {field} | {reason} |" for (template, field), reason in sorted(FREE.items())]
    return "\n".join([*lines, ""])
