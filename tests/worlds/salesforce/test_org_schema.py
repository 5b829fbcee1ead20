"""The schema of the org: every file says something that fits together."""

from __future__ import annotations

import pytest

from salesforce_org.rules import RULES
from salesforce_org.seeding import SCHEMA
from salesforce_org.soql import virtual
from salesforce_org.store.schema import Schema, SObject, read_schema

from .org_building import fresh

COMPUTED = {one.object.name for one in virtual.tables(False).values()}
STOCK = read_schema(SCHEMA)
OBJECTS = sorted(STOCK.objects.values(), key=lambda one: one.name)
REAL_PREFIXES = {
    "Account": "001",
    "Contact": "003",
    "User": "005",
    "Opportunity": "006",
    "Lead": "00Q",
    "Group": "00G",
    "Task": "00T",
    "Event": "00U",
    "Case": "500",
    "Campaign": "701",
    "Contract": "800",
    "Order": "801",
    "Product2": "01t",
    "Pricebook2": "01s",
    "Quote": "0Q0",
    "PermissionSet": "0PS",
    "PermissionSetGroup": "0PG",
    "UserRole": "00E",
    "Profile": "00e",
    "Knowledge__kav": "ka0",
}


def test_every_object_has_its_own_key_prefix() -> None:
    """Ids lead back to one object."""
    assert len(STOCK.by_prefix) == len(STOCK.objects) >= 60
    assert {name: STOCK[name].prefix for name in REAL_PREFIXES} == REAL_PREFIXES
    assert all(len(prefix) == 3 for prefix in STOCK.by_prefix)


def test_files_are_named_as_their_objects() -> None:
    """An object is found where one looks for it."""
    assert {file.stem for file in SCHEMA.glob("*.toml")} == set(STOCK.objects)


@pytest.mark.parametrize("object", OBJECTS, ids=lambda one: one.name)
def test_an_object_is_whole(object: SObject) -> None:
    """References lead to objects, names and functions exist, and a picklist has at most one default."""
    for field in object.fields:
        if field.type == "reference":
            assert field.to, field.name
            assert set(field.to) <= {*STOCK.objects, *COMPUTED}, field.name
            assert field.relationship, field.name
        if field.computed:
            assert field.computed in RULES.computed, field.name
        assert sum(entry.default for entry in field.values) <= 1, field.name
        if field.type in ("picklist", "multipicklist") and not field.restricted and field.createable:
            assert field.values or field.value_set or field.type == "multipicklist", field.name
    assert object.name_field is None or object.field(object.name_field) is not None


def test_children_are_called_by_one_name_each() -> None:
    """A child relationship of an object means one reference of one object."""
    for parent, pairs in STOCK.children.items():
        names = [(field.children or "").casefold() for _, field in pairs if field.children]
        assert len(names) == len(set(names)), parent


def test_relationships_of_an_object_differ() -> None:
    """A relationship name leads to one parent."""
    for object in OBJECTS:
        names = [field.relationship for field in object.fields if field.relationship]
        assert len(names) == len(set(names)), object.name


def test_shared_picklists_are_there_and_used() -> None:
    """Every value set that a field names is a component, and every component serves a field or the org itself."""
    org = fresh()
    named = {field.value_set for object in OBJECTS for field in object.fields if field.value_set}
    there = set(org.components("StandardValueSet"))
    assert named <= there
    assert there - named <= {"CampaignMemberStatus"}


def test_defaults_are_entries() -> None:
    """The default of a picklist is one of its entries, and active."""
    org = fresh()
    for object in OBJECTS:
        for field in object.fields:
            chosen = [entry for entry in org.picklist(field) if entry.default]
            assert all(entry.active for entry in chosen), (object.name, field.name)


@pytest.mark.parametrize(
    ("object", "field", "what"),
    [
        ("Account", "Active__c", "picklist"),
        ("Account", "AnnualRevenue", "currency"),
        ("Case", "SLAViolation__c", "picklist"),
        ("Contact", "MobilePhone", "phone"),
        ("Entitlement", "StartDate", "date"),
        ("Knowledge__kav", "Answer__c", "textarea"),
        ("Quote", "ExpirationDate", "date"),
        ("Event", "StartDateTime", "datetime"),
    ],
)
def test_fields_have_the_types_that_clients_know(object: str, field: str, what: str) -> None:
    """Well-known fields are of their real type."""
    found = STOCK[object].field(field)
    assert found is not None
    assert found.type == what


def test_what_may_point_to_several_objects_does() -> None:
    """Activities, owners and members are polymorphic."""
    who, what = STOCK["Task"].field("WhoId"), STOCK["Task"].field("WhatId")
    assert who is not None
    assert what is not None
    assert who.to == ("Contact", "Lead")
    assert {"Account", "Opportunity", "Case"} <= set(what.to)
    owner = STOCK["Case"].field("OwnerId")
    member = STOCK["GroupMember"].field("UserOrGroupId")
    assert owner is not None
    assert member is not None
    assert owner.to == member.to == ("User", "Group")


def test_child_relationships_have_their_real_names() -> None:
    """Sub-queries and related lists find children as they do elsewhere."""
    found = {
        name: (pair[0].name, pair[1].name)
        for name in ("Contacts", "Opportunities", "Cases", "ChildAccounts")
        if (pair := Schema(STOCK.objects).child("Account", name))
    }
    assert found == {
        "Contacts": ("Contact", "AccountId"),
        "Opportunities": ("Opportunity", "AccountId"),
        "Cases": ("Case", "AccountId"),
        "ChildAccounts": ("Account", "ParentId"),
    }
