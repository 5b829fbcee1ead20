"""Permission sets, their groups, and profiles.

What they allow on objects and fields are records; everything else they say is kept as a component of the same name.
A profile's records belong to the permission set that stands behind it, as in Salesforce.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from salesforce_org.metadata.errors import MetadataError, missing, unfit
from salesforce_org.metadata.records import api_name, drop, find, need, relate, said, save
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record

ON_OBJECTS = {
    "allowCreate": "PermissionsCreate",
    "allowDelete": "PermissionsDelete",
    "allowEdit": "PermissionsEdit",
    "allowRead": "PermissionsRead",
    "modifyAllRecords": "PermissionsModifyAllRecords",
    "viewAllFields": "PermissionsViewAllFields",
    "viewAllRecords": "PermissionsViewAllRecords",
}
_USER_PERMISSIONS = Path(__file__).with_name("user_permissions.txt")
_ON_FIELDS = {"editable": "PermissionsEdit", "readable": "PermissionsRead"}
_SECTIONS = ("objectPermissions", "fieldPermissions")


@cache
def user_permissions() -> frozenset[str]:
    """Return the names of all user permissions."""
    return frozenset(_USER_PERMISSIONS.read_text(encoding="utf-8").split())


def permissions(org: Org, parent: str) -> dict[str, list[dict[str, Any]]]:
    """Return what a permission set allows on objects and fields, by section, sorted by name."""
    on_objects = [
        {"object": row["SobjectType"], **{name: bool(row.get(field)) for name, field in ON_OBJECTS.items()}}
        for row in org.rows("ObjectPermissions", ParentId=parent)
    ]
    on_fields = [
        {"field": row["Field"], **{name: bool(row.get(field)) for name, field in _ON_FIELDS.items()}}
        for row in org.rows("FieldPermissions", ParentId=parent)
    ]
    return {
        "objectPermissions": sorted(on_objects, key=lambda one: str(one["object"])),
        "fieldPermissions": sorted(on_fields, key=lambda one: str(one["field"])),
    }


def permit(org: Org, parent: str, tree: Tree) -> None:
    """Make what a permission set allows on objects and fields what a tree says; what allows nothing is no record.

    Raises:
        MetadataError: It speaks of an object, a field or a user permission that is none.
    """
    for one in tree.get("userPermissions", ()):
        if one["name"] not in user_permissions():
            raise MetadataError(
                "INVALID_FIELD", f"Unknown user permission: {one['name']}", ("userPermissions",)
            )
    on_objects = [_on_object(org, one) for one in tree.get("objectPermissions", ())]
    on_fields = [_on_field(org, one) for one in tree.get("fieldPermissions", ())]
    _settle(org, "ObjectPermissions", {"ParentId": parent}, "SobjectType", on_objects)
    _settle(org, "FieldPermissions", {"ParentId": parent}, "Field", on_fields)


def _settle(org: Org, object: str, owner: Mapping[str, Any], key: str, wanted: list[dict[str, Any]]) -> None:
    want = {one[key]: one for one in wanted if any(value is True for value in one.values())}
    for row in list(org.rows(object, **owner)):
        values = want.pop(row[key], None)
        if values is None:
            drop(org, row["Id"])
        else:
            save(org, object, row, values)
    for values in want.values():
        save(org, object, None, {**owner, **values})


def _on_object(org: Org, entry: Tree) -> dict[str, Any]:
    object = entry["object"]
    if object not in org.schema.objects:
        raise unfit(f"In field: object - no CustomObject named {object} found", "objectPermissions")
    return {"SobjectType": object} | {field: entry.get(name, False) for name, field in ON_OBJECTS.items()}


def _on_field(org: Org, entry: Tree) -> dict[str, Any]:
    object, _, own = entry["field"].partition(".")
    kind = org.schema.objects.get(object)
    if kind is None or kind.field(own) is None:
        raise unfit(f"In field: field - no CustomField named {entry['field']} found", "fieldPermissions")
    editable = entry["editable"]
    return {
        "SobjectType": object,
        "Field": entry["field"],
        "PermissionsEdit": editable,
        "PermissionsRead": editable or entry.get("readable", False),
    }


@dataclass(frozen=True, slots=True)
class PermissionSets:
    """Permission sets that stand behind neither a profile nor a group."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the names."""
        return [row["Name"] for row in org.rows("PermissionSet") if row["Type"] not in ("Profile", "Group")]

    def record(self, org: Org, name: str) -> Record | None:
        """Return the permission set."""
        row = find(org, "PermissionSet", Name=name)
        return row if row and row["Type"] not in ("Profile", "Group") else None

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a permission set."""
        row = self.record(org, name)
        if row is None:
            return None
        told = said(
            label=row["Label"],
            description=row["Description"],
            license=org.name_of(row["LicenseId"]),
            hasActivationRequired=row["HasActivationRequired"],
        )
        kept = org.component("PermissionSet", name) or {}
        return ordered("PermissionSet", {**kept, **told, **permissions(org, row["Id"])})

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a permission set."""
        row = self.record(org, name)
        values: dict[str, Any] = {
            "Label": tree["label"],
            "Description": tree.get("description"),
            "HasActivationRequired": tree.get("hasActivationRequired", False),
        }
        if "license" in tree:
            values["LicenseId"] = _license(org, tree["license"])
        id = save(org, "PermissionSet", row, values if row else values | {"Name": api_name(name)})
        permit(org, id, tree)
        apart = ("label", "description", "license", "hasActivationRequired", *_SECTIONS)
        rest = {key: value for key, value in tree.items() if key not in apart}
        org.put_component("PermissionSet", name, rest or None)

    def delete(self, org: Org, name: str) -> None:
        """Delete a permission set."""
        row = self.record(org, name)
        if row is None:
            raise missing("PermissionSet", name)
        drop(org, row["Id"])


