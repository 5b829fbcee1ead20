"""Every shape of query that the benchmark's own evaluation asks, on the seeded org."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from salesforce_org.seeding import Seeder
from salesforce_org.soql import query
from salesforce_org.soql.unparse import quoted
from salesforce_org.store import Org

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "salesforce"
# What is selected, from which object, and what is compared: for each of these fields a value of the org's own.
SHAPES = """
Id | Report | Name
Id | Dashboard | Title
Id, DeveloperName, Name, SObjectType | ListView | Name
Id, AggregateType, AggregateField, GroupingField, ChartType | ListViewChart | MasterLabel
Label | ListViewChartInstance | ListViewContextId, SourceEntity
Id | PermissionSetGroup | MasterLabel
PermissionSetGroup.Id,PermissionSetGroup.MasterLabel | PermissionSetGroupComponent | PermissionSetGroup.MasterLabel
PermissionSet.Label | PermissionSetGroupComponent | PermissionSetGroup.MasterLabel
PermissionSetGroup.DeveloperName, Assignee.LastName | PermissionSetAssignment | PermissionSetGroup.MasterLabel
PermissionSetGroup.MasterLabel, Assignee.FirstName | PermissionSetAssignment | PermissionSetGroup.MasterLabel
Id | User | User.FirstName, User.LastName
IsActive | User | User.FirstName, User.LastName
Id, Name | User | Name IN
IsFrozen | UserLogin | UserId
Id | Group | Name
Id, Related.Name | Group | Type, Related.Name IN
Id, DoesSendEmailToMembers, Email | Group | Type, DeveloperName
UserOrGroupId | GroupMember | Group.Name
UserOrGroup.Name, UserOrGroup.Email | GroupMember | GroupId
QueueId, Queue.Name, SobjectType | QueueSobject | QueueId
Id, Name | Account | Name
Id, Name | Account | Id
Id, Name, ParentId | Account | Name
Id, AccountId, Name, Email, Phone, MobilePhone, HomePhone | Contact | AccountId
Id, LeadSource, Name, Company, Rating | Lead | Name
Id, IsConverted, ConvertedAccountId, ConvertedOpportunityId | Lead | Name
Id, StageName | Opportunity | Name
Id, Name | Opportunity | Id
Id, Description, Subject, TaskSubtype | Task | WhatId
Id, Description, Subject, EventSubtype | Event | WhatId
Id | Product2 | Family
Id, Description, Family | Product2 | Name
Name | Pricebook2 | Name IN
Product2.Name, Pricebook2.Name, UnitPrice | PricebookEntry | Pricebook2.Name IN
Id, ExpirationDate, Opportunity.Name | Quote | Name
Discount, Product2.Name, Quantity | QuoteLineItem | Quote.Name
Id, StartDate, ContractTerm | Contract | Account.Name
Id, EffectiveDate | Order | ContractId
Id, Type, StartDate, BudgetedCost, ExpectedRevenue | Campaign | Name
Lead.Name | CampaignMember | Campaign.Name
Id | Territory2Model | Name
Id, DeveloperName | ObjectTerritory2AssignmentRule | MasterLabel, Territory2ModelId
Field, Operation, Value | ObjectTerritory2AssignmentRuleItem | RuleId
Id, Priority, Type, Reason, Contact.Name | Case | Subject, Status, Origin
Id, Status, Priority, SLAViolation__c, PotentialLiability__c | Case | Subject
Id, Type, StartDate, EndDate | Entitlement | Name, Account.Name
Name, RecurrenceType, Description | MilestoneType | Name
Id, PublishStatus, Question__c, Answer__c | Knowledge__kav | Title
Id | Incident | Subject, Urgency, Impact, Priority
Id, Subject, Status | Incident | Subject
Product2Id, Product2.Name, ImpactType | IncidentRelatedItem | IncidentId
Id, ChangeRequestNumber, Impact, Priority, RiskLevel | ChangeRequest | Subject
RelatedIssueId | ChangeRequestRelatedIssue | ChangeRequestId, RelatedEntityType
SObjectType, DeveloperName | MatchingRule | DeveloperName
Id | Profile | Name
Id | UserLicense | Name
Id | Pricebook2 | IsStandard
FIELDS(ALL) | Product2 | Name, Family
Id | User | Profile.Name
"""
WHOLE = [
    "SELECT Name, ParentRole.Name FROM UserRole",
    "SELECT Id, Name FROM UserRole",
    "SELECT Id, IsFrozen, UserId FROM UserLogin",
    "SELECT FIELDS(ALL) FROM Account WHERE SystemModstamp >= LAST_N_DAYS:900 LIMIT 200",
    "SELECT FIELDS(ALL) FROM Group WHERE Type='Queue' AND SystemModstamp >= LAST_N_DAYS:900 LIMIT 200",
    "SELECT SObjectType, DeveloperName FROM ListView WHERE SystemModstamp >= LAST_N_DAYS:900",
    "SELECT Name, InstanceName, IsSandbox, TrialExpirationDate, NamespacePrefix, OrganizationType FROM Organization",
]


@cache
def org() -> Org:
    """Return the org of seed 0; it is read only."""
    return Seeder(FIXTURES).build(0)


def literal(value: Any) -> str:
    """Return a value as a query has it."""
    return str(value).lower() if isinstance(value, bool) else quoted(str(value))


@pytest.mark.parametrize("shape", SHAPES.strip().splitlines())
def test_what_the_evaluation_asks_is_found(shape: str) -> None:
    """With values of a record the query finds that record; without any record it finds nothing."""
    selected, object, compared = shape.split(" | ")
    keys = [key.removesuffix(" IN") for key in compared.split(", ")]
    paths = ", ".join(dict.fromkeys([*keys, "Id"]))
    given = " AND ".join(f"{key} != null" for key in keys)
    known = query(org(), f"SELECT {paths} FROM {object} WHERE {given}").records
    row = known[-1] if known else None
    conditions = "AND ".join(condition(key, row) for key in compared.split(", "))
    limit = " LIMIT 200" if "FIELDS" in selected else ""
    text = f"SELECT {selected} FROM {object} WHERE {conditions}{limit}"
    found = [one.id for one in query(org(), text).records]
    assert found.count(row.id) == 1 if row else not found, text


def condition(key: str, row: Any) -> str:
    """Return a comparison with a record's value, or with one that no record has."""
    path = key.removesuffix(" IN").split(".")
    path = path[1:] if path[0] == "User" else path
    value: Any = row
    for name in path:
        value = value[name] if value is not None else None
    id = path[-1] == "Id" or re.fullmatch(r"\w+Id", path[-1])
    missing = "'000000000000000AAA'" if id else "'nowhere'"
    text = missing if row is None else literal(value)
    return f"{key} ({text}, 'x') " if key.endswith(" IN") else f"{key}={text} "


@pytest.mark.parametrize("text", WHOLE)
def test_whole_objects_are_read(text: str) -> None:
    """Snapshots read every record of an object."""
    object = text.split("FROM ")[1].split()[0]
    found = query(org(), text)
    assert 0 < found.total <= len(list(org().rows(object)))


def test_members_are_found_through_a_sub_query() -> None:
    """Groups that are members of a group are found by the ids that the members hold."""
    twin = org().copy()
    twin.user_id = next(twin.rows("User"))["Id"]
    role = next(twin.rows("Group", Type="Role"))
    group = twin.insert("Group", Name="Tried", DeveloperName="Tried", Type="Regular")
    twin.insert("GroupMember", GroupId=group, UserOrGroupId=role["Id"])
    inner = f"SELECT UserOrGroupId FROM GroupMember WHERE GroupId = '{group}'"
    found = query(twin, f"SELECT Id, Name, Type, RelatedId FROM Group WHERE Id IN ({inner})").records
    assert [row["Id"] for row in found] == [role["Id"]]
    related = query(twin, f"SELECT Related.Name FROM Group WHERE Id = '{role['Id']}'").records[0]["Related"]
    assert related == {"Name": twin.name_of(role["RelatedId"])}
