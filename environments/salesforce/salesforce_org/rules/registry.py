"""Where the rules are registered, and what they have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record, Rules
from salesforce_org.store.schema import PicklistValue

RULES = Rules()
_DEVELOPER_NAME = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*")


def entry(org: Org, object: str, field: str, value: Any) -> PicklistValue | None:
    """Return the entry of a picklist that a record has, with what it means; None where it is of no picklist."""
    named = org.schema[object].field(field)
    if named is None or value is None:
        return None
    return next((one for one in org.picklist(named) if one.value == value), None)


def means(org: Org, object: str, field: str, value: Any, what: str) -> bool:
    """Whether a picklist's value means something, such as `closed`."""
    found = entry(org, object, field, value)
    return found is not None and bool(found.more.get(what))


def settle(org: Org, id: str, **given: Any) -> None:
    """Write fields that only the org itself writes."""
    with org.unchecked():
        org.update(id, **given)


def developer_name(label: str) -> str:
    """Return the API name that a label suggests."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_")
    return name if name[:1].isalpha() else f"X{name}"


def check_developer_name(name: str, field: str) -> None:
    """Refuse an API name that is none.

    Raises:
        DmlError: It does not begin with a letter, or has other characters than letters, digits and single
            underscores inside.
    """
    if not _DEVELOPER_NAME.fullmatch(name):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            f"{field}: The API name can only contain underscores and alphanumeric characters. It must be unique, "
            "begin with a letter, not include spaces, not end with an underscore, and not contain two "
            "consecutive underscores.",
            (field,),
        )


def alone(change: Change, message: str, fields: tuple[str, ...], **equal: Any) -> None:
    """Refuse a record where another one has the same values.

    Raises:
        DmlError: There is one.
    """
    for row in change.org.rows(change.object.name, **equal):
        if row["Id"] != change.id:
            raise DmlError("DUPLICATE_VALUE", f"{message} (duplicates record {row['Id'][:15]})", fields)


def missing(*fields: str) -> DmlError:
    """Return the refusal for fields that must have a value."""
    return DmlError("REQUIRED_FIELD_MISSING", f"Required fields are missing: [{', '.join(fields)}]", fields)


def joined(*parts: Any) -> str | None:
    """Return texts with spaces between; empty ones are left out."""
    return " ".join(str(part) for part in parts if part) or None


def number(row: Mapping[str, Any] | None, field: str) -> float:
    """Return a number of a record, 0 where there is none."""
    return float((row or {}).get(field) or 0)


def related(org: Org, row: Record, field: str) -> Record | None:
    """Return the record that a reference points to."""
    found = org.schema.of_id(row.get(field) or "")
    return org.get(found.name, row[field]) if found else None
