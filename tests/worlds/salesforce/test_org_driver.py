"""The plugin's driver on the running emulator: orgs are brought back by difference through their real interfaces."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import httpx2
import pytest

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import DEFAULTS
from pytest_cuabench.drivers.salesforce.emulated import MAX_IDLE, EmulatedOrgs, EmulatedSession, unlisted
from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.snapshot import Component
from pytest_cuabench.drivers.salesforce.soap import METADATA as NAMESPACE
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.evidence import Evidence, Write

pytestmark = pytest.mark.asyncio(loop_scope="module")
Deed = Callable[[OrgClient], Awaitable[object]]


async def session_of(orgs: EmulatedOrgs, *resources: str) -> EmulatedSession:
    """Open an org of seed 0 for a task."""
    return await orgs.open("sales", 0, resources)


async def after(session: EmulatedSession, *resources: str) -> EmulatedSession:
    """End an episode, and begin the next in its org."""
    await session.close()
    return await session_of(session.orgs, *resources)


async def export(session: EmulatedSession) -> dict[str, Any]:
    """Return everything that the org stores, with who touched what when, its clock, and what was written."""
    told = await session.org.world.call("GET", f"/sessions/{session.org.described['id']}/state")
    return {name: told[name] for name in ("collections", "clock", "journal")}


# Companies with people and without cases, which would keep them; more than two sub-queries are not allowed.
FREE = "Id IN (SELECT AccountId FROM Contact) AND Id NOT IN (SELECT AccountId FROM Case)"


async def first(client: OrgClient, object: str, where: str = "Id != null") -> str:
    """Return the id of a record."""
    return str((await client.query(f"SELECT Id FROM {object} WHERE {where} ORDER BY Id LIMIT 1"))[0]["Id"])


async def creates(client: OrgClient) -> None:
    """Make a company with people, business and trouble."""
    account = await client.create("Account", {"Name": "Newco"})
    contact = await client.create("Contact", {"LastName": "Newman", "AccountId": account})
    deal = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-12-01", "AccountId": account}
    opportunity = await client.create("Opportunity", deal)
    await client.create("Case", {"Subject": "Broken", "ContactId": contact, "AccountId": account})
    await client.create("Task", {"Subject": "Call", "WhatId": opportunity, "WhoId": contact})


async def changes(client: OrgClient) -> None:
    """Change, empty and turn fields."""
    other = await client.create("Account", {"Name": "Other"})
    await client.update("Account", await first(client, "Account"), {"Industry": "Banking", "Phone": "555"})
    await client.update("Contact", await first(client, "Contact"), {"AccountId": other, "Email": None})
    await client.update("Opportunity", await first(client, "Opportunity"), {"StageName": "Closed Lost"})


async def deletes(client: OrgClient) -> None:
    """Delete a company with what goes with it, and a lead."""
    await client.delete("Account", await first(client, "Account", FREE))
    await client.delete("Lead", await first(client, "Lead", "IsConverted = false"))


async def administers(client: OrgClient) -> None:
    """Freeze and deactivate users, and make a group, a role and a permission set group."""
    await client.update(
        "UserLogin", await first(client, "UserLogin", "User.Name = 'John Doe'"), {"IsFrozen": True}
    )
    group = await client.create("Group", {"Name": "Club", "DeveloperName": "Club", "Type": "Regular"})
    user = await first(client, "User", "IsActive = true")
    await client.create("GroupMember", {"GroupId": group, "UserOrGroupId": user})
    await client.create("UserRole", {"Name": "Jester", "DeveloperName": "Jester"})


async def reports(client: OrgClient) -> None:
    """Make a folder, a report in it, and one that only its maker sees; and run a report that was there."""
    folder = await client.create("Folder", {"Name": "Board", "DeveloperName": "Board", "Type": "Report"})
    for place in ({"folderId": folder}, {}):
        told = {"name": "Deals", "reportFormat": "TABULAR", "reportType": {"type": "Opportunity"}, **place}
        await client.transport.rest("POST", "/analytics/reports", {"reportMetadata": told})
    await client.transport.rest("GET", f"/analytics/reports/{await first(client, 'Report')}")


_PACKAGE = '<{0} xmlns="http://soap.sforce.com/2006/04/metadata">{1}</{0}>'
_PROCESS = """<active>true</active><allowedSubmitters><type>allInternalUsers</type></allowedSubmitters>
<approvalStep><assignedApprover><approver><type>adhoc</type></approver></assignedApprover><label>One</label>
<name>One</name></approvalStep><finalApprovalActions><action><name>Done</name><type>FieldUpdate</type></action>
</finalApprovalActions><finalApprovalRecordLock>true</finalApprovalRecordLock><label>Look</label>
<recordEditability>AdminOnly</recordEditability>"""
_UPDATE = """<fieldUpdates><fullName>Done</fullName><field>Site</field><literalValue>approved</literalValue>
<name>Done</name><notifyAssignee>false</notifyAssignee><operation>Literal</operation><protected>false</protected>
</fieldUpdates>"""


async def approve(client: OrgClient, **request: Any) -> dict[str, Any]:
    """Submit, approve, reject or recall a record, and return the result."""
    told = await client.transport.rest("POST", "/process/approvals", {"requests": [request]})
    return dict(told[0])


async def approves(client: OrgClient) -> None:
    """Make an approval process, and submit records: one waits, one is approved, rejected, recalled, deleted each."""
    files = {
        "ApprovalProcess": {"Account.Look": ("approvalProcesses/Account.Look.approvalProcess", _PROCESS)},
        "Workflow": {"Account": ("workflows/Account.workflow", _UPDATE)},
    }
    parts = {
        kind: {name: Component({}, path, _PACKAGE.format(kind, text)) for name, (path, text) in one.items()}
        for kind, one in files.items()
    }
    await client.metadata.deploy(parts, {})
    user = await first(client, "User", "IsActive = true")
    idle = "Id NOT IN (SELECT AccountId FROM Case) AND Id NOT IN (SELECT AccountId FROM Opportunity)"
    rows = await client.query(f"SELECT Id FROM Account WHERE {idle} ORDER BY Id LIMIT 5")
    for row, action in zip(rows, ("", "Approve", "Reject", "Removed", "delete"), strict=True):
        made = await approve(client, actionType="Submit", contextId=row["Id"], nextApproverIds=[user])
        assert made["success"], made["errors"]
        if action == "delete":
            await client.delete("Account", row["Id"])
        elif action:
            assert (await approve(client, actionType=action, contextId=made["newWorkitemIds"][0]))["success"]


@pytest.mark.parametrize(
    "deed", [creates, changes, deletes, administers, reports, approves], ids=lambda deed: deed.__name__
)
async def test_an_episode_is_taken_back(orgs: EmulatedOrgs, deed: Deed) -> None:
    """Through the interfaces alone the org is again what it was, which its whole stored state confirms."""
    resources = ("Account", "Report", "metadata/ApprovalProcess", "metadata/Workflow")
    session = await session_of(orgs, *resources)
    before, state = await export(session), await session.state()
    await deed(session.org.client)
    assert (await session.state()).collections != state.collections
    session = await after(session, *resources)
    assert (session.reset.layer, session.reset.reason) == ("snapshot", None)
    assert await export(session) == before
    assert (await session.state()).collections == state.collections


async def test_an_org_that_nothing_happened_to_is_clean(orgs: EmulatedOrgs) -> None:
    """Two episodes without a write need no reset at all."""
    session = await after(await session_of(orgs))
    assert session.reset.layer == "clean"


async def test_requests_are_numbered_anew(orgs: EmulatedOrgs) -> None:
    """Pages that an episode only looked at are not counted in the next one."""
    session = await session_of(orgs)
    asked = f"/sessions/{session.org.described['id']}/requests"
    link = httpx2.URL(await session.org.front_door())
    async with httpx2.AsyncClient(headers={"Host": link.netloc.decode()}) as http:
        assert (await http.get(link.copy_with(host="127.0.0.1"))).is_redirect
    assert (await session.org.world.call("GET", asked))["requests"]
    session = await after(session)
    assert session.reset.layer == "clean"
    assert not (await session.org.world.call("GET", asked))["requests"]


async def test_episodes_at_the_same_time_have_orgs_of_their_own(orgs: EmulatedOrgs) -> None:
    """Of sixteen sessions of one seed that are opened at once, each has its own task's resources, writes and reset."""
    watched = ("Account", "Contact", "Case", "metadata/StandardValueSet/Product2Family") * 4
    sessions = await asyncio.gather(*(session_of(orgs, one) for one in watched))
    assert len({session.origin for session in sessions}) == len(sessions)
    before = await asyncio.gather(*(session.state() for session in sessions))
    metadata = [name.startswith("metadata/") for name in watched]
    assert ["metadata/StandardValueSet" in state.collections for state in before] == metadata
    written = sessions[5]
    await written.org.client.create("Account", {"Name": "Newco"})
    accounts = [len((await session.state()).collections["Account"]) for session in sessions]
    assert [count - min(accounts) for count in accounts] == [int(one is written) for one in sessions]
    ended = (written, sessions[6])
    again = await asyncio.gather(*(after(session) for session in ended))
    assert [session.reset.layer for session in again] == ["snapshot", "clean"]
    assert {session.origin for session in again} == {session.origin for session in ended}
    assert [one.layer for one in {session.reset for session in sessions}] == ["start"]


