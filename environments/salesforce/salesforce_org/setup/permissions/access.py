"""What permission sets, groups and profiles let users do with objects and fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from salesforce_org.pages.visit import NotHere
from salesforce_org.rules.permissions import NEEDS
from salesforce_org.setup.area import SetupVisit
from salesforce_org.store import Org, Record, SObject

RIGHTS = (
    ("PermissionsRead", "Read"),
    ("PermissionsCreate", "Create"),
    ("PermissionsEdit", "Edit"),
    ("PermissionsDelete", "Delete"),
    ("PermissionsViewAllRecords", "View All Records"),
    ("PermissionsModifyAllRecords", "Modify All Records"),
    ("PermissionsViewAllFields", "View All Fields"),
)
# Rights on these follow from their parents' or from what the user may do as a whole.
_WITHOUT = frozenset(
    {
        "User",
        "Task",
        "Event",
        "EmailMessage",
        "Note",
        "Knowledge__ka",
        "CampaignMember",
        "Report",
        "Dashboard",
        "Folder",
    }
)


@dataclass(frozen=True, slots=True)
class Access:
    """Rights on an object, and rights on its fields as (read, edit)."""

    rights: frozenset[str]
    fields: Mapping[str, tuple[bool, bool]]

    @property
    def told(self) -> str:
        """The rights as a list shows them."""
        return ", ".join(label for name, label in RIGHTS if name in self.rights) or "No Access"


def governed(org: Org) -> list[SObject]:
    """Return the objects that rights are given on, by label."""
    every = org.schema.objects.values()
    found = (one for one in every if (one.searchable or one.custom) and one.name not in _WITHOUT)
    return sorted(found, key=lambda one: one.plural.casefold())


def access(org: Org, parents: Iterable[str], object: str) -> Access:
    """Return what permission sets give together on an object."""
    rights: set[str] = set()
    fields: dict[str, tuple[bool, bool]] = {}
    for parent in parents:
        for row in org.rows("ObjectPermissions", ParentId=parent, SobjectType=object):
            rights |= {name for name, _ in RIGHTS if row[name]}
        for row in org.rows("FieldPermissions", ParentId=parent, SobjectType=object):
            name = str(row["Field"]).rpartition(".")[2]
            read, edit = fields.get(name, (False, False))
            fields[name] = (read or bool(row["PermissionsRead"]), edit or bool(row["PermissionsEdit"]))
    return Access(frozenset(rights), fields)


def allow(org: Org, parent: str, object: str, wanted: Iterable[str]) -> None:
    """Let a permission set give exactly these rights on an object, and what they bring with them."""
    rights = set(wanted)
    for name in list(rights):
        rights.update(NEEDS.get(name, ()))
    flags = {name: name in rights for name, _ in RIGHTS}
    row = next(org.rows("ObjectPermissions", ParentId=parent, SobjectType=object), None)
    if row is None and rights:
        org.insert("ObjectPermissions", ParentId=parent, SobjectType=object, **flags)
    elif row is not None and rights:
        org.update(row["Id"], **flags)
    elif row is not None:
        org.delete(row["Id"])


def allow_field(org: Org, parent: str, object: str, field: str, read: bool, edit: bool) -> None:
    """Let a permission set give rights on a field; who may edit may read."""
    name = f"{object}.{field}"
    row = next(org.rows("FieldPermissions", ParentId=parent, Field=name), None)
    flags = {"PermissionsRead": read or edit, "PermissionsEdit": edit}
    if row is None and any(flags.values()):
        org.insert("FieldPermissions", ParentId=parent, SobjectType=object, Field=name, **flags)
    elif row is not None and any(flags.values()):
        org.update(row["Id"], **flags)
    elif row is not None:
        org.delete(row["Id"])


def rename(org: Org, kind: str, old: str, new: str) -> None:
    """Keep what a component says when its record is renamed."""
    kept = org.component(kind, old)
    if kept is not None and old != new:
        org.put_component(kind, old, None)
        org.put_component(kind, new, kept)


def is_plain(row: Record) -> bool:
    """Whether a permission set is one by itself, and not what a profile or a group lets do."""
    return not row["IsOwnedByProfile"] and row["Type"] not in ("Group", "Profile")


def plain_sets(org: Org) -> list[Record]:
    """Return the permission sets that people made or that came with Salesforce, by label."""
    rows = (row for row in org.rows("PermissionSet") if is_plain(row))
    return sorted(rows, key=lambda row: str(row["Label"]).casefold())


def bearer(page: SetupVisit, object: str) -> Record:
    """Return the permission set, group or profile that the inner address names.

    Raises:
        NotHere: There is none, or it is a permission set that belongs to a profile.
    """
    row = page.record(object)
    if object == "PermissionSet" and not is_plain(row):
        raise NotHere
    return row


def sets_in(org: Org, group_id: str) -> list[Record]:
    """Return the permission sets of a group, by label."""
    parts = org.rows("PermissionSetGroupComponent", PermissionSetGroupId=group_id)
    rows = (org.get("PermissionSet", part["PermissionSetId"]) for part in parts)
    return sorted((row for row in rows if row), key=lambda row: str(row["Label"]).casefold())


def set_of_profile(org: Org, profile_id: str) -> str | None:
    """Return the permission set that holds what a profile lets do."""
    return next((row["Id"] for row in org.rows("PermissionSet", ProfileId=profile_id)), None)
