"""A live org: opened for one episode at a time, and brought back after it, whatever becomes of us meanwhile.

Before an agent may touch anything a snapshot lies on the disk and the journal says that the org is open. Workers of
one run share the org by locks on what their tasks declare; a worker that is alone watches all everyday objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.journal import Journal, Open, state_folder
from pytest_cuabench.drivers.salesforce.locks import OrgLocks
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.refusals import Refusal
from pytest_cuabench.drivers.salesforce.reset import Restored, Restorer
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.safety import org_hosts, refuse_production, refuse_unasked
from pytest_cuabench.drivers.salesforce.snapshot import METADATA, Snapshot
from pytest_cuabench.environment import Reset
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.evidence import State

MACHINE = "live org"
TIER = "real"  # of what is played here, whatever tasks say of the emulator
_HOME = "/lightning/page/home"


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a worker shares an org.

    Attributes:
        name: Of the run and the worker, unlike that of any other.
        alone: Whether no other worker of the run plays in it.
        allowed: Whether the user said that the org may be written to.
        folder: Where journals lie; below the user's state folder where None.
    """

    name: str
    alone: bool = True
    allowed: bool = False
    folder: Path | None = None


class LiveOrg:
    """One org with its journal: opened, compared, brought back."""

    def __init__(self, client: OrgClient, sharing: Sharing) -> None:
        self.client, self._sharing = client, sharing
        self.org = ""
        self._journal: Journal | None = None

    @property
    def address(self) -> str:
        """Where it is."""
        return self.client.transport.address

    @property
    def journal(self) -> Journal:
        """The org's journal; `connect` comes first."""
        if self._journal is None:
            raise EnvironmentFailure(f"the org at {self.address} is not connected yet")
        return self._journal

    async def connect(self) -> None:
        """Sign in, see that the org may be played in, and finish what an interrupted run left.

        Raises:
            SettingError: It is in production, or nobody allowed it.
            EnvironmentFailure: Another run plays in it, or it cannot be brought back.
        """
        if self._journal is not None:
            return
        refuse_unasked(self._sharing.allowed, self.address)
        await self.client.connect()
        about = await self.client.organization()
        refuse_production(about, self.address)
        self.org = str(about["Id"])
        self._journal = Journal(self._sharing.folder or state_folder(self.org))
        await self.finish()

    def locks(self) -> OrgLocks:
        """Return locks on parts of the org."""
        return OrgLocks(self.journal.folder)

    async def open(self, name: str, watched: Watched) -> tuple[Snapshot, Open]:
        """Take a snapshot and note that the org is to be brought back to it."""
        baseline = await self.reader().read(watched)
        return baseline, self.journal.open(name, baseline, watched.collections)

    async def bring_back(self, opened: Open, watched: Watched | None = None) -> Restored:
        """Bring the org back to what an episode began with, and close the episode.

        Raises:
            EnvironmentFailure: Something is left; the episode stays open.
        """
        baseline = Snapshot.load(opened.snapshot)
        reader, wanted = self.reader(), watched or _watched(opened)
        restorer = Restorer(
            self.client, reader, lambda: reader.read(wanted), baseline, self.journal, opened.name
        )
        restored = await restorer.restore()
        if restored.left:
            more = f" (and {len(restored.left) - 1} more)" if len(restored.left) > 1 else ""
            raise EnvironmentFailure(
                f"the org at {self.address} could not be brought back: {restored.left[0]}{more}; "
                f"see: cuabench org plan {self.address}"
            )
        self.journal.close(opened.name)
        return restored

    async def finish(self) -> None:
        """Bring the org back to where interrupted episodes began, the newest first.

        Raises:
            EnvironmentFailure: A run that lives, or one that cannot be seen from here, has an episode open.
        """
        for opened in reversed(self.journal.unfinished()):
            if self._beside(opened):
                continue
            locks = self.locks()
            await locks.take(opened.watched)
            try:
                await self.bring_back(opened)
            finally:
                locks.release()

    def _beside(self, opened: Open) -> bool:
        """Whether an episode is that of a worker of this run who plays beside us.

        Raises:
            EnvironmentFailure: It is that of another run, which lives or cannot be seen from here.
        """
        if opened.name.startswith(f"{self._sharing.name}/") or opened.owner.lives() is False:
            return False
        if opened.name.partition("/")[0] == self._sharing.name.partition("/")[0]:
            return True
        raise EnvironmentFailure(
            f"another run plays in the org at {self.address} ({opened.name}, process {opened.owner.pid}); "
            "wait for its end"
        )

    def reader(self) -> Reader:
        """Return a reader that passes over users who are of no account."""
        return Reader(self.client, self.org, self.journal.retired())

    async def front_door(self) -> str:
        """Return a link that signs a browser in.

        Raises:
            EnvironmentFailure: The org does not let this token into its pages.
        """
        try:
            told = await self.client.transport.rest(
                "GET", "/services/oauth2/singleaccess", params={"redirect_uri": _HOME}
            )
            return str(told["frontdoor_uri"])
        except Refusal:  # an older org, or a token that came from SOAP: the token itself is the key
            grant = await self.client.transport.grant()
            return f"{grant.instance}/secur/frontdoor.jsp?sid={quote(grant.token)}&retURL={quote(_HOME)}"