def _license(org: Org, name: str) -> str:
    for object in ("UserLicense", "PermissionSetLicense"):
        found = find(org, object, MasterLabel=name) or find(org, object, **_name_field(org, object, name))
        if found:
            return str(found["Id"])
    raise unfit(f"In field: license - no license named {name} found", "license")


def _name_field(org: Org, object: str, name: str) -> dict[str, str]:
    named = org.schema[object].name_field
    return {named: name} if named else {}


@dataclass(frozen=True, slots=True)
class PermissionSetGroups:
    """Groups of permission sets; their muting permission sets are kept beside."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the developer names."""
        return [row["DeveloperName"] for row in org.rows("PermissionSetGroup")]

    def record(self, org: Org, name: str) -> Record | None:
        """Return the group."""
        return find(org, "PermissionSetGroup", DeveloperName=name)

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a group."""
        row = self.record(org, name)
        if row is None:
            return None
        told = said(
            description=row["Description"],
            hasActivationRequired=row["HasActivationRequired"],
            label=row["MasterLabel"],
            permissionSets=sorted(_inside(org, row["Id"])),
            status=row["Status"],
        )
        return ordered("PermissionSetGroup", {**(org.component("PermissionSetGroup", name) or {}), **told})

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a group, and make the permission sets in it those of the tree."""
        row = self.record(org, name)
        values = {
            "MasterLabel": tree["label"],
            "Description": tree.get("description"),
            "HasActivationRequired": tree.get("hasActivationRequired", False),
        }
        sets = [
            need(org, "PermissionSet", "PermissionSet", Name=one)["Id"]
            for one in tree.get("permissionSets", ())
        ]
        id = save(
            org, "PermissionSetGroup", row, values if row else values | {"DeveloperName": api_name(name)}
        )
        relate(
            org,
            "PermissionSetGroupComponent",
            {"PermissionSetGroupId": id},
            [{"PermissionSetId": one} for one in sets],
        )
        muting = tree.get("mutingPermissionSets")
        org.put_component("PermissionSetGroup", name, {"mutingPermissionSets": muting} if muting else None)

    def delete(self, org: Org, name: str) -> None:
        """Delete a group and the muting permission sets in it."""
        row = self.record(org, name)
        if row is None:
            raise missing("PermissionSetGroup", name)
        drop(org, row["Id"])


def _inside(org: Org, group: str) -> Iterator[str]:
    for component in org.rows("PermissionSetGroupComponent", PermissionSetGroupId=group):
        row = org.get("PermissionSet", component["PermissionSetId"])
        if row is not None:
            yield row["Name"]
