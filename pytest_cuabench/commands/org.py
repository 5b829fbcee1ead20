"""`cuabench org`: look at a live Salesforce org before and after: a snapshot, what changed, what would revert it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence

from pytest_cuabench.drivers.salesforce.difference import difference, told
from pytest_cuabench.drivers.salesforce.journal import Journal, state_folder
from pytest_cuabench.drivers.salesforce.live import LiveOrg, Sharing
from pytest_cuabench.drivers.salesforce.login import org_address
from pytest_cuabench.drivers.salesforce.opening import org_client
from pytest_cuabench.drivers.salesforce.plan import revert_plan
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.resources import BUSINESS, Watched
from pytest_cuabench.drivers.salesforce.safety import refuse_production, refuse_unasked
from pytest_cuabench.drivers.salesforce.snapshot import Snapshot
from pytest_cuabench.errors import EnvironmentFailure

HELP = "A live Salesforce org: take a snapshot, plan what brings it back (a dry run), or bring it back."
_NAME = "by-hand"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what to do, with which org, and what to look at."""
    parser.add_argument("what", choices=("snapshot", "plan", "reset"), help="what to do")
    parser.add_argument("url", help="the org, such as https://my-org.my.salesforce.com")
    parser.add_argument(
        "--resources",
        metavar="LIST",
        help="of a snapshot: objects and metadata types, such as Account,metadata/StandardValueSet/LeadStatus "
        "(default: the objects of everyday business)",
    )
    parser.add_argument(
        "--cua-allow-reset", dest="allowed", action="store_true", help="of a reset: the org may be written to"
    )


def run(options: argparse.Namespace) -> int:
    """Do it, and tell what was done.

    Raises:
        SettingError: The org may not be written to, or is none.
        EnvironmentFailure: It does not answer, or could not be brought back.
    """
    address = org_address(options.url)
    if options.what == "reset":
        refuse_unasked(options.allowed, address)
    for line in asyncio.run(_done(options.what, address, options.resources, options.allowed)):
        sys.stdout.write(f"{line}\n")
    return 0


async def _done(what: str, address: str, resources: str | None, allowed: bool) -> Sequence[str]:
    client = org_client(address)
    try:
        await client.connect()
        about = await client.organization()
        refuse_production(about, address)
        org = LiveOrg(client, Sharing(f"{_NAME}/main", allowed=allowed))
        journal = Journal(state_folder(str(about["Id"])))
        if what == "snapshot":
            return await _snapshot(org, journal, str(about["Id"]), resources)
        if what == "plan":
            return await _plan(org, journal, str(about["Id"]))
        before = len(journal.unfinished())
        await org.connect()  # which finishes whatever is open
        return [f"{before} open episodes of {address} were brought back"]
    finally:
        await client.close()


async def _snapshot(org: LiveOrg, journal: Journal, id: str, resources: str | None) -> list[str]:
    """Take a snapshot that a later plan or reset is made against."""
    if journal.unfinished():
        raise EnvironmentFailure(
            f"the org at {org.address} is to be brought back to an earlier snapshot first: "
            f"cuabench org reset {org.address}"
        )
    watched = Watched.of(resources.split(",")) if resources else Watched(frozenset(BUSINESS))
    taken = await Reader(org.client, id, journal.retired()).read(watched)
    opened = journal.open(f"{_NAME}/{taken.taken}", taken, watched.collections)
    counted = sum(len(rows) for rows in taken.collections().values())
    return [f"{counted} records and components of {len(taken.collections())} kinds are in {opened.snapshot}"]


async def _plan(org: LiveOrg, journal: Journal, id: str) -> list[str]:
    lines: list[str] = []
    for opened in journal.unfinished():
        before = Snapshot.load(opened.snapshot)
        reader = Reader(org.client, id, journal.retired())
        kinds = {kind: tuple(table) for kind, table in before.components.items()}
        now = await reader.read(Watched(frozenset(before.records), kinds))
        lines += [f"{opened.name}, since {before.taken}", *_told(before, now, reader)]
    return lines or [f"nothing of the org at {org.address} is to be brought back"]


def _told(before: Snapshot, now: Snapshot, reader: Reader) -> Iterator[str]:
    changes = difference(before, now, reader.described)
    yield f"  {len(changes)} changes"
    for change in changes:
        yield from (f"    {line}" for line in told(change, before, now, reader.described))
    plan = revert_plan(before, now, reader.described, changes)
    yield f"  {len(plan.steps)} steps"
    yield from (f"    {step}" for step in plan.steps)
    yield from (f"    left alone: {sentence}" for sentence in plan.left_alone)
