"""What it costs to bring an org of the emulator back by difference, through its real interfaces.

    ordinary   one to four writes, as most tasks make them
    invasive   the ten most invasive sequences: families of records, cascades, renamed picklists, administration
    screenshot a whole reset in a browser, with the state before, up to the first screenshot, after an episode that
               wrote nothing
    prepared   the state and the first screenshot of an org that was reset a second ago, as `--cua-at-once` resets the
               next one

Each ordinary and invasive reset ends with the fingerprint of the whole org being equal to that of a new one; where it
is not, the org is recreated, which is told as `recreate` with the reason. `--journal FILE` keeps what each reset did,
one line a step. The goal of the screenshot is for a machine that does nothing else; the CPU time is that of this
process and of all below it, and depends less on what else runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cpu import Processor

from pytest_cuabench.drivers.chromium import Chromium
from pytest_cuabench.drivers.salesforce import emulated
from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.environment import OrgEnvironment
from pytest_cuabench.drivers.salesforce.plan import Step
from pytest_cuabench.drivers.salesforce.reset import NullListener
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.parts import Scope

GOAL = 0.25  # seconds of a reset up to the first screenshot
Deed = Callable[[OrgClient], Awaitable[object]]


async def ids(client: OrgClient, object: str, where: str = "Id != null", limit: int = 1) -> list[str]:
    """Return ids of records."""
    found = await client.query(f"SELECT Id FROM {object} WHERE {where} ORDER BY Id LIMIT {limit}")
    return [row["Id"] for row in found]


async def one_account(client: OrgClient) -> None:
    await client.create("Account", {"Name": "Newco"})


async def account_and_contact(client: OrgClient) -> None:
    account = await client.create("Account", {"Name": "Newco"})
    await client.create("Contact", {"LastName": "Newman", "AccountId": account})


async def case_edited(client: OrgClient) -> None:
    await client.update("Case", (await ids(client, "Case"))[0], {"Status": "Working", "Priority": "High"})


async def stage_and_task(client: OrgClient) -> None:
    deal = (await ids(client, "Opportunity"))[0]
    await client.update("Opportunity", deal, {"StageName": "Closed Lost"})
    await client.create("Task", {"Subject": "Call", "WhatId": deal})


async def campaign_with_leads(client: OrgClient) -> None:
    campaign = await client.create("Campaign", {"Name": "Spring"})
    rows = [
        {"CampaignId": campaign, "LeadId": lead}
        for lead in await ids(client, "Lead", "IsConverted = false", 15)
    ]
    await client.create_many("CampaignMember", rows)


async def company(client: OrgClient) -> None:
    for number in range(10):
        account = await client.create("Account", {"Name": f"Holding {number}"})
        await client.create_many("Contact", [{"LastName": f"P{n}", "AccountId": account} for n in range(5)])
        deal = {"Name": "Deal", "StageName": "Prospecting", "CloseDate": "2026-12-01", "AccountId": account}
        await client.create_many("Opportunity", [deal, deal])


async def many_changes(client: OrgClient) -> None:
    for object, fields in (
        ("Account", {"Phone": "555", "Description": "touched"}),
        ("Contact", {"Email": None, "Title": "Touched"}),
        ("Lead", {"Company": "Touched"}),
        ("Case", {"Subject": "Touched"}),
    ):
        await client.update_many(object, dict.fromkeys(await ids(client, object, limit=40), fields))


async def accounts_deleted(client: OrgClient) -> None:
    await client.delete_many(await ids(client, "Account", limit=40))


async def leads_and_cases_deleted(client: OrgClient) -> None:
    await client.delete_many([*await ids(client, "Lead", limit=40), *await ids(client, "Case", limit=40)])


async def administration(client: OrgClient) -> None:
    for number in range(5):
        group = await client.create(
            "Group", {"Name": f"G{number}", "DeveloperName": f"G{number}", "Type": "Regular"}
        )
        for user in await ids(client, "User", "IsActive = true", 4):
            await client.create("GroupMember", {"GroupId": group, "UserOrGroupId": user})
    top = await client.create("UserRole", {"Name": "Top", "DeveloperName": "Top"})
    await client.create("UserRole", {"Name": "Below", "DeveloperName": "Below", "ParentRoleId": top})


async def permissions(client: OrgClient) -> None:
    group = await client.create("PermissionSetGroup", {"MasterLabel": "All", "DeveloperName": "All"})
    for chosen in await ids(client, "PermissionSet", "IsOwnedByProfile = false AND Type != 'Group'", 4):
        await client.create(
            "PermissionSetGroupComponent", {"PermissionSetGroupId": group, "PermissionSetId": chosen}
        )


async def picklist(client: OrgClient) -> None:
    found = (await client.metadata.retrieve({"StandardValueSet": ["Product2Family"]}))["StandardValueSet"]
    one = found["Product2Family"]
    added = (
        "<standardValue><fullName>Toys</fullName><default>false</default><label>Toys</label></standardValue>"
    )
    text = one.text.replace("</StandardValueSet>", f"{added}</StandardValueSet>")
    new = {"StandardValueSet": {"Product2Family": type(one)(one.tree, one.path, text, one.created)}}
    await client.metadata.deploy(new, {})
    await client.create("Product2", {"Name": "Doll", "Family": "Toys"})


async def lead_converted(client: OrgClient) -> None:
    status = await client.query("SELECT ApiName FROM LeadStatus WHERE IsConverted = true")
    await client.convert((await ids(client, "Lead", "IsConverted = false"))[0], status[0]["ApiName"])


async def everything(client: OrgClient) -> None:
    for deed in (company, many_changes, leads_and_cases_deleted, administration, permissions):
        await deed(client)


ORDINARY: tuple[Deed, ...] = (one_account, account_and_contact, case_edited, stage_and_task)
INVASIVE: tuple[Deed, ...] = (
    *(campaign_with_leads, company, many_changes, accounts_deleted, leads_and_cases_deleted),
    *(administration, permissions, picklist, lead_converted, everything),
)


class Notes(NullListener):
    """Keeps the lines of a reset."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def end(self, name: str, step: Step, problem: str | None = None) -> None:
        """Note how a step ended."""
        self.lines.append({"act": step.act, "object": step.object, "name": step.name, "problem": problem})


