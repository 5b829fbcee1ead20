"""What the org does by itself with users, roles, groups, queues, permissions and list views."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.list_views import Filter, ListView, list_views, save_list_view
from salesforce_org.rules.registry import developer_name
from salesforce_org.store import DmlError, Org

from .org_building import fresh, id_of


@pytest.fixture
def org() -> Org:
    """An org of its own for every test."""
    return fresh()


def refused(code: str, work: Any, *given: Any, **named: Any) -> None:
    """Check that it is refused with the code."""
    with pytest.raises(DmlError) as problem:
        work(*given, **named)
    assert problem.value.code == code


def user(org: Org, **more: Any) -> str:
    """Return a new user."""
    profile = id_of(org, "Profile", "Standard User")
    given = {
        "LastName": "Grey",
        "Username": "grey@home.example",
        "Email": "grey@home.example",
        "ProfileId": profile,
    }
    return org.insert("User", **{**given, **more})


def test_names_are_put_together(org: Org) -> None:
    """First and last name make the name, of users, contacts and leads alike."""
    id = org.insert("Contact", FirstName="Ada", LastName="Grey", Salutation="Dr.")
    assert org.name_of(id) == "Ada Grey"
    org.update(id, FirstName=None)
    assert org.name_of(id) == "Grey"
    assert org.name_of(org.insert("Lead", LastName="Grey", Company="Home")) == "Grey"


def test_a_user_has_a_login_alias_and_nickname(org: Org) -> None:
    """They are made with the user."""
    id = user(org, FirstName="Ada")
    row = org.get("User", id)
    assert row is not None
    assert (row["Alias"], row["CommunityNickname"], row["IsActive"]) == ("agrey", "grey", True)
    assert org.one("UserLogin", UserId=id)["IsFrozen"] is False


def test_usernames_are_unique_and_shaped_like_addresses(org: Org) -> None:
    """Two users cannot share one, in whatever letters."""
    user(org)
    refused("DUPLICATE_VALUE", user, org, Username="GREY@home.example", CommunityNickname="other")
    refused("INVALID_EMAIL_ADDRESS", user, org, Username="grey")


def test_nobody_locks_themselves_out(org: Org) -> None:
    """Others can be frozen and deactivated, oneself cannot; their records stay theirs."""
    alice, login = id_of(org, "User", "Alice Bob"), org.one("UserLogin", UserId=org.user_id)
    account = org.insert("Account", Name="Hers", OwnerId=alice)
    org.update(org.one("UserLogin", UserId=alice)["Id"], IsFrozen=True)
    org.update(alice, IsActive=False)
    assert org.one("Account", Name="Hers")["Id"] == account
    assert org.one("Account", Name="Hers")["OwnerId"] == alice
    assert org.user_id is not None
    refused("FIELD_INTEGRITY_EXCEPTION", org.update, org.user_id, IsActive=False)
    refused("FIELD_INTEGRITY_EXCEPTION", org.update, login["Id"], IsFrozen=True)
    refused("INSUFFICIENT_ACCESS_OR_READONLY", org.delete, alice)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("SVP, Sales & Marketing", "SVP_Sales_Marketing"),
        ("VIP  Support", "VIP_Support"),
        ("3rd Line", "X3rd_Line"),
    ],
)
def test_api_names_come_from_labels(label: str, name: str) -> None:
    """Other characters become underscores, and a digit does not begin."""
    assert developer_name(label) == name


def test_a_role_brings_its_groups(org: Org) -> None:
    """There is a group of a role, and one with those below it; they go with the role."""
    role = org.insert("UserRole", Name="CTO")
    groups = {row["Type"]: row["DeveloperName"] for row in org.rows("Group", RelatedId=role)}
    assert groups == {"Role": "CTO", "RoleAndSubordinates": "CTO"}
    org.update(role, DeveloperName="Technology")
    assert {row["DeveloperName"] for row in org.rows("Group", RelatedId=role)} == {"Technology"}
    org.delete(role)
    assert not list(org.rows("Group", RelatedId=role))


def test_a_role_in_use_stays(org: Org) -> None:
    """It can be deleted only without users and roles below it."""
    refused("DELETE_FAILED", org.delete, id_of(org, "UserRole", "CEO"))
    role = org.insert("UserRole", Name="CTO")
    ada = user(org, UserRoleId=role)
    refused("DELETE_FAILED", org.delete, role)
    org.update(ada, UserRoleId=None)
    org.delete(role)


@pytest.mark.parametrize(
    ("object", "field", "given"),
    [
        ("Account", "ParentId", {"Name": "A"}),
        ("UserRole", "ParentRoleId", {"Name": "A"}),
        ("Campaign", "ParentId", {"Name": "A"}),
        ("Case", "ParentId", {"Subject": "A"}),
    ],
)
def test_nothing_is_its_own_ancestor(org: Org, object: str, field: str, given: dict[str, str]) -> None:
    """A chain of parents that leads back is refused, however long."""
    top = org.insert(object, **given)
    middle = org.insert(object, **{field: top}, **{**given, "Name": "B"} if "Name" in given else given)
    bottom = org.insert(object, **{field: middle}, **{**given, "Name": "C"} if "Name" in given else given)
    refused("CIRCULAR_DEPENDENCY", org.update, top, **{field: bottom})
    refused("CIRCULAR_DEPENDENCY", org.update, top, **{field: top})


def test_groups_have_labels_and_names_of_their_own(org: Org) -> None:
    """A label is needed, and the API name is not another group's; a queue may have a group's."""
    refused("REQUIRED_FIELD_MISSING", org.insert, "Group", Type="Regular")
    org.insert("Group", Name="Reviewer", Type="Regular")
    refused("DUPLICATE_VALUE", org.insert, "Group", Name="Reviewer", Type="Regular")
    assert org.insert("Group", Name="Reviewer", Type="Queue")
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "Group", Name="X", DeveloperName="a__b", Type="Regular")


def test_members_are_there_once_and_no_group_is_in_itself(org: Org) -> None:
    """Users, roles and groups are members; loops are refused."""
    outer, inner = (org.insert("Group", Name=name, Type="Regular") for name in ("Outer", "Inner"))
    alice = id_of(org, "User", "Alice Bob")
    org.insert("GroupMember", GroupId=inner, UserOrGroupId=alice)
    org.insert("GroupMember", GroupId=outer, UserOrGroupId=inner)
    refused("DUPLICATE_VALUE", org.insert, "GroupMember", GroupId=inner, UserOrGroupId=alice)
    refused("CIRCULAR_DEPENDENCY", org.insert, "GroupMember", GroupId=inner, UserOrGroupId=outer)
    refused("CIRCULAR_DEPENDENCY", org.insert, "GroupMember", GroupId=inner, UserOrGroupId=inner)


def test_a_queue_owns_what_it_supports(org: Org) -> None:
    """Objects that queues can own are supported, each once; a queue that owns records stays."""
    queue = org.insert("Group", Name="VIP Support", Type="Queue")
    case = org.insert("Case", Subject="Fan")
    refused("INVALID_CROSS_REFERENCE_KEY", org.update, case, OwnerId=queue)
    for name in ("Case", "Customer", "BuyerGroup", "AttributePicklist"):
        org.insert("QueueSobject", QueueId=queue, SobjectType=name)
    refused("DUPLICATE_VALUE", org.insert, "QueueSobject", QueueId=queue, SobjectType="Case")
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "QueueSobject", QueueId=queue, SobjectType="Account")
    group = id_of(org, "Group", "Lead Legends")
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "QueueSobject", QueueId=group, SobjectType="Case")
    org.update(case, OwnerId=queue)
    refused("DELETE_FAILED", org.delete, queue)


def test_a_permission_set_group_has_a_set_once(org: Org) -> None:
    """API names are made from labels; a set that a group has stays."""
    group = org.insert("PermissionSetGroup", MasterLabel="Survey Admin")
    assert org.get("PermissionSetGroup", group)["DeveloperName"] == "Survey_Admin"  # type: ignore[index]
    given = {"PermissionSetGroupId": group, "PermissionSetId": id_of(org, "PermissionSet", "Buyer", "Label")}
    org.insert("PermissionSetGroupComponent", **given)
    refused("DUPLICATE_VALUE", org.insert, "PermissionSetGroupComponent", **given)
    refused("DELETE_FAILED", org.delete, given["PermissionSetId"])
    refused("DUPLICATE_VALUE", org.insert, "PermissionSetGroup", MasterLabel="Survey Admin")
    org.delete(group)
    assert not list(org.rows("PermissionSetGroupComponent", PermissionSetGroupId=group))


def test_an_assignment_is_of_one_thing(org: Org) -> None:
    """A user is given a set or a group, not both, and once."""
    alice = id_of(org, "User", "Alice Bob")
    set_id, group = (
        id_of(org, "PermissionSet", "Buyer", "Label"),
        id_of(org, "PermissionSetGroup", "Sales_User", "MasterLabel"),
    )
    org.insert("PermissionSetAssignment", AssigneeId=alice, PermissionSetGroupId=group)
    refused(
        "DUPLICATE_VALUE", org.insert, "PermissionSetAssignment", AssigneeId=alice, PermissionSetGroupId=group
    )
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "PermissionSetAssignment", AssigneeId=alice)
    both = {"PermissionSetGroupId": group, "PermissionSetId": set_id}
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "PermissionSetAssignment", AssigneeId=alice, **both)


def test_permissions_build_on_each_other(org: Org) -> None:
    """Who edits reads; an object and a field have one record in a set."""
    parent = org.insert("PermissionSet", Label="Tries")
    given = {"ParentId": parent, "SobjectType": "Case"}
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "ObjectPermissions", **given, PermissionsEdit=True)
    org.insert("ObjectPermissions", **given, PermissionsRead=True)
    refused("DUPLICATE_VALUE", org.insert, "ObjectPermissions", **given, PermissionsRead=True)
    field = {**given, "Field": "Case.Reason"}
    refused("FIELD_INTEGRITY_EXCEPTION", org.insert, "FieldPermissions", **field, PermissionsEdit=True)
    org.insert("FieldPermissions", **field, PermissionsRead=True)
    refused("DUPLICATE_VALUE", org.insert, "FieldPermissions", **field, PermissionsRead=True)


def test_a_list_view_and_its_record_go_together(org: Org) -> None:
    """Fields have metadata's names in the component; the record appears, is renamed and goes with it."""
    view = ListView(
        "Account", "Mine", "Mine", ("Name", "Industry"), (Filter("Type", "notEqual", "Prospect"),), "Mine"
    )
    save_list_view(org, view)
    tree = org.component("ListView", "Account.Mine")
    assert tree is not None
    assert tree["columns"] == ["ACCOUNT.NAME", "ACCOUNT.INDUSTRY"]
    assert tree["filters"] == [{"field": "ACCOUNT.TYPE", "operation": "notEqual", "value": "Prospect"}]
    assert view in list_views(org, "Account")
    row = org.one("ListView", SobjectType="Account", DeveloperName="Mine")
    chart = {"SourceEntity": "Account", "ListViewContextId": row["Id"], "Label": "By Type"}
    with org.unchecked():
        org.insert("ListViewChartInstance", **chart)
    org.put_component("ListView", "Account.Mine", {**tree, "label": "My Own"})
    assert org.one("ListView", SobjectType="Account", DeveloperName="Mine")["Name"] == "My Own"
    org.put_component("ListView", "Account.Mine", None)
    assert not list(org.rows("ListView", DeveloperName="Mine"))
    assert not list(org.rows("ListViewChartInstance", Label="By Type"))


def test_profiles_have_a_permission_set_of_their_own(org: Org) -> None:
    """What a profile allows is asked for as with permission sets."""
    profile = id_of(org, "Profile", "Gold Partner User")
    owned = org.one("PermissionSet", ProfileId=profile)
    assert owned["IsOwnedByProfile"] is True
    assert list(org.rows("ObjectPermissions", ParentId=owned["Id"], SobjectType="Opportunity"))
