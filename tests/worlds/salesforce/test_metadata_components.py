"""Components of a seeded org: each type is read, written back without a trace, changed, and changed back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from salesforce_org.metadata import components
from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import document, parse, read
from salesforce_org.sessions import fingerprint
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError

from .seeded_org import seeded

Tree = dict[str, Any]
PLAIN: dict[str, tuple[str, Tree]] = {
    "ApprovalProcess": ("Account.Check", {"active": False, "label": "Check", "allowRecall": False}),
    "CustomTab": ("BuyerGroup", {"customObject": True, "motif": "Custom3: Sun"}),
    "GlobalValueSet": (
        "Sizes",
        {
            "customValue": [{"fullName": "S", "default": False, "label": "Small"}],
            "masterLabel": "Sizes",
            "sorted": False,
        },
    ),
    "EntitlementProcess": ("gold", {"active": False, "name": "Gold", "SObjectType": "Case"}),
    "Layout": ("Account-Account Layout", {"showEmailCheckbox": False}),
    "ValidationRule": (
        "Account.Named",
        {"active": True, "errorConditionFormula": "ISBLANK(Name)", "errorMessage": "Name it"},
    ),
    "MatchingRule": (
        "Account.Same",
        {
            "label": "Same",
            "matchingRuleItems": [{"fieldName": "Name", "matchingMethod": "Exact"}],
            "ruleStatus": "Inactive",
        },
    ),
    "RecordType": ("Account.Big", {"active": True, "label": "Big"}),
    "CustomPermission": ("Fly", {"isLicensed": False, "label": "Fly"}),
    "EmailTemplate": ("Mine/Hello", {"content": "SGVsbG8=", "name": "Hello"}),
    "Report": ("unfiled$public/Sales", {"format": "Tabular", "name": "Sales", "reportType": "Opportunity"}),
}


@pytest.fixture
def org() -> Org:
    """A seeded org of its own."""
    return seeded()


def _entry(tree: Tree, section: str, **values: Any) -> Tree:
    return {**tree, section: [*tree.get(section, ()), values]}


def _allowed(tree: Tree) -> Tree:
    fields = [
        {**one, "readable": True} if one["field"] == "Account.Active__c" else one
        for one in tree["fieldPermissions"]
    ]
    return {**tree, "fieldPermissions": fields}


CHANGES: dict[tuple[str, str], Callable[[Tree], Tree]] = {
    ("CustomObject", "Account"): lambda tree: {**tree, "sharingModel": "Private"},
    ("CustomObject", "VoiceCallTranscript__c"): lambda tree: {**tree, "description": "Calls"},
    ("CustomField", "Account.Active__c"): lambda tree: {**tree, "inlineHelpText": "Still a customer?"},
    ("CustomField", "Account.Phone"): lambda tree: {**tree, "inlineHelpText": "With prefix"},
    ("CustomField", "VoiceCallTranscript__c.LeadId__c"): lambda tree: {**tree, "label": "The lead"},
    ("ListView", "Account.AllAccounts"): lambda tree: {
        **tree,
        "label": "Everyone",
        "columns": ["ACCOUNT.NAME"],
    },
    ("StandardValueSet", "CampaignMemberStatus"): lambda tree: _entry(
        tree, "standardValue", fullName="Maybe", default=False, label="Maybe"
    ),
    ("StandardValueSet", "OpportunityStage"): lambda tree: {
        **tree,
        "standardValue": tree["standardValue"][::-1],
    },
    ("Group", "Account_Avengers"): lambda tree: {**tree, "name": "Others"},
    ("Queue", "billing_support_queue"): lambda tree: {**tree, "name": "Bills", "queueMembers": {}},
    ("Role", "CFO"): lambda tree: {**tree, "name": "Money"},
    ("PermissionSet", "Account_Access_Basic"): lambda tree: _entry(
        _entry(tree, "fieldPermissions", editable=True, field="Account.Active__c", readable=True),
        "userPermissions",
        enabled=True,
        name="ApiEnabled",
    ),
    ("PermissionSetGroup", "LaLaLandUsers"): lambda tree: {**tree, "label": "La la"},
    ("MilestoneType", "Escalate case"): lambda tree: {**tree, "description": "Soon"},
    ("CustomApplication", "standard__LightningSales"): lambda tree: {**tree, "tabs": ["standard-Account"]},
    ("Profile", "Standard"): _allowed,
}


def test_every_component_is_written_back_without_a_trace(org: Org) -> None:
    """What was read, made a file and read from it again changes nothing when it is written."""
    before, seen = org.collections(), 0
    for type in TYPES.values():
        for name in components.names(org, type):
            tree = components.read(org, type, name)
            assert tree is not None
            shape = type.shape(name)
            back = read(shape, parse(document(shape, tree)))
            assert back == tree
            components.replace(org, type, name, back)
            seen += 1
    assert seen > 250
    assert org.collections() == before
    assert not org.journal.writes


@pytest.mark.parametrize(("kind", "name"), sorted(CHANGES))
def test_a_change_is_taken_back_by_writing_the_original(org: Org, kind: str, name: str) -> None:
    """A changed component says what was written; the original, written again, leaves the org as it was."""
    type, before = TYPES[kind], fingerprint(org)
    original = type.source.read(org, name)
    assert original is not None
    wanted = CHANGES[kind, name](dict(original))
    type.source.write(org, name, wanted)
    changed = type.source.read(org, name)
    assert changed is not None
    assert changed != original
    assert {key: value for key, value in wanted.items() if value != {}}.items() <= changed.items()
    assert fingerprint(org) != before
    type.source.write(org, name, original)
    assert type.source.read(org, name) == original
    assert fingerprint(org) == before


@pytest.mark.parametrize("kind", sorted(PLAIN))
def test_a_component_comes_and_goes(org: Org, kind: str) -> None:
    """A component that was made is listed and read as it was given; deleted, it leaves nothing."""
    type, before = TYPES[kind], fingerprint(org)
    name, tree = PLAIN[kind]
    assert name not in components.names(org, type)
    type.source.write(org, name, tree)
    assert name in components.names(org, type)
    assert dict(type.source.read(org, name) or {}).items() >= tree.items()
    type.source.delete(org, name)
    assert type.source.read(org, name) is None
    assert fingerprint(org) == before


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_what_is_not_there_is_neither_read_nor_deleted(org: Org, kind: str) -> None:
    """A name that no component has reads as nothing, and deleting it is refused with its name."""
    type = TYPES[kind]
    name = "Account.Nothing" if type.parent else "Nothing"
    assert components.read(org, type, name) is None
    with pytest.raises(MetadataError, match=f"no {kind} named {name} found"):
        components.delete(org, type, name)


FIELD = {"type": "Text", "label": "Level", "length": "10"}
OBJECT = {
    "deploymentStatus": "Deployed",
    "label": "Trip",
    "nameField": {"label": "Trip Name", "type": "Text"},
    "pluralLabel": "Trips",
    "sharingModel": "ReadWrite",
}


def test_a_new_field_is_a_column_at_once(org: Org) -> None:
    """Records have a new field and hold values of it; deleted, it is gone from them and from permissions."""
    before = fingerprint(org)
    source = TYPES["CustomField"].source
    source.write(org, "Account.Level__c", FIELD)
    account = next(org.rows("Account"))
    assert account["Level__c"] is None
    org.update(account["Id"], Level__c="high")
    permissions = TYPES["PermissionSet"].source
    tree = dict(permissions.read(org, "Account_Access_Basic") or {})
    entry = {"editable": True, "field": "Account.Level__c", "readable": True}
    permissions.write(
        org, "Account_Access_Basic", {**tree, "fieldPermissions": [*tree.get("fieldPermissions", ()), entry]}
    )
    source.delete(org, "Account.Level__c")
    assert org.schema["Account"].field("Level__c") is None
    assert fingerprint(org) == before


def test_a_new_object_holds_records_and_goes_with_them(org: Org) -> None:
    """A custom object has a key prefix, fields and records of its own; deleting it takes all of that along."""
    before = fingerprint(org)
    objects, fields = TYPES["CustomObject"].source, TYPES["CustomField"].source
    objects.write(org, "Trip__c", OBJECT)
    lookup = {"type": "Lookup", "label": "Account", "referenceTo": "Account", "relationshipName": "Trips"}
    fields.write(org, "Trip__c.Account__c", lookup)
    account = next(org.rows("Account"))["Id"]
    trip = org.insert("Trip__c", Name="Rome", Account__c=account)
    assert org.schema.of_id(trip) is org.schema["Trip__c"]
    assert org.schema.child("Account", "Trips__r") is not None
    objects.delete(org, "Trip__c")
    assert "Trip__c" not in org.schema.objects
    assert fingerprint(org) == before


def test_a_transaction_takes_back_definitions_too(org: Org) -> None:
    """An object made in a transaction that fails was never there."""
    before = fingerprint(org)

    def work() -> None:
        with org.transaction():
            TYPES["CustomObject"].source.write(org, "Trip__c", OBJECT)
            org.insert("Trip__c", Name="Rome")
            TYPES["CustomField"].source.write(org, "Trip__c.Bad__c", {"type": "Lookup", "referenceTo": "No"})

    with pytest.raises(OrgError, match="no CustomObject named No found"):
        work()
    assert "Trip__c" not in org.schema.objects
    assert fingerprint(org) == before


REFUSED: dict[str, tuple[str, str, Tree, str]] = {
    "no length": ("CustomField", "Account.X__c", {"type": "Text", "label": "X"}, "Must specify 'length'"),
    "no type": ("CustomField", "Account.X__c", {"label": "X"}, "must have a type"),
    "no suffix": ("CustomField", "Account.Level", FIELD, "must end with __c"),
    "no object": ("CustomField", "Nope.X__c", FIELD, "no CustomObject named Nope found"),
    "bad name": ("CustomField", "Account.1x__c", FIELD, "must begin with a letter"),
    "no target": (
        "CustomField",
        "Account.X__c",
        {"type": "Lookup", "referenceTo": "No__c"},
        "no CustomObject named",
    ),
    "no values": ("CustomField", "Account.X__c", {"type": "Picklist"}, "valueSetName or valueSetDefinition"),
    "bad format": (
        "CustomField",
        "Account.X__c",
        {"type": "AutoNumber", "displayFormat": "A"},
        "zeros in braces",
    ),
    "standard": ("CustomObject", "Trip", OBJECT, "no CustomObject named Trip found"),
    "no label": ("CustomObject", "Trip__c", {"pluralLabel": "Trips"}, "Must specify a label"),
    "new set": (
        "StandardValueSet",
        "Colours",
        {"standardValue": []},
        "no StandardValueSet named Colours found",
    ),
    "double": (
        "GlobalValueSet",
        "Sizes",
        {"masterLabel": "S", "customValue": [{"fullName": "a"}, {"fullName": "A"}]},
        "Duplicate picklist value",
    ),
    "no user": (
        "Queue",
        "Q",
        {"name": "Q", "queueMembers": {"users": {"user": ["nobody@x"]}}},
        "no User named nobody@x found",
    ),
    "no parent": ("Role", "Boss", {"name": "Boss", "parentRole": "Nobody"}, "no Role named Nobody found"),
    "unknown field": (
        "PermissionSet",
        "P",
        {"label": "P", "fieldPermissions": [{"field": "Account.No__c", "editable": False, "readable": True}]},
        "no CustomField named Account.No__c found",
    ),
    "unread": (
        "PermissionSet",
        "P",
        {"label": "P", "objectPermissions": [{"object": "Account", "allowCreate": True}]},
        "depends on permission",
    ),
    "no set": (
        "PermissionSetGroup",
        "G",
        {"label": "G", "permissionSets": ["No"]},
        "no PermissionSet named No found",
    ),
    "column": (
        "ListView",
        "Account.X",
        {"label": "X", "filterScope": "Everything", "columns": ["COLOUR"]},
        "list view column: COLOUR",
    ),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_component_that_does_not_hold_together_is_refused(org: Org, case: str) -> None:
    """The refusal names what is wrong, and nothing of the component stays."""
    kind, name, tree, problem = REFUSED[case]
    before = fingerprint(org)
    with pytest.raises(OrgError, match=problem), org.transaction():
        TYPES[kind].source.write(org, name, tree)
    assert fingerprint(org) == before


def test_an_object_that_others_point_to_stays(org: Org) -> None:
    """A custom object is not deleted while a field of another one looks it up; standard ones never are."""
    objects = TYPES["CustomObject"].source
    objects.write(org, "Trip__c", OBJECT)
    TYPES["CustomField"].source.write(
        org, "Contact.Trip__c", {"type": "Lookup", "label": "Trip", "referenceTo": "Trip__c"}
    )
    with pytest.raises(MetadataError, match=r"referenced elsewhere.*Contact\.Trip__c"):
        objects.delete(org, "Trip__c")
    with pytest.raises(MetadataError, match="standard object"):
        objects.delete(org, "Account")
    with pytest.raises(MetadataError, match="standard field"):
        TYPES["CustomField"].source.delete(org, "Account.Phone")


def test_only_shared_list_views_are_metadata(org: Org) -> None:
    """A list view that nobody but its maker sees is neither listed nor read."""
    org.put_component(
        "ListView", "Account.Mine", {"fullName": "Mine", "label": "Mine", "filterScope": "Mine"}
    )
    assert "Account.Mine" not in components.names(org, TYPES["ListView"])
    assert TYPES["ListView"].source.read(org, "Account.Mine") is None


def test_a_profile_keeps_what_a_file_does_not_mention(org: Org) -> None:
    """Writing a profile with one permission leaves its others, as Salesforce does."""
    source = TYPES["Profile"].source
    before = dict(source.read(org, "Standard") or {})
    entry = {"editable": False, "field": "Account.Active__c", "readable": True}
    source.write(org, "Standard", {"fieldPermissions": [entry]})
    after = dict(source.read(org, "Standard") or {})
    assert entry in after["fieldPermissions"]
    assert after["objectPermissions"] == before["objectPermissions"]
    assert len(after["fieldPermissions"]) == len(before["fieldPermissions"])


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("Queue", "billing_support_queue", "bills"),
        ("PermissionSet", "Account_Access_Basic", "Access_To_Accounts"),
        ("CustomApplication", "standard__LightningSales", "Sales2"),
    ],
)
def test_a_component_gets_another_name(org: Org, kind: str, old: str, new: str) -> None:
    """Renamed, a component is found under its new name alone, with the content it had."""
    type = TYPES[kind]
    tree = type.source.read(org, old)
    components.rename(org, type, old, new)
    assert type.source.read(org, old) is None
    assert type.source.read(org, new) == tree
