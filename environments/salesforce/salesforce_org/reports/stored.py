"""Where reports and dashboards are kept: a component `Folder/Unique_Name`, and a record that repeats its names.

The folder of public reports without one is `unfiled$public`; what only one user sees lies in a folder that is called by
the user's id, and is not part of the org's metadata. Records name their folder by the id of its owner: a `Folder`, the
organization or a user.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.trees import ordered
from salesforce_org.store import DmlError, Org, Record
from salesforce_org.store.values import moment

UNFILED = "unfiled$public"
# The fields of a kind's records that hold its label and its folder.
FIELDS = {"Report": ("Name", "OwnerId"), "Dashboard": ("Title", "FolderId")}
LABELS = {"Report": "name", "Dashboard": "title"}
LONGEST = {"Report": 40, "Dashboard": 80}
_DEVELOPER = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder: the id that records name, its name in metadata, and what people call it."""

    id: str
    name: str
    label: str
    private: bool = False


def places(org: Org, kind: str) -> list[Place]:
    """Return the folders in which the acting user may save, the user's own and the public one first."""
    organization = next(org.rows("Organization"))["Id"]
    own = [
        Place(str(org.user_id), str(org.user_id), f"Private {kind}s", private=True),
        Place(organization, UNFILED, f"Public {kind}s"),
    ]
    if kind == "Dashboard":
        own.pop()
    rows = sorted(org.rows("Folder", Type=kind), key=lambda row: row["Name"].casefold())
    return [*own, *(Place(row["Id"], row["DeveloperName"], row["Name"]) for row in rows)]


def place_named(org: Org, kind: str, name: str) -> Place | None:
    """Return the folder that metadata calls so; any user's own among them."""
    if org.get("User", name):
        return Place(name, name, f"Private {kind}s", private=True)
    return next((one for one in places(org, kind) if one.name == name), None)


def place_of(org: Org, kind: str, row: Record) -> Place | None:
    """Return the folder in which a report or dashboard is."""
    id = str(row[FIELDS[kind][1]])
    if org.get("User", id):
        return place_named(org, kind, id)
    return next((one for one in places(org, kind) if one.id == id), None)


def full_name(org: Org, kind: str, row: Record) -> str:
    """Return the name of a record's component."""
    place = place_of(org, kind, row)
    return f"{place.name if place else ''}/{row['DeveloperName']}"


def tree_of(org: Org, kind: str, row: Record) -> Mapping[str, Any]:
    """Return the component of a record."""
    return org.component(kind, full_name(org, kind, row)) or {}


def visible(org: Org, kind: str) -> list[Record]:
    """Return the records that the acting user may see, by label."""
    name, folder = FIELDS[kind]
    rows = (row for row in org.rows(kind) if row[folder] == org.user_id or not org.get("User", row[folder]))
    return sorted(rows, key=lambda row: str(row[name]).casefold())


def developer_name(label: str) -> str:
    """Return the unique name that a page proposes for a label."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_")
    return plain if plain[:1].isalpha() or not plain else f"X{plain}"


def free_name(org: Org, kind: str, label: str) -> str:
    """Return a unique name for a label that no other record has."""
    wanted = (developer_name(label) or kind)[:70]
    taken = {row["DeveloperName"] for row in org.rows(kind)}
    return next(name for n in range(len(taken) + 1) if (name := f"{wanted}{n or ''}") not in taken)


def save(org: Org, kind: str, id: str, place: Place, developer: str, tree: Mapping[str, Any]) -> str:
    """Store a report or dashboard, new or in the place of the record `id`, and return its record's id.

    Raises:
        DmlError: Its names are missing, too long or taken.
    """
    _check(org, kind, id, developer, tree)
    old = org.get(kind, id)
    new = f"{place.name}/{developer}"
    if old is not None and (was := full_name(org, kind, old)) != new:
        with org.unchecked():
            org.update(id, **{"DeveloperName": developer, FIELDS[kind][1]: place.id})
        org.put_component(kind, was, None)
    org.put_component(kind, new, ordered(kind, tree))
    return str(org.one(kind, DeveloperName=developer, **{FIELDS[kind][1]: place.id})["Id"])


def remove(org: Org, kind: str, row: Record) -> None:
    """Delete a report or dashboard, its component with its record."""
    org.put_component(kind, full_name(org, kind, row), None)


def note_run(org: Org, row: Record) -> None:
    """Note that a report was run just now."""
    now = moment(org.now)
    if row.get("LastRunDate") != now:
        with org.unchecked():
            org.update(row["Id"], LastRunDate=now)


def _check(org: Org, kind: str, id: str, developer: str, tree: Mapping[str, Any]) -> None:
    name, label = FIELDS[kind][0], str(tree.get(LABELS[kind], ""))
    if not label:
        raise DmlError("REQUIRED_FIELD_MISSING", "Complete this field.", (name,))
    if len(label) > LONGEST[kind]:
        raise DmlError(
            "STRING_TOO_LONG", f"The name can't have more than {LONGEST[kind]} characters.", (name,)
        )
    if not _DEVELOPER.fullmatch(developer):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "The unique name can only contain underscores and alphanumeric characters. It must be unique, begin with "
            "a letter, not include spaces, not end with an underscore, and not contain two consecutive underscores.",
            ("DeveloperName",),
        )
    if len(str(tree.get("description") or "")) > 255:
        raise DmlError(
            "STRING_TOO_LONG", "The description can't have more than 255 characters.", ("Description",)
        )
    for row in org.rows(kind):
        if row["Id"] != id and str(row["DeveloperName"]).casefold() == developer.casefold():
            raise DmlError(
                "DUPLICATE_DEVELOPER_NAME",
                f"The {kind.lower()} unique name is already used by another {kind.lower()}.",
                ("DeveloperName",),
            )
