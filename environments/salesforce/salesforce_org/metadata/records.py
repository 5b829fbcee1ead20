"""What components that are records have in common: found by name, written field by field, with lists of relatives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salesforce_org.metadata.errors import MetadataError, missing
from salesforce_org.store import Org, Record


def find(org: Org, object: str, **equal: Any) -> Record | None:
    """Return the oldest record that fits."""
    return next(org.rows(object, **equal), None)


def save(org: Org, object: str, old: Record | None, values: Mapping[str, Any]) -> str:
    """Write what differs of a record, or a new one, and return its id; fields that users may not write are written."""
    with org.unchecked():
        if old is None:
            return org.insert(object, **values)
        changed = {name: value for name, value in values.items() if old.get(name) != value}
        if changed:
            org.update(old["Id"], **changed)
        return str(old["Id"])


def drop(org: Org, id: str) -> None:
    """Delete a record for good; no component comes back from the recycle bin."""
    with org.unchecked():
        before = {row["Id"] for _, row in org.deleted()}
        org.delete(id)
        for gone in [row["Id"] for _, row in org.deleted() if row["Id"] not in before]:
            org.purge(gone)


def relate(org: Org, object: str, owner: Mapping[str, Any], wanted: Iterable[Mapping[str, Any]]) -> None:
    """Make the records that have the owner's values those that are wanted, and leave alone those that fit."""
    want = [dict(one) for one in wanted]
    for row in list(org.rows(object, **owner)):
        fit = next((one for one in want if all(row.get(name) == value for name, value in one.items())), None)
        if fit is None:
            drop(org, row["Id"])
        else:
            want.remove(fit)
    for one in want:
        save(org, object, None, {**owner, **one})


def need(org: Org, object: str, kind: str, **equal: Any) -> Record:
    """Return a record that a component names.

    Raises:
        MetadataError: No record has these values.
    """
    found = find(org, object, **equal)
    if found is None:
        raise missing(kind, str(next(iter(equal.values()))))
    return found


def api_name(name: str) -> str:
    """Return a name that developers may give.

    Raises:
        MetadataError: The name breaks the rules of API names.
    """
    plain = name.replace("_", "").isascii() and name.replace("_", "").isalnum()
    if plain and name[0].isalpha() and not name.endswith("_") and "__" not in name and len(name) <= 80:
        return name
    raise MetadataError(
        "INVALID_FULL_NAME",
        f"The API name {name[:80]} must begin with a letter, use only alphanumeric characters and underscores, "
        "and neither end with an underscore nor have two in a row",
    )


def said(**values: Any) -> dict[str, Any]:
    """Return the elements that have something to say."""
    return {name: value for name, value in values.items() if value is not None and value != []}
