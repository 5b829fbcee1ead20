"""Profiles: records with a permission set behind each, and the settings that are kept as components.

As in Salesforce, writing a profile changes only what the tree speaks of; what it allows elsewhere stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from salesforce_org.metadata.errors import MetadataError, missing, unfit
from salesforce_org.metadata.permissions import permissions, permit
from salesforce_org.metadata.records import drop, find, said, save
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record

# Standard profiles are called otherwise in metadata than on the screen.
_NAMES = {
    "Contract Manager": "ContractManager",
    "Marketing User": "MarketingProfile",
    "Read Only": "ReadOnly",
    "Solution Manager": "SolutionManager",
    "Standard Platform User": "StandardAul",
    "Standard User": "Standard",
    "System Administrator": "Admin",
}
_LABELS = {name: label for label, name in _NAMES.items()}
# What an entry of a section is about; entries of other sections are told apart as wholes.
KEYS = {
    "applicationVisibilities": ("application",),
    "customPermissions": ("name",),
    "fieldPermissions": ("field",),
    "layoutAssignments": ("layout", "recordType"),
    "objectPermissions": ("object",),
    "recordTypeVisibilities": ("recordType",),
    "tabVisibilities": ("tab",),
    "userPermissions": ("name",),
}
_SAFE = " _-.&,'"


def full_name(label: str) -> str:
    """Return the full name of the profile that is called so."""
    return _NAMES.get(label) or quote(label, safe=_SAFE)


def label_of(name: str) -> str:
    """Return what the profile of a full name is called."""
    return _LABELS.get(name) or unquote(name)


class Profiles:
    """All profiles, standard and custom."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names."""
        return [full_name(row["Name"]) for row in org.rows("Profile")]

    def record(self, org: Org, name: str) -> Record | None:
        """Return the profile."""
        return find(org, "Profile", Name=label_of(name))

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a profile with all that it allows; of the org's own fields also what it does not allow."""
        row = self.record(org, name)
        if row is None:
            return None
        told = said(
            custom=self._custom(org, row, name),
            description=row["Description"],
            userLicense=org.name_of(row["UserLicenseId"]),
        )
        allowed = permissions(org, org.one("PermissionSet", ProfileId=row["Id"])["Id"])
        allowed["fieldPermissions"] = _with_refusals(org, allowed["fieldPermissions"])
        kept = org.component("Profile", full_name(row["Name"])) or {}
        return ordered("Profile", {**kept, **told, **allowed, **offered(org, kept)})

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store what a tree says of a profile; one that is not there is made with the license it names."""
        now = self.read(org, name)
        if now is not None and dict(now) == dict(tree):
            return
        for one in tree.get("recordTypeVisibilities", ()):
            object, _, own = one["recordType"].partition(".")
            if find(org, "RecordType", SobjectType=object, DeveloperName=own) is None:
                raise missing("RecordType", one["recordType"])
        id = self._profile(org, name, tree)
        whole = _joined(now or {}, tree)
        permit(org, org.one("PermissionSet", ProfileId=id)["Id"], whole)
        apart = ("custom", "description", "userLicense", "fieldPermissions", "objectPermissions")
        rest = {key: value for key, value in whole.items() if key not in apart}
        if now is None:
            rest = {"custom": True, **rest}
        org.put_component("Profile", name, self._kept(org, name, rest))

    def delete(self, org: Org, name: str) -> None:
        """Delete a custom profile that no user has."""
        row = self.record(org, name)
        if row is None:
            raise missing("Profile", name)
        if not self._custom(org, row, name):
            raise MetadataError(
                "INVALID_TYPE", f"The profile {row['Name']} is a standard one and cannot be deleted"
            )
        drop(org, row["Id"])
        org.put_component("Profile", name, None)

    def _custom(self, org: Org, row: Record, name: str) -> bool:
        kept = org.component("Profile", name) or {}
        return bool(kept.get("custom", row["Name"].startswith("Custom: ")))

    def _kept(self, org: Org, name: str, rest: dict[str, Any]) -> dict[str, Any] | None:
        before = org.component("Profile", name) or {}
        rest |= usual_left_out(org, rest)
        rest = {key: value for key, value in rest.items() if value != []}
        return ({"custom": before["custom"], **rest} if "custom" in before else rest) or None

    def _profile(self, org: Org, name: str, tree: Tree) -> str:
        row = self.record(org, name)
        values: dict[str, Any] = {}
        if "description" in tree or row is None:
            values["Description"] = tree.get("description")
        if row is None:
            license = find(org, "UserLicense", Name=tree.get("userLicense", "Salesforce"))
            if license is None:
                raise unfit(
                    f"In field: userLicense - no license named {tree.get('userLicense')} found", "userLicense"
                )
            values |= {"Name": label_of(name), "UserLicenseId": license["Id"]}
        return save(org, "Profile", row, values)


def _with_refusals(org: Org, allowed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    told = {one["field"]: one for one in allowed}
    for kind in org.schema.objects.values():
        for field in kind.fields:
            if field.custom and not field.required:
                name = f"{kind.name}.{field.name}"
                told.setdefault(name, {"editable": False, "field": name, "readable": False})
    return [told[name] for name in sorted(told)]


# Record types, and the layouts of objects that have several: what is usual is told, and not kept.


def layouts_of(org: Org, object: str) -> list[str]:
    """Return the page layouts of an object, by name."""
    return sorted(one for one in org.components("Layout") if one.partition("-")[0] == object)


def offered(org: Org, kept: Tree) -> dict[str, list[dict[str, Any]]]:
    """Return which record types a profile offers, and which layouts it gives to objects with several."""
    kinds = sorted(f"{row['SobjectType']}.{row['DeveloperName']}" for row in org.rows("RecordType"))
    told = {one["recordType"]: one for one in kept.get("recordTypeVisibilities", ())}
    hidden = {"default": False, "visible": False}
    places: list[tuple[str, str | None]] = [
        (object, None) for object in sorted({one.partition("-")[0] for one in org.components("Layout")})
    ]
    places += [(one.partition(".")[0], one) for one in kinds]
    return said(
        recordTypeVisibilities=[told.get(one, {**hidden, "recordType": one}) for one in kinds],
        layoutAssignments=[
            said(layout=layout_for(org, kept, object, kind), recordType=kind)
            for object, kind in places
            if len(layouts_of(org, object)) > 1
        ],
    )


def layout_for(org: Org, tree: Tree, object: str, kind: str | None) -> str:
    """Return the layout that a profile gives to records of a type, None being the master; else the object's first."""
    given = {
        one.get("recordType"): one["layout"]
        for one in tree.get("layoutAssignments", ())
        if one["layout"].partition("-")[0] == object
    }
    return str(given.get(kind) or given.get(None) or next(iter(layouts_of(org, object)), ""))


