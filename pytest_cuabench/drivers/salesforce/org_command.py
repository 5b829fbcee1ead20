"""`cuabench org`: snapshot a live Salesforce org, list its changes, and revert them."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_cuabench.drivers.salesforce.difference import describe_change, difference
from pytest_cuabench.drivers.salesforce.journal import Journal, state_folder
from pytest_cuabench.drivers.salesforce.live import LiveOrg, Sharing
from pytest_cuabench.drivers.salesforce.login import org_address
from pytest_cuabench.drivers.salesforce.opening import org_client
from pytest_cuabench.drivers.salesforce.plan import reset_plan
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.resources import BUSINESS, Watched
from pytest_cuabench.drivers.salesforce.safety import require_permission, require_sandbox
from pytest_cuabench.drivers.salesforce.snapshot import Snapshot
from pytest_cuabench.errors import EnvironmentFailure

HELP = "Snapshot a live Salesforce org, plan a reset (dry run), or reset it to the snapshot."
_NAME = "by-hand"
_NOTHING = "nothing to reset in the org at {}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("what", choices=("snapshot", "plan", "reset"), help="the action")
    parser.add_argument("url", help="URL of the org, such as https://my-org.my.salesforce.com")
    parser.add_argument(
        "--resources",
        metavar="LIST",
        help="for snapshot: objects and metadata types, such as Account,metadata/StandardValueSet/LeadStatus "
        "(default: the standard business objects, and what Setup creates)",
    )
    parser.add_argument(
        "--cua-allow-reset", dest="allowed", action="store_true", help="for reset: allow writing to the org"
    )


def run(options: argparse.Namespace) -> int:
    """Run the action and print its result.

    Raises:
        SettingError: The URL is not an org, or writing to it is not allowed.
        EnvironmentFailure: The org does not answer, or could not be reset.
    """
    address = org_address(options.url)
    if options.what == "reset":
        require_permission(options.allowed, address)
    for line in asyncio.run(_done(options.what, address, options.resources, options.allowed)):
        sys.stdout.write(f"{line}\n")
    return 0


async def _done(what: str, address: str, resources: str | None, allowed: bool) -> Sequence[str]:
    client = org_client(address)
    try:
        await client.connect()
        about = await client.organization()
        require_sandbox(about, address)
        org = LiveOrg(client, Sharing(f"{_NAME}/main", allowed=allowed))
        journal = Journal(state_folder(str(about["Id"])))
        if what == "snapshot":
            return await _snapshot(org, journal, str(about["Id"]), resources)
        if what == "plan":
            return await _plan(org, journal, str(about["Id"]))
        await org.connect()  # this also resets unfinished episodes
        lines = [f"{org.finished} open episodes of {address} were reset"]
        return [*(lines if org.finished else [_NOTHING.format(address)]), *_unread_lines(org.unread)]
    finally:
        await client.close()


async def _snapshot(org: LiveOrg, journal: Journal, id: str, resources: str | None) -> list[str]:
    """Take the snapshot for a later plan or reset."""
    if journal.unfinished():
        raise EnvironmentFailure(
            f"the org at {org.address} has to be reset to an earlier snapshot first; type: "
            f"cuabench org reset {org.address}"
        )
    declared = Watched.of(resources.split(",") if resources else BUSINESS)
    watched = replace(declared if resources else declared.with_setup(), required=frozenset())
    taken = await Reader(org.client, id, journal.retired()).read(watched)
    opened = journal.open(f"{_NAME}/{taken.taken}", taken, watched)
    counted = sum(len(rows) for rows in taken.collections().values())
    return [f"{counted} records and components of {len(taken.collections())} kinds are in {opened.snapshot}"]


async def _plan(org: LiveOrg, journal: Journal, id: str) -> list[str]:
    lines: list[str] = []
    for opened in journal.unfinished():
        before = Snapshot.load(opened.snapshot)
        reader = Reader(org.client, id, journal.retired())
        now = await reader.read(opened.wanted)
        lines += [f"{opened.name}, since {before.taken}", *_plan_lines(before, now, reader)]
    return lines or [_NOTHING.format(org.address)]


def _plan_lines(before: Snapshot, now: Snapshot, reader: Reader) -> Iterator[str]:
    changes = difference(before, now, reader.described)
    yield f"  {len(changes)} changes"
    for change in changes:
        yield from (f"    {line}" for line in describe_change(change, before, now, reader.described))
    plan = reset_plan(before, now, reader.described, changes)
    yield f"  {len(plan.steps)} steps"
    yield from (f"    {step}" for step in plan.steps)
    yield from (f"    not reset: {sentence}" for sentence in plan.left_alone)
    yield from _unread_lines(plan.unread)


def _unread_lines(sentences: Iterable[str]) -> Iterator[str]:
    """Yield changes that cannot be reset, because snapshots lack their content."""
    yield from (f"    cannot be reset: {sentence}" for sentence in sentences)