async def test_few_orgs_are_kept_that_nobody_uses(orgs: EmulatedOrgs) -> None:
    """When many episodes end, the world forgets the orgs used least recently."""
    sessions = await asyncio.gather(*(session_of(orgs) for _ in range(MAX_IDLE + 2)))
    for session in sessions:
        await session.close()
    again = await asyncio.gather(*(session_of(orgs) for _ in sessions))
    layers = sorted(session.reset.layer for session in again)
    assert layers == ["clean"] * MAX_IDLE + ["start"] * 2


async def test_a_converted_lead_costs_a_fresh_org(orgs: EmulatedOrgs) -> None:
    """What has no way back under the same ids is told as the reason why the org was recreated."""
    session = await session_of(orgs, "Lead")
    before = await export(session)
    lead = await first(session.org.client, "Lead", "IsConverted = false")
    status = await session.org.client.query("SELECT ApiName FROM LeadStatus WHERE IsConverted = true")
    await session.org.client.convert(lead, status[0]["ApiName"])
    session = await after(session, "Lead")
    assert session.reset.layer == "recreate"
    assert session.reset.reason
    assert await export(session) == before


async def test_what_follows_from_others_and_cannot_be_written_costs_a_fresh_org(orgs: EmulatedOrgs) -> None:
    """An activity keeps the account that its opportunity had for a while; only the whole fingerprint shows it."""
    session = await session_of(orgs)
    before, client = await export(session), session.org.client
    task = (await client.query("SELECT Id, WhatId FROM Task WHERE What.Type = 'Opportunity' ORDER BY Id"))[0]
    other = await client.create("Account", {"Name": "Other"})
    await client.update("Opportunity", task["WhatId"], {"AccountId": other})
    await client.update("Task", task["Id"], {"Subject": "Called"})
    session = await after(session)
    assert session.reset.layer in ("snapshot", "recreate")
    assert await export(session) == before


