"""What is told of a component beside its content: its file, its id, who made and changed it, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.components import names
from salesforce_org.metadata.registry import FOLDERS, TYPES, Type
from salesforce_org.store import Org, Record, ids
from salesforce_org.store.org import TICK
from salesforce_org.store.values import moment


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who did something, and when."""

    user_id: str
    when: str


def file_of(type: Type, name: str) -> str:
    """Return the path of a component's file in a package."""
    if type.name in FOLDERS:
        return f"{type.folder}/{name}-meta.xml"
    whole = name.partition(".")[0] if type.parent else name
    return f"{type.folder}/{whole}.{type.suffix}"


def properties(org: Org, type: Type, name: str, prefix: str = "") -> dict[str, Any]:
    """Return what Salesforce calls the file properties of a component."""
    row = type.source.record(org, name)
    made, changed = _stamps(org, row) if row else _noted(org, type, name)
    return {
        "createdById": made.user_id,
        "createdByName": org.name_of(made.user_id) or "",
        "createdDate": zulu(made.when),
        "fileName": prefix + file_of(type, name),
        "fullName": name,
        "id": identity(org, type, name),
        "lastModifiedById": changed.user_id,
        "lastModifiedByName": org.name_of(changed.user_id) or "",
        "lastModifiedDate": zulu(changed.when),
        "manageableState": "unmanaged",
        "type": type.name,
    }


def identity(org: Org, type: Type, name: str) -> str:
    """Return the id of a component: its record's, or one that depends on its name alone."""
    row = type.source.record(org, name)
    if row is not None:
        return str(row["Id"])
    return ids.named(type.prefix, f"{type.name}/{name}")


def listed(org: Org, kind: str, folder: str = "") -> list[dict[str, Any]]:
    """Return the properties of all components of a type; nothing for types that the org does not speak."""
    if kind not in TYPES:
        return []
    type = TYPES[kind]
    found = (name for name in names(org, type) if not type.in_folders or _within(name, folder))
    return [properties(org, type, name) for name in found]


def _within(name: str, folder: str) -> bool:
    return not folder or name.rpartition("/")[0] == folder


def zulu(when: str) -> str:
    """Return a moment of a record as XML has it."""
    return when.replace("+0000", "Z")


def _stamps(org: Org, row: Record) -> tuple[Stamp, Stamp]:
    made = Stamp(row["CreatedById"] or _administrator(org), row["CreatedDate"])
    return made, Stamp(row["LastModifiedById"] or made.user_id, row["LastModifiedDate"])


def changed(org: Org) -> str:
    """Return the moment at which any component changed last."""
    writes = org.journal.writes
    last = next(
        (place for place in reversed(range(len(writes))) if writes[place].collection.startswith("metadata/")),
        None,
    )
    return _beginning(org).when if last is None else moment(org.now - TICK * (len(writes) - last))


def _noted(org: Org, type: Type, name: str) -> tuple[Stamp, Stamp]:
    """Return when a component was made and changed; the journal has a second for each write."""
    first = _beginning(org)
    collection = f"metadata/{type.name}"
    writes = org.journal.writes
    found = [place for place, one in enumerate(writes) if one.collection == collection and one.key == name]
    if not found:
        return first, first
    stamps = [Stamp(_administrator(org), moment(org.now - TICK * (len(writes) - place))) for place in found]
    return (stamps[0] if writes[found[0]].op == "insert" else first), stamps[-1]


def _beginning(org: Org) -> Stamp:
    row = next(org.rows("Organization"), None)
    return Stamp(_administrator(org), row["CreatedDate"] if row else moment(org.now))


def _administrator(org: Org) -> str:
    row = next(org.rows("User"), None)
    return str(org.user_id or (row["Id"] if row else ""))
