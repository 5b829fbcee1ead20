"""Permission sets, their groups, who has them, and what they allow."""

from __future__ import annotations

from salesforce_org.rules.registry import RULES, alone, check_developer_name, developer_name
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change
from salesforce_org.store.schema import AUDIT, Field, SObject

NEEDS = {
    "PermissionsCreate": ("PermissionsRead",),
    "PermissionsEdit": ("PermissionsRead",),
    "PermissionsDelete": ("PermissionsRead", "PermissionsEdit"),
    "PermissionsViewAllRecords": ("PermissionsRead",),
    "PermissionsModifyAllRecords": (
        "PermissionsRead",
        "PermissionsEdit",
        "PermissionsDelete",
        "PermissionsViewAllRecords",
    ),
    "PermissionsViewAllFields": ("PermissionsRead",),
}


def governed_fields(kind: SObject) -> list[Field]:
    """Return the fields that rights are given on: those that may be empty, by label."""
    found = (one for one in kind.fields if one.nillable and one.name not in AUDIT and one.name != "IsDeleted")
    return sorted((one for one in found if one.name != kind.name_field), key=lambda one: one.label.casefold())


def editable(field: Field) -> bool:
    """Whether anybody can be let edit a field; those that Salesforce fills can only be read."""
    return field.stored and field.auto is None and (field.createable or field.updateable)


@RULES.on("before", "PermissionSet")
def set_name(change: Change) -> None:
    """A permission set's API name is made from its label where none is given."""
    new = change.new
    if new["Label"] and not new["Name"]:
        new["Name"] = developer_name(new["Label"])
    if new["Name"]:
        check_developer_name(new["Name"], "Name")
        alone(change, "The API name is used by another permission set", ("Name",), Name=new["Name"])


@RULES.on("after", "Profile")
def profile_set(change: Change) -> None:
    """What a profile allows is said by a permission set of its own."""
    if change.old is None:
        with change.org.unchecked():
            name = f"X{change.id}"
            change.org.insert(
                "PermissionSet",
                Name=name,
                Label=name,
                ProfileId=change.id,
                IsOwnedByProfile=True,
                IsCustom=False,
                Type="Profile",
            )


@RULES.on("before", "PermissionSetGroup")
def group_name(change: Change) -> None:
    """A permission set group's API name is made from its label where none is given."""
    new = change.new
    if new["MasterLabel"] and not new["DeveloperName"]:
        new["DeveloperName"] = developer_name(new["MasterLabel"])
    if new["DeveloperName"]:
        check_developer_name(new["DeveloperName"], "DeveloperName")


@RULES.on("before", "PermissionSetGroupComponent")
def component(change: Change) -> None:
    """A permission set is in a group once."""
    new = change.new
    alone(
        change,
        "The permission set is in the group already",
        ("PermissionSetId",),
        PermissionSetGroupId=new["PermissionSetGroupId"],
        PermissionSetId=new["PermissionSetId"],
    )


@RULES.on("before", "PermissionSetAssignment")
def assignment(change: Change) -> None:
    """A user is given either a permission set or a group, and each once."""
    new = change.new
    given = [name for name in ("PermissionSetId", "PermissionSetGroupId") if new[name]]
    if len(given) != 1:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "An assignment is of one permission set or one permission set group",
            ("PermissionSetId", "PermissionSetGroupId"),
        )
    alone(
        change,
        "The user has this already",
        ("AssigneeId", given[0]),
        AssigneeId=new["AssigneeId"],
        **{given[0]: new[given[0]]},
    )


@RULES.on("deleting", "PermissionSetGroup")
def group_gone(change: Change) -> None:
    """What mutes permissions of a group goes with it."""
    name = change.new["DeveloperName"]
    for muting in (change.org.component("PermissionSetGroup", name) or {}).get("mutingPermissionSets", ()):
        change.org.put_component("MutingPermissionSet", muting, None)
    change.org.put_component("PermissionSetGroup", name, None)


@RULES.on("deleting", "PermissionSet")
def set_gone(change: Change) -> None:
    """What else a permission set says goes with it."""
    change.org.put_component("PermissionSet", change.new["Name"], None)


@RULES.on("before", "ObjectPermissions")
def object_permissions(change: Change) -> None:
    """Permissions build on each other, and there is one record for an object and set."""
    new = change.new
    for name, needed in NEEDS.items():
        lacking = [one.removeprefix("Permissions") for one in needed if new[name] and not new[one]]
        if lacking:
            raise DmlError(
                "FIELD_INTEGRITY_EXCEPTION",
                f"Permission {name.removeprefix('Permissions')} depends on permission(s): {', '.join(lacking)}",
                (name,),
            )
    alone(
        change,
        "There are permissions for this object already",
        ("SobjectType",),
        ParentId=new["ParentId"],
        SobjectType=new["SobjectType"],
    )


@RULES.on("before", "FieldPermissions")
def field_permissions(change: Change) -> None:
    """Who edits a field reads it, and there is one record for a field and set."""
    new = change.new
    if new["PermissionsEdit"] and not new["PermissionsRead"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION",
            "Permission Edit depends on permission(s): Read",
            ("PermissionsEdit",),
        )
    alone(
        change,
        "There are permissions for this field already",
        ("Field",),
        ParentId=new["ParentId"],
        Field=new["Field"],
    )