async def test_metadata_is_taken_back(orgs: EmulatedOrgs) -> None:
    """A picklist that an agent changed is deployed again, and the evidence shows it as a tree."""
    resource = "metadata/StandardValueSet/Product2Family"
    session = await session_of(orgs, "Product2", resource)
    before, client = await export(session), session.org.client
    held = (await session.state()).collections["metadata/StandardValueSet"]["Product2Family"]
    assert isinstance(held["standardValue"], list)
    found = (await client.metadata.retrieve({"StandardValueSet": ["Product2Family"]}))["StandardValueSet"]
    one = found["Product2Family"]
    added = (
        "<standardValue><fullName>Toys</fullName><default>false</default><label>Toys</label></standardValue>"
    )
    text = one.text.replace("</StandardValueSet>", f"{added}</StandardValueSet>")
    changed = {"StandardValueSet": {"Product2Family": type(one)(one.tree, one.path, text, one.created)}}
    await client.metadata.deploy(changed, {})
    assert (await session.state()).collections["metadata/StandardValueSet"]["Product2Family"] != held
    session = await after(session, "Product2", resource)
    assert (session.reset.layer, session.reset.reason) == ("snapshot", None)
    assert await export(session) == before


async def test_what_no_tool_retrieves_is_in_the_state() -> None:
    """What the episode made and no tool lists is held as it is now; what it deleted, or found there, is not."""
    kind, tree, other = "metadata/Report", {"name": "Mine"}, {"name": "Ours"}
    journal = (
        Write(kind, "005A/Mine", "insert", None, {"name": "My"}),
        Write(kind, "005A/Mine", "update", {"name": "My"}, tree),
        Write(kind, "005A/Gone", "insert", None, tree),
        Write(kind, "005A/Gone", "delete", tree, None),
        Write(kind, "005A/Old", "update", tree, other),
        Write(kind, "Public/Ours", "insert", None, {"name": "not as it is read"}),
        Write("metadata/Dashboard", "005A/Mine", "insert", None, tree),
    )
    held = {kind: {"Public/Ours": other}, "Report": {}}
    assert unlisted(held, journal) == {kind: {"Public/Ours": other, "005A/Mine": tree}}