@dataclass
class LiveSession:
    """One episode in a live org."""

    org: LiveOrg
    opened: Open
    watched: Watched
    locks: OrgLocks
    baseline: Snapshot
    start_url: str
    zone: str
    _fresh: bool = True

    @property
    def origin(self) -> str:
        """The org's own origin."""
        return self.org.address

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that the org's pages come from."""
        return org_hosts(self.org.address) if self.org.address.startswith("https:") else ()

    async def state(self) -> State:
        """Return what the watched objects and metadata types hold; at first that is what the snapshot says."""
        now = self.baseline if self._fresh else await self.org.reader().read(self.watched)
        self._fresh = False
        return State(now.collections(), clock=_local(now.taken, self.zone))

    async def revision(self) -> int | None:
        """Return None: what it would take to know is as much as to read the state."""
        return None

    async def close(self) -> None:
        """Bring the org back and let others have it.

        Raises:
            EnvironmentFailure: It could not be brought back; it stays open, and the next episode begins with that.
        """
        try:
            await self.org.bring_back(self.opened, self.watched)
        finally:
            self.locks.release()


class LiveOrgs:
    """A source of sessions in one live org.

    Attributes:
        resources: What the task that is opened next declares.
        last_reset: How the org of the last session was found.
    """

    seconds = 600.0

    def __init__(self, org: LiveOrg, sharing: Sharing) -> None:
        self.resources: tuple[str, ...] = ()
        self.last_reset: Reset | None = None
        self._org, self._sharing = org, sharing
        self._count = 0

    async def open(self, application: str, seed: int) -> LiveSession:
        """Return a session in the org, once nobody else touches what the task touches.

        Raises:
            SettingError: The org may not be played in.
            EnvironmentFailure: It does not answer, or could not be brought back.
        """
        if seed:
            raise SettingError(f"a live org holds what it holds and has no seeds; leave out seed {seed}")
        await self._org.connect()
        await self._org.finish()
        watched = self._watched()
        locks = self._org.locks()
        await locks.take(watched.collections, exclusive=watched.exclusive or self._sharing.alone)
        try:
            self._count += 1
            name = f"{self._sharing.name}/{self._count}"
            baseline, opened = await self._org.open(name, watched)
            self.last_reset = Reset(MACHINE, "clean", tier=TIER)
            door, zone = await self._org.front_door(), await self._org.client.zone()
        except BaseException:
            locks.release()
            raise
        return LiveSession(self._org, opened, watched, locks, baseline, door, zone)

    async def close(self) -> None:
        """Finish what this worker left open, and end the connections."""
        try:
            if self._count:
                await self._org.finish()
        finally:
            await self._org.client.close()

    def _watched(self) -> Watched:
        declared = Watched.of(self.resources)
        whole = self._sharing.alone or declared.exclusive
        return declared.with_business() if whole else declared


def _watched(opened: Open) -> Watched:
    """Return what a journal says was watched; of a metadata type all that the snapshot holds."""
    kinds = Snapshot.load(opened.snapshot).components
    objects = frozenset(name for name in opened.watched if not name.startswith(METADATA))
    return Watched(objects, {kind: tuple(table) for kind, table in kinds.items()})


def _local(moment: str, zone: str) -> str:
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)).isoformat(timespec="seconds")