async def measured(orgs: emulated.EmulatedOrgs, deed: Deed) -> tuple[float, str]:
    """Do something to an org and return how long it took to have it back."""
    resources = ("Product2", "metadata/StandardValueSet/Product2Family")
    session = await orgs.open("sales", 0, resources)
    await deed(session.org.client)
    await session.close()
    start = time.perf_counter()
    session = await orgs.open("sales", 0, resources)
    seconds = time.perf_counter() - start
    await session.close()
    reason = f": {session.reset.reason}" if session.reset.reason else ""
    return seconds, session.reset.layer + reason


async def first_screenshots(
    orgs: emulated.EmulatedOrgs, turns: int, pause: float = 0.0
) -> tuple[list[float], list[float]]:
    """Return seconds and CPU seconds of resets in a browser up to the first screenshot; after a pause, from its end."""
    browser, processor = Chromium(), Processor()
    task = SimpleNamespace(application="sales", scope=Scope(), setup=lambda seed: ())
    instance: Any = SimpleNamespace(task=task, seed=0)
    seconds, worked = [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = OrgEnvironment(browser, orgs, Size(1280, 720), downloads=Path(folder))
        try:
            for turn in range(turns + 1):
                start, before = time.perf_counter(), processor.spent()
                await environment.reset(instance)
                if pause:
                    await asyncio.sleep(pause)
                    start, before = time.perf_counter(), processor.spent()
                await environment.state()
                await environment.revision()
                await environment.observe("screenshot")
                if turn:  # the first one starts the browser
                    seconds.append(time.perf_counter() - start)
                    worked.append(processor.spent() - before)
        finally:
            await environment.close()
            await browser.close()
    return seconds, worked


async def main(turns: int, journal: Path | None) -> None:
    """Measure and print."""
    notes = Notes()
    emulated.NullListener = lambda: notes  # type: ignore[assignment, misc]
    world = World(find_world("salesforce"))
    orgs = emulated.EmulatedOrgs(world)
    lines: list[dict[str, Any]] = []
    try:
        ordinary: list[float] = []
        for turn in range(turns + 1):
            for deed in ORDINARY:
                seconds, layer = await measured(orgs, deed)
                assert layer == "snapshot", layer
                ordinary += [seconds] if turn else []  # the first turn warms up
        ordinary.sort()
        p95 = ordinary[int(0.95 * (len(ordinary) - 1))]
        print(
            f"ordinary   n={len(ordinary)}  p50 {1000 * statistics.median(ordinary):.0f} ms  p95 {1000 * p95:.0f} ms"
        )
        for deed in INVASIVE:
            notes.lines.clear()
            seconds, layer = await measured(orgs, deed)
            print(
                f"invasive   {deed.__name__:26} {1000 * seconds:6.0f} ms  {len(notes.lines):4} steps  {layer}"
            )
            lines += [{"sequence": deed.__name__, **line} for line in notes.lines]
        for name, pause in (("screenshot", 0.0), ("prepared", 1.0)):
            seconds, worked = await first_screenshots(orgs, turns, pause)
            p95 = statistics.quantiles(seconds, n=20, method="inclusive")[-1]
            print(
                f"{name:10} n={len(seconds)}  p50 {1000 * statistics.median(seconds):.0f} ms  p95 {1000 * p95:.0f} ms  "
                f"least {1000 * min(seconds):.0f} ms (goal {1000 * GOAL:.0f} ms)  "
                f"CPU p50 {1000 * statistics.median(worked):.0f} ms  load {os.getloadavg()[0]:.1f}"
            )
    finally:
        await orgs.close()
        await world.close()
    if journal:
        journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--journal", type=Path)
    given = parser.parse_args()
    asyncio.run(main(given.turns, given.journal))