async def test_components_are_named_as_the_org_lists_them(orgs: EmulatedOrgs) -> None:
    """A profile with a colon in its label is in the state under the name that writes of it have, with what it says."""
    session = await session_of(orgs, "metadata/Profile")
    profiles = (await session.state()).collections["metadata/Profile"]
    assert "Custom%3A Sales Profile" in profiles
    assert "Custom: Sales Profile" not in profiles
    await session.close()


NEW = {
    "MatchingRules": (
        "Lead",
        "matchingRules/Lead.matchingRule",
        "<matchingRules><fullName>Phone</fullName><label>Phone</label><matchingRuleItems><fieldName>Phone</fieldName>"
        "<matchingMethod>Phone</matchingMethod></matchingRuleItems><ruleStatus>Active</ruleStatus></matchingRules>",
    ),
    "MutingPermissionSet": (
        "Quiet",
        "mutingpermissionsets/Quiet.mutingpermissionset",
        "<fieldPermissions><editable>true</editable><field>Case.Priority</field></fieldPermissions><label>Quiet</label>",
    ),
}
CHANGED = {
    "PermissionSetGroup": (
        "LaLaLandUsers",
        "</label>",
        "</label><mutingPermissionSets>Quiet</mutingPermissionSets>",
    ),
    "Settings": ("Security", "NinetyDays", "Never"),
}


async def test_access_and_matching_are_taken_back(orgs: EmulatedOrgs) -> None:
    """A new matching rule and what mutes a group are destroyed, the group and password policies deployed again."""
    resources = ["MatchingRule", *(f"metadata/{kind}" for kind in (*NEW, *CHANGED))]
    session = await session_of(orgs, *resources)
    before, metadata = await export(session), session.org.client.metadata
    deployed = {
        kind: {name: Component({}, path, f'<{kind} xmlns="{NAMESPACE}">{text}</{kind}>')}
        for kind, (name, path, text) in NEW.items()
    }
    found = await metadata.retrieve({kind: [name] for kind, (name, _, _) in CHANGED.items()})
    for kind, (name, old, new) in CHANGED.items():
        one = found[kind][name]
        assert old in one.text
        deployed[kind] = {name: Component({}, one.path, one.text.replace(old, new))}
    await metadata.deploy(deployed, {})
    assert "Phone" in {
        row["DeveloperName"] for row in (await session.state()).collections["MatchingRule"].values()
    }
    session = await after(session, *resources)
    assert (session.reset.layer, session.reset.reason) == ("snapshot", None)
    assert await export(session) == before


@pytest.mark.parametrize("resources", [("Account",), ("Account", "metadata/Profile", "metadata/RecordType")])
async def test_record_types_are_taken_back(orgs: EmulatedOrgs, resources: tuple[str, ...]) -> None:
    """A new record type goes, with what a profile says of it and the field by which an account names it."""
    session = await session_of(orgs, *resources)
    before, client = await export(session), session.org.client
    profile = (await client.metadata.retrieve({"Profile": ["Admin"]}))["Profile"]["Admin"]
    type = "<recordTypes><fullName>Vip</fullName><active>true</active><label>Vip</label></recordTypes>"
    seen = "<default>true</default><recordType>Account.Vip</recordType><visible>true</visible>"
    files = {
        "RecordType": {
            "Account.Vip": (
                "objects/Account.object",
                f'<CustomObject xmlns="{NAMESPACE}">{type}</CustomObject>',
            )
        },
        "Profile": {
            "Admin": (
                profile.path,
                f'<Profile xmlns="{NAMESPACE}"><recordTypeVisibilities>{seen}</recordTypeVisibilities></Profile>',
            )
        },
    }
    told = {
        kind: {name: Component({}, path, text) for name, (path, text) in found.items()}
        for kind, found in files.items()
    }
    await client.metadata.deploy(told, {})
    account = await first(client, "Account")
    await client.update("Account", account, {"RecordTypeId": await first(client, "RecordType")})
    await client.create("Account", {"Name": "Newco"})
    rows = await client.query("SELECT Name FROM Account WHERE RecordType.Name = 'Vip'")
    assert len(rows) == 2
    session = await after(session, *resources)
    assert (session.reset.layer, session.reset.reason) == ("snapshot", None)
    assert await export(session) == before


