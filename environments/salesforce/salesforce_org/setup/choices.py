"""What picklists, lookups and dual lists offer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from salesforce_org.store import Org, Record
from salesforce_org.store.schema import Field


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose; `kind` is its search type where a list has several."""

    value: str
    label: str
    kind: str = ""


def of_picklist(org: Org, object: str, name: str) -> tuple[Choice, ...]:
    """Return the active entries of a field."""
    field = org.schema[object].field(name)
    assert field is not None, f"{object}.{name}"
    return of_entries(org, field)


def of_entries(org: Org, field: Field) -> tuple[Choice, ...]:
    """Return the active entries of a picklist."""
    return tuple(Choice(entry.value, entry.label) for entry in org.picklist(field) if entry.active)


def of_rows(rows: Iterable[Record], label: str = "Name") -> tuple[Choice, ...]:
    """Return records by what they are called."""
    found = (Choice(row["Id"], str(row[label] or "")) for row in rows)
    return tuple(sorted(found, key=lambda choice: choice.label.casefold()))
