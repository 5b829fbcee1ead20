"""A live org: opened for one episode at a time, and reset after it, even if the process dies meanwhile.

Before an agent may write, a snapshot is on disk and the journal marks the org as open. Workers of one run share the
org by locks on the resources of their tasks; a single worker watches all standard business objects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pytest_cuabench.drivers.salesforce.audit import reverted_writes
from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import DEFAULTS, new_records
from pytest_cuabench.drivers.salesforce.difference import Describes
from pytest_cuabench.drivers.salesforce.environment import deploy
from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.journal import Journal, OpenEpisode, state_folder
from pytest_cuabench.drivers.salesforce.locks import OrgLocks
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.reset import ResetResult, Resetter
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.safety import org_hosts, require_permission, require_sandbox
from pytest_cuabench.drivers.salesforce.snapshot import Snapshot
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.evidence import State, Write
from pytest_cuabench.task.machine import Reset

MACHINE = "live org"
TIER = "real"  # overrides the tier that tasks declare for the emulator
_JOBS = "JobType IN ('Future', 'Queueable', 'BatchApex', 'BatchApexWorker')"
_OPEN = "Status IN ('Holding', 'Queued', 'Preparing', 'Processing')"
_HOME = "/lightning/page/home"


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a worker shares an org.

    Attributes:
        name: Unique name of the run and worker.
        alone: Whether this is the run's only worker in the org.
        allowed: Whether the user allowed writes to the org.
        folder: The folder of journals; None for the user's state folder.
    """

    name: str
    alone: bool = True
    allowed: bool = False
    folder: Path | None = None


class LiveOrg:
    """One org with its journal: snapshot, compare and reset.

    Attributes:
        finished: Number of interrupted episodes that were reset.
        unread: Sentences on changes that the last reset left, because snapshots lack their content.
    """

    def __init__(self, client: OrgClient, sharing: Sharing) -> None:
        self.client, self._sharing = client, sharing
        self.org, self.finished = "", 0
        self.unread: tuple[str, ...] = ()
        self._journal: Journal | None = None

    @property
    def address(self) -> str:
        """The org's URL."""
        return self.client.transport.address

    @property
    def journal(self) -> Journal:
        """The org's journal; available after `connect`."""
        if self._journal is None:
            raise EnvironmentFailure(f"the org at {self.address} is not connected yet")
        return self._journal

    async def connect(self) -> None:
        """Sign in, check that the org may be written to, and finish interrupted resets.

        Raises:
            SettingError: It is a production org, or writing is not allowed.
            EnvironmentFailure: Another run uses it, or it cannot be reset.
        """
        if self._journal is not None:
            return
        require_permission(self._sharing.allowed, self.address)
        await self.client.connect()
        about = await self.client.organization()
        require_sandbox(about, self.address)
        self.org = str(about["Id"])
        self._journal = Journal(self._sharing.folder or state_folder(self.org))
        await self.finish()

    def locks(self) -> OrgLocks:
        """Return new locks on the org's resources."""
        return OrgLocks(self.journal.folder)

    async def open(self, name: str, watched: Watched) -> tuple[Snapshot, OpenEpisode]:
        """Take a snapshot, and open an episode in the journal."""
        baseline = await self.reader().read(watched)
        return baseline, self.journal.open(name, baseline, watched)

    async def reset(self, opened: OpenEpisode) -> ResetResult:
        """Reset the org to an episode's snapshot, and close the episode.

        Raises:
            EnvironmentFailure: A change remains; the episode stays open.
        """
        baseline = Snapshot.load(opened.snapshot)
        reader = self.reader()
        restorer = Resetter(
            self.client, reader, lambda: reader.read(opened.wanted), baseline, self.journal, opened.name
        )
        restored = await restorer.restore()
        if restored.left:
            more = f" (and {len(restored.left) - 1} more)" if len(restored.left) > 1 else ""
            raise EnvironmentFailure(
                f"cannot reset the org at {self.address}: {restored.left[0]}{more}; "
                f"see: cuabench org plan {self.address}"
            )
        self.journal.close(opened.name, restored.unread)
        self.unread = restored.unread
        return restored

    async def finish(self) -> int:
        """Reset the org to the snapshots of interrupted episodes, newest first, and return their number.

        If another process does the same, the second one waits and finds the episode closed.

        Raises:
            EnvironmentFailure: A run that is alive, or on another computer, has an episode open.
        """
        count = 0
        for opened in reversed(self.journal.unfinished()):
            if self._is_coworker(opened):
                continue
            locks = self.locks()
            await locks.take(opened.watched)
            try:
                # Another process may have reset it while the locks were waited for.
                if self.journal.is_open(opened.name):
                    await self.reset(opened)
                    count += 1
            finally:
                locks.release()
        self.finished += count
        return count

    def _is_coworker(self, opened: OpenEpisode) -> bool:
        """Whether an open episode belongs to another worker of this run.

        Raises:
            EnvironmentFailure: It belongs to another run that is alive or on another computer.
        """
        if opened.name.startswith(f"{self._sharing.name}/") or opened.owner.lives() is False:
            return False
        if opened.name.partition("/")[0] == self._sharing.name.partition("/")[0]:
            return True
        raise EnvironmentFailure(
            f"another run uses the org at {self.address} ({opened.name}, process {opened.owner.pid}); "
            "wait until it ends"
        )

    def reader(self) -> Reader:
        """Return a reader that ignores deactivated test users and reads modification stamps."""
        return Reader(self.client, self.org, self.journal.retired(), stamped=True)

    async def front_door(self) -> str:
        """Return a link that signs a browser in.

        Raises:
            EnvironmentFailure: The org accepts this token for its API only.
        """
        try:
            reply = await self.client.transport.rest(
                "GET", "/services/oauth2/singleaccess", params={"redirect_uri": _HOME}
            )
            return str(reply["frontdoor_uri"])
        except OrgError:  # an older org, or a token from SOAP login: use the token itself
            grant = await self.client.transport.grant()
            return f"{grant.instance}/secur/frontdoor.jsp?sid={quote(grant.token)}&retURL={quote(_HOME)}"