def usual_left_out(org: Org, tree: Tree) -> dict[str, list[Any]]:
    """Return what a profile says of record types and layouts without what it says by saying nothing."""
    found = [one for one in tree.get("recordTypeVisibilities", ()) if one["visible"]]
    kept: list[Any] = []
    for one in sorted(tree.get("layoutAssignments", ()), key=lambda one: one.get("recordType") or ""):
        object = one["layout"].partition("-")[0]
        if one["layout"] != layout_for(org, {"layoutAssignments": kept}, object, one.get("recordType")):
            kept.append(one)
    return {"recordTypeVisibilities": found, "layoutAssignments": kept}


def _joined(now: Tree, tree: Tree) -> dict[str, Any]:
    """Return a profile as it is with the entries that a tree has in place of its own."""
    whole = dict(now)
    for section, entries in tree.items():
        if section not in KEYS:
            whole[section] = entries
            continue
        before = now.get(section, ())
        if section == "recordTypeVisibilities":  # an object has one default
            led = {_object(one) for one in entries if one["default"]}
            before = [{**one, "default": one["default"] and _object(one) not in led} for one in before]
        by_key = {_key(section, one): one for one in (*before, *entries)}
        whole[section] = list(by_key.values())
    return whole


def _object(entry: Mapping[str, Any]) -> str:
    return str(entry["recordType"]).partition(".")[0]


def _key(section: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    values = [str(entry.get(name, "")) for name in KEYS[section]]
    return tuple(one.partition("-")[0] if section == "layoutAssignments" else one for one in values)
