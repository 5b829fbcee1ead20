"""Objects that are computed: descriptions of objects and fields, and components as the Tooling API shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from salesforce_org.rules import RULES
from salesforce_org.seeding import FIRST_DAY, SCHEMA
from salesforce_org.soql import SoqlError, query
from salesforce_org.store import Org
from salesforce_org.store.schema import read_schema

RULE = {"active": True, "errorConditionFormula": "ISBLANK(Phone)", "errorMessage": "A phone is needed"}


@pytest.fixture
def org() -> Org:
    """An org with the whole schema and two validation rules."""
    made = Org(read_schema(Path(SCHEMA)), RULES, FIRST_DAY)
    made.put_component("ValidationRule", "Account.Phone", RULE)
    made.put_component("ValidationRule", "Case.Phone", {**RULE, "active": False})
    return made


def test_objects_and_fields_describe_themselves(org: Org) -> None:
    """An entity has its fields as children, a field its entity as parent."""
    text = (
        "SELECT QualifiedApiName, Label, KeyPrefix, (SELECT DataType FROM Fields WHERE QualifiedApiName = 'Name') "
        "FROM EntityDefinition WHERE QualifiedApiName IN ('Account', 'Nothing')"
    )
    (account,) = query(org, text).records
    assert (account["Label"], account["KeyPrefix"]) == ("Account", "001")
    assert account["Fields"].records == [{"DataType": "Text(255)"}]
    text = (
        "SELECT EntityDefinition.Label, DataType FROM FieldDefinition WHERE DurableId = 'Contact.AccountId'"
    )
    (field,) = query(org, text).records
    assert field == {"EntityDefinition": {"Label": "Contact"}, "DataType": "Lookup(Account)"}


def test_new_fields_are_described_at_once(org: Org) -> None:
    """What the schema gains is found by the next query."""
    text = "SELECT COUNT() FROM EntityParticle WHERE EntityDefinitionId = 'Account' AND IsCreatable = true"
    before = query(org, text).total
    org.extend(org.schema.with_field("Account", org.schema["Contact"].by_name["email"]))
    assert query(org, text).total == before + 1


def test_picklist_values_are_listed(org: Org) -> None:
    """Each entry of a picklist tells its label and whether it is the one that is chosen at first."""
    text = "SELECT Value, IsDefaultValue FROM PicklistValueInfo WHERE EntityParticleId = 'Group.Type'"
    found = query(org, text).records
    assert [row["Value"] for row in found[:2]] == ["Regular", "Queue"]
    assert [row["IsDefaultValue"] for row in found[:2]] == [True, False]


def test_components_are_objects_of_the_tooling_api(org: Org) -> None:
    """A validation rule shows its columns and its tree."""
    text = (
        "Select ErrorMessage,Metadata,EntityDefinitionId,ValidationName,Active,EntityDefinition.Label "
        "From ValidationRule WHERE EntityDefinitionId='Account'"
    )
    (rule,) = query(org, text, tooling=True).records
    assert rule["Metadata"] == RULE
    assert (rule["ErrorMessage"], rule["ValidationName"], rule["Active"]) == (
        "A phone is needed",
        "Phone",
        True,
    )
    assert rule["EntityDefinition"] == {"Label": "Account"}
    assert rule.id is not None
    assert rule.id.startswith("03d")


def test_only_the_tooling_api_knows_components(org: Org) -> None:
    """The ordinary interface has no such object."""
    with pytest.raises(SoqlError) as refused:
        query(org, "SELECT Id FROM ValidationRule")
    assert refused.value.code == "INVALID_TYPE"


def test_whole_components_come_one_at_a_time(org: Org) -> None:
    """Metadata of several rows is refused as Salesforce refuses it."""
    with pytest.raises(SoqlError, match=r"no more than one row for retrieval\. Result size: 2"):
        query(org, "SELECT Metadata FROM ValidationRule", tooling=True)
    assert query(org, "SELECT Id, ValidationName FROM ValidationRule", tooling=True).total == 2


def test_custom_fields_belong_to_their_object(org: Org) -> None:
    """Custom fields are listed under the name that they were given."""
    text = "SELECT DeveloperName, TableEnumOrId FROM CustomField WHERE TableEnumOrId = 'Case' ORDER BY DeveloperName"
    found = [row["DeveloperName"] for row in query(org, text, tooling=True).records]
    assert found == sorted(one.name.removesuffix("__c") for one in org.schema["Case"].fields if one.custom)
    assert found