@dataclass
class LiveSession:
    """One episode in a live org.

    Attributes:
        reset: How the org was reset for it.
    """

    org: LiveOrg
    reset: Reset
    opened: OpenEpisode
    watched: Watched
    locks: OrgLocks
    baseline: Snapshot
    start_url: str
    zone: str
    user: str
    described: Describes
    _first_read: bool = True
    _prepared: bool = False
    _reported_before: Sequence[Write] = ()

    @property
    def origin(self) -> str:
        """The org's own origin."""
        return self.org.address

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that the org's pages come from."""
        return org_hosts(self.org.address) if self.org.address.startswith("https:") else ()

    async def prepare(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """See `OrgSession.prepare`."""
        self._prepared = True
        await deploy(self.org.client, steps)

    async def state(self) -> State:
        """Return the watched objects and metadata types; the first call returns the snapshot where nothing was set up.

        The journal has the reverted writes that the org still reports, which are not all: see `reverted_writes`.
        """
        first_read, self._first_read = self._first_read, False
        # Nobody has acted since the snapshot; another reading would only cost API calls.
        unread = first_read and not self._prepared
        now = self.baseline if unread else await self.org.reader().read(self.watched)
        whole = bool(self.watched.listed)
        reverted = await reverted_writes(self.org.client, self.baseline, now, self.described, setup=whole)
        if first_read:
            self._reported_before = reverted
        journal = [write for write in reverted if write not in self._reported_before]
        held = {**now.collections(), DEFAULTS: new_records(self.described, self.user)}
        return State(held, tuple(journal), clock=_local(now.taken, self.zone))

    async def revision(self) -> int | None:
        """Return None: a revision costs as much as reading the state."""
        return None

    async def idle(self) -> tuple[str, ...] | None:
        """Return the Apex jobs that began in the episode and have not ended: queueable, future and batch.

        None where the org does not show them to this user.
        """
        try:
            jobs = await self.org.client.query(
                "SELECT JobType, Status FROM AsyncApexJob "  # noqa: S608 - constants and the org's own time
                f"WHERE CreatedDate >= {self.baseline.taken} AND {_JOBS} AND {_OPEN}"
            )
        except OrgError:
            return None
        return tuple(f"{job['JobType']} job ({job['Status']})" for job in jobs)

    async def close(self) -> None:
        """Reset the org and release it.

        Raises:
            EnvironmentFailure: It could not be reset; it stays open, and the next episode retries the reset.
        """
        try:
            await self.org.reset(self.opened)
        finally:
            self.locks.release()


class LiveOrgs:
    """A source of sessions in one live org, one at a time."""

    seconds = 600.0

    def __init__(self, org: LiveOrg, sharing: Sharing) -> None:
        self._org, self._sharing = org, sharing
        self._count = 0

    async def open(self, application: str, seed: int, resources: Sequence[str] = ()) -> LiveSession:
        """Return a session in the org, after locking the task's resources.

        Args:
            resources: The declared resources of the task.

        Raises:
            SettingError: The org is not allowed for tests.
            EnvironmentFailure: It does not answer, or could not be reset.
        """
        if seed:
            raise SettingError(f"a live org has no seeds; drop seed {seed}")
        await self._org.connect()
        await self._org.finish()
        watched = self._watched(resources)
        locks = self._org.locks()
        await locks.take(watched.collections, exclusive=watched.exclusive or self._sharing.alone)
        try:
            self._count += 1
            name = f"{self._sharing.name}/{self._count}"
            baseline, opened = await self._org.open(name, watched)
            reset = Reset(MACHINE, "clean", "; ".join(self._org.unread) or None, tier=TIER)
            door, (user, zone) = await self._org.front_door(), await self._org.client.user()
            described = await self._org.client.describe(baseline.records)
        except BaseException:
            locks.release()
            raise
        return LiveSession(self._org, reset, opened, watched, locks, baseline, door, zone, user, described)

    async def close(self) -> None:
        """Reset this worker's open episodes, and close the connections."""
        try:
            if self._count:
                await self._org.finish()
        finally:
            await self._org.client.close()

    def _watched(self, resources: Sequence[str]) -> Watched:
        declared = Watched.of(resources)
        whole = self._sharing.alone or declared.exclusive
        return declared.with_business().with_setup() if whole else declared


def _local(moment: str, zone: str) -> str:
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)).isoformat(timespec="seconds")
