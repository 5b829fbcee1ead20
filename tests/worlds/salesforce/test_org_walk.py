"""A long walk through an org, of records, metadata and users, comes back by difference."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.snapshot import Component
from pytest_cuabench.errors import EnvironmentFailure

from .test_org_driver import approve, approves, export, write

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
STEPS = 300
RECORDS = ("Account", "Contact", "Case", "Opportunity", "User", "UserLogin", "Group", "UserRole")
METADATA = (
    *("ApprovalProcess", "CustomField", "CustomObject", "CustomTab", "FlexiPage", "GlobalValueSet", "Layout"),
    *("ListView", "QuickAction", "RecordType", "StandardValueSet", "ValidationRule", "Workflow"),
)
_XML = '<?xml version="1.0" encoding="UTF-8"?><{0} xmlns="http://soap.sforce.com/2006/04/metadata">{1}</{0}>'
_VALUES = "<{0}><fullName>{1}</fullName><default>false</default><label>{1}</label></{0}>"
# What is made or made anew: type, full name, file, and its content, where {} is a number.
MADE = (
    (
        "CustomObject",
        "Shoe{}__c",
        "objects/Shoe{}__c.object",
        "<deploymentStatus>Deployed</deploymentStatus><label>Shoe {}</label><pluralLabel>Shoes {}</pluralLabel>"
        "<nameField><label>Name</label><type>Text</type></nameField><sharingModel>ReadWrite</sharingModel>",
    ),
    (
        "CustomField",
        "Account.Size{}__c",
        "objects/Account.object",
        "<fields><fullName>Size{}__c</fullName><label>Size {}</label><length>40</length><type>Text</type></fields>",
    ),
    (
        "RecordType",
        "Account.Walk{}",
        "objects/Account.object",
        "<recordTypes><fullName>Walk{}</fullName><active>true</active><label>Walk {}</label></recordTypes>",
    ),
    (
        "ListView",
        "Account.Walk{}",
        "objects/Account.object",
        "<listViews><fullName>Walk{}</fullName><columns>ACCOUNT.NAME</columns><filterScope>Everything</filterScope>"
        "<label>Walk {}</label></listViews>",
    ),
    (
        "ValidationRule",
        "Case.Walk{}",
        "objects/Case.object",
        "<validationRules><fullName>Walk{}</fullName><active>false</active><errorConditionFormula>LEN(Subject) &gt; 250"
        "</errorConditionFormula><errorMessage>Too long {}</errorMessage></validationRules>",
    ),
    (
        "GlobalValueSet",
        "Sizes{}",
        "globalValueSets/Sizes{}.globalValueSet",
        _VALUES.format("customValue", "Small") + "<masterLabel>Sizes {}</masterLabel><sorted>false</sorted>",
    ),
    (
        "FlexiPage",
        "Walk{}",
        "flexipages/Walk{}.flexipage",
        "<masterLabel>Walk {}</masterLabel><template><name>flexipage:defaultAppHomeTemplate</name></template>"
        "<type>AppPage</type>",
    ),
)


async def _make(client: OrgClient, chance: random.Random) -> None:
    kind, *texts = chance.choice(MADE)
    name, path, content = (text.replace("{}", str(chance.randrange(6))) for text in texts)
    number = next(digit for digit in name if digit.isdigit())
    path, content = (text.replace("{}", number) for text in texts[1:])
    root = "CustomObject" if path.startswith("objects/") else kind
    await client.metadata.deploy({kind: {name: Component({}, path, _XML.format(root, content))}}, {})


async def _unmake(client: OrgClient, chance: random.Random) -> None:
    kind, name, *_ = chance.choice(MADE)
    await client.metadata.deploy({}, {kind: [name.format(chance.randrange(6))]})


async def _value(client: OrgClient, chance: random.Random) -> None:
    name = chance.choice(["LeadSource", "CasePriority", "Product2Family"])
    one = (await client.metadata.retrieve({"StandardValueSet": [name]}))["StandardValueSet"][name]
    value = _VALUES.format("standardValue", f"V{chance.randrange(10**6)}")
    text = one.text.replace("</StandardValueSet>", f"{value}</StandardValueSet>")
    changed = Component(one.tree, one.path, text, one.created)
    await client.metadata.deploy({"StandardValueSet": {name: changed}}, {})


async def _people(client: OrgClient, chance: random.Random) -> None:
    users = [row["Id"] for row in await client.query("SELECT Id FROM User WHERE IsActive = true ORDER BY Id")]
    logins = [row["Id"] for row in await client.query("SELECT Id FROM UserLogin ORDER BY Id")]
    number = chance.randrange(10**6)
    match chance.randrange(4):
        case 0:
            await client.update("User", chance.choice(users), {"Department": f"D{number}", "Title": None})
        case 1:
            await client.update("UserLogin", chance.choice(logins), {"IsFrozen": chance.random() < 0.5})
        case 2:
            names = {"Name": f"G{number}", "DeveloperName": f"G{number}", "Type": "Regular"}
            await client.create(
                "GroupMember", {"GroupId": await client.create("Group", names), "UserOrGroupId": users[0]}
            )
        case _:
            await client.create("UserRole", {"Name": f"R{number}", "DeveloperName": f"R{number}"})


async def _submit(client: OrgClient, chance: random.Random) -> None:
    processes = await client.query("SELECT Id FROM ProcessDefinition WHERE State = 'Active'")
    items = [row["Id"] for row in await client.query("SELECT Id FROM ProcessInstanceWorkitem ORDER BY Id")]
    accounts = [row["Id"] for row in await client.query("SELECT Id FROM Account ORDER BY Id")]
    if not processes:
        await approves(client)
    elif items and chance.random() < 0.5:
        action = chance.choice(["Approve", "Reject", "Removed"])
        await approve(client, actionType=action, contextId=chance.choice(items))
    else:
        users = [row["Id"] for row in await client.query("SELECT Id FROM User WHERE IsActive = true")]
        chosen = {"contextId": chance.choice(accounts), "nextApproverIds": [chance.choice(users)]}
        await approve(client, actionType="Submit", **chosen)


Step = Callable[[OrgClient, random.Random], Awaitable[None]]
WALK: tuple[Step, ...] = (write, write, write, _people, _submit, _make, _make, _unmake, _value)


@pytest.mark.parametrize("seed", range(3))
async def test_a_long_walk_comes_back(orgs: EmulatedOrgs, seed: int) -> None:
    """After 300 mixed operations the whole stored state is what it was, under the same ids."""
    chance, watched = random.Random(seed), (*RECORDS, *(f"metadata/{kind}" for kind in METADATA))
    session = await orgs.open("sales", 0, watched)
    before, done = await export(session), 0
    for _ in range(STEPS):
        with suppress(OrgError, EnvironmentFailure):  # the org keeps what others need
            await chance.choice(WALK)(session.org.client, chance)
            done += 1
    assert done > STEPS / 2
    await session.close()
    session = await orgs.open("sales", 0, watched)
    assert session.reset.layer == "snapshot", session.reset.reason
    assert await export(session) == before
    await session.close()