async def test_the_state_tells_every_write(orgs: EmulatedOrgs) -> None:
    """What is written and put back, also outside of what a task watches, stands in the journal of the state."""
    session = await session_of(orgs, "Account")
    first_state, client = await session.state(), session.org.client
    assert first_state.journal == ()
    user = session.org.described["user_id"]
    assert first_state.collections[DEFAULTS]["Lead"]["OwnerId"] == user
    assert first_state.collections[DEFAULTS]["Lead"]["Status"] == "Open - Not Contacted"
    organization = await first(client, "Organization")
    await client.update("Organization", organization, {"Division": "West"})
    await client.update("Organization", organization, {"Division": None})
    state = await session.state()
    assert [(one.collection, one.op) for one in state.journal] == [("Organization", "update")] * 2
    assert state.collections == first_state.collections
    session = await after(session, "Account")
    assert (await session.state()).journal == ()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
async def test_random_writes_are_taken_back(orgs: EmulatedOrgs, number: int) -> None:
    """Whatever sequence of writes to related records there was, the whole stored state is equal afterwards."""
    chance = random.Random(number)
    session = await session_of(orgs, "Account", "Contact", "Case", "Opportunity")
    before = await export(session)
    for _ in range(chance.randrange(1, 20)):
        await write(session.org.client, chance)
    session = await after(session, "Account", "Contact", "Case", "Opportunity")
    assert session.reset.layer in ("snapshot", "clean"), session.reset.reason
    assert await export(session) == before


async def write(client: OrgClient, chance: random.Random) -> None:
    """Write a record of four objects that point to each other."""
    accounts = [row["Id"] for row in await client.query("SELECT Id FROM Account ORDER BY Id")]
    account = chance.choice([None, *accounts])
    fields: dict[str, dict[str, Any]] = {
        "Account": {
            "Name": f"A{chance.random()}",
            "ParentId": None,
            "Industry": chance.choice(["Banking", None]),
        },
        "Contact": {"LastName": f"C{chance.random()}", "AccountId": account},
        "Case": {"Subject": f"S{chance.random()}", "AccountId": account},
        "Opportunity": {
            "Name": f"O{chance.random()}",
            "StageName": "Prospecting",
            "CloseDate": "2026-11-11",
        },
    }
    object = chance.choice(list(fields))
    known = [row["Id"] for row in await client.query(f"SELECT Id FROM {object} ORDER BY Id")]
    with suppress(OrgError):  # the org keeps what others need
        match chance.choice(["create", "update", "delete"]):
            case "create":
                await client.create(object, fields[object])
            case "update" if known:
                await client.update(object, chance.choice(known), fields[object])
            case "delete" if known:
                await client.delete(object, chance.choice(known))


def component(name: str, *values: str) -> dict[str, str]:
    """Return the step of a setup that deploys a standard value set."""
    entries = "".join(
        f"<standardValue><fullName>{one}</fullName><default>false</default></standardValue>" for one in values
    )
    inside = f"<sorted>false</sorted>{entries}"
    text = f'<StandardValueSet xmlns="http://soap.sforce.com/2006/04/metadata">{inside}</StandardValueSet>'
    path = f"standardValueSets/{name}.standardValueSet"
    return {"deploy": "StandardValueSet", "name": name, "path": path, "text": text}


async def test_a_task_s_setup_is_there_from_the_first_state_on(orgs: EmulatedOrgs) -> None:
    """What a setup deploys is no change of the episode, and the next reset takes it back."""
    resource = "metadata/StandardValueSet/CaseStatus"
    session = await session_of(orgs, resource)
    before = await export(session)
    await session.prepare([component("CaseStatus", "New", "Closed")])
    first = await session.state()
    values = first.collections["metadata/StandardValueSet"]["CaseStatus"]["standardValue"]
    assert [one["fullName"] for one in values] == ["New", "Closed"]
    assert Evidence(first, await session.state()).journal == ()
    session = await after(session, resource)
    assert (session.reset.layer, session.reset.reason) == ("snapshot", None)
    assert await export(session) == before


async def test_a_setup_that_the_org_refuses_fails_the_task(orgs: EmulatedOrgs) -> None:
    """Components that cannot be deployed are the task's fault, not the environment's."""
    session = await session_of(orgs)
    with pytest.raises(CheckerFailure, match="refuses the task's setup"):
        await session.prepare([component("NoSuchSet", "New")])
    await session.close()
