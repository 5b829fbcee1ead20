"""A small org for the tests of its query language."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from salesforce_org.store import Org
from salesforce_org.store.org import Rules
from salesforce_org.store.schema import read_schema

_OBJECTS = {
    "User": """
prefix = "005"
owned = false
[fields]
FirstName = {}
LastName = { required = true }
Name = { computed = "full_name" }
Email = { type = "email" }
TimeZoneSidKey = { type = "string" }
IsActive = { type = "boolean", default = true }
ManagerId = { type = "reference", to = ["User"], relationship = "Manager", children = "DirectReports" }
""",
    "UserRole": """
prefix = "00E"
owned = false
[fields]
Name = { required = true }
""",
    "Group": """
prefix = "00G"
owned = false
[fields]
Name = {}
Type = { type = "picklist", values = ["Regular", "Queue", "Role"] }
RelatedId = { type = "reference", to = ["User", "UserRole"], relationship = "Related" }
Email = { type = "email" }
""",
    "GroupMember": """
prefix = "011"
owned = false
name_field = "Id"
[fields]
GroupId = { type = "reference", to = ["Group"], relationship = "Group", children = "GroupMembers" }
UserOrGroupId = { type = "reference", to = ["User", "Group"], relationship = "UserOrGroup" }
""",
    "Account": """
prefix = "001"
[fields]
Name = { required = true }
Type = { type = "picklist", values = ["Prospect", "Customer"] }
Industry = { type = "picklist", values = [{ value = "Tech", label = "Technology" }, "Energy", "Retail"] }
Regions__c = { type = "multipicklist", values = ["North", "South", "East"] }
AnnualRevenue = { type = "currency", scale = 2 }
NumberOfEmployees = { type = "int" }
Description = { type = "textarea" }
ParentId = { type = "reference", to = ["Account"], relationship = "Parent", children = "ChildAccounts" }
Active__c = { type = "boolean" }
""",
    "Contact": """
prefix = "003"
[fields]
FirstName = {}
LastName = { required = true }
Name = { computed = "full_name" }
Email = { type = "email" }
Birthdate = { type = "date" }
AccountId = { type = "reference", to = ["Account"], relationship = "Account", children = "Contacts", cascade = true }
""",
    "Task": """
prefix = "00T"
name_field = "Subject"
[fields]
Subject = {}
ActivityDate = { type = "date" }
StartDateTime = { type = "datetime" }
WhatId = { type = "reference", to = ["Account", "Opportunity"], relationship = "What", children = "Tasks" }
""",
    "Opportunity": """
prefix = "006"
[fields]
Name = { required = true }
StageName = { type = "picklist", values = ["Prospecting", "Closed Won", "Closed Lost"] }
Amount = { type = "currency", scale = 2 }
CloseDate = { type = "date" }
AccountId = { type = "reference", to = ["Account"], relationship = "Account", children = "Opportunities" }
""",
}


def build(folder: Path) -> Org:
    """Return an org with nine kinds of objects and one user in Los Angeles who acts; it is 3 March 2026."""
    for name, text in _OBJECTS.items():
        head = f'name = "{name}"\nlabel = "{name}"\nplural = "{name}s"\n'
        (folder / f"{name}.toml").write_text(head + text.lstrip())
    rules = Rules()
    rules.computed["full_name"] = lambda org, row: " ".join(
        part for part in (row["FirstName"], row["LastName"]) if part
    )
    made = Org(read_schema(folder), rules, datetime(2026, 3, 3, 17, tzinfo=UTC))
    made.user_id = made.insert("User", FirstName="Ada", LastName="Byron", Email="ada@byron.org")
    return made


def peopled(folder: Path) -> Org:
    """Return that org with a few accounts, contacts, opportunities, tasks, groups and roles."""
    org = build(folder)
    bob = org.insert("User", FirstName="Bob", LastName="Stone", ManagerId=org.user_id, IsActive=False)
    acme = org.insert(
        "Account", Name="Acme", Industry="Tech", AnnualRevenue=500, Regions__c="North;South", Active__c=True
    )
    beta = org.insert("Account", Name="Beta", Industry="Energy", AnnualRevenue=50.5, ParentId=acme)
    org.insert("Account", Name="acme labs", Type="Customer", ParentId=beta, OwnerId=bob, Regions__c="East")
    org.insert("Account", Name="O'Neil 100%", Industry="Retail", AnnualRevenue=500, NumberOfEmployees=12)
    org.insert("Contact", FirstName="Lee", LastName="Wong", AccountId=acme, Birthdate="1990-05-01")
    org.insert("Contact", LastName="Adams", AccountId=acme, Email="a@adams.org")
    org.insert("Contact", LastName="Zed")
    for name, stage, amount, close in (
        ("One", "Prospecting", 10, "2026-03-03"),
        ("Two", "Closed Won", 20, "2026-02-01"),
        ("Three", "Closed Won", 40, "2025-12-31"),
        ("Four", "Closed Lost", None, "2026-04-01"),
    ):
        org.insert("Opportunity", Name=name, StageName=stage, Amount=amount, CloseDate=close, AccountId=acme)
    deal = org.one("Opportunity", Name="One")["Id"]
    org.insert("Task", Subject="Call", WhatId=acme, StartDateTime="2026-03-03T07:30:00Z")
    org.insert("Task", Subject="Write", WhatId=deal, StartDateTime="2026-03-03T08:30:00Z")
    org.insert("Task", Subject="Rest")
    role = org.insert("UserRole", Name="CEO")
    queue = org.insert("Group", Name="Help Desk", Type="Queue", Email="help@desk.org")
    org.insert("Group", Type="Role", RelatedId=role)
    org.insert("GroupMember", GroupId=queue, UserOrGroupId=bob)
    org.insert("GroupMember", GroupId=queue, UserOrGroupId=org.one("Group", Type="Role")["Id"])
    return org
