"""Orgs of the emulator: kept over episodes, reset by difference before each, and used by one episode at a time.

The client reads and writes as it does with a live org. The control socket adds only an optimization, which objects
changed, and the end of a reset: it compares the whole org with its start, and then takes back what no live org can,
its clock and stamps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import DEFAULTS, new_records
from pytest_cuabench.drivers.salesforce.environment import deploy
from pytest_cuabench.drivers.salesforce.login import Credentials
from pytest_cuabench.drivers.salesforce.metadata import IN_OBJECT
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.reset import NullListener, Resetter
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.snapshot import METADATA, Snapshot
from pytest_cuabench.drivers.salesforce.transport import Transport
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.evidence import State, Write
from pytest_cuabench.task.machine import Reset

if TYPE_CHECKING:
    from pytest_cuabench.drivers.worlds import World

MACHINE = "emulator"
MAX_IDLE = 4  # orgs; beyond it the least recently used one is dropped
# Metadata types that also show what is written to an object or another type.
_SHOWN_IN = {
    **dict.fromkeys((*IN_OBJECT, "schema"), frozenset({"CustomObject"})),
    "ListView": frozenset({"CustomObject", "ListView"}),
    "RecordType": frozenset({"CustomObject", "Profile", "RecordType"}),
}
_SECONDS = 10.0  # for a reset, after which the org is recreated
_HOME = "/lightning/page/home"


class ResetFailed(Exception):
    """Raised when an org could not be reset."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a session since a revision, as the control socket reports them."""

    revision: int
    failures: int
    clock: str
    touched: Mapping[str, list[str]]
    journal: Sequence[Mapping[str, Any]] = ()


@dataclass(eq=False)
class EmulatedOrg:
    """One org of the emulator with the client that reads it.

    Attributes:
        described: The control socket's description of the session.
        baseline: The parts of its initial content that were read.
        clean: The last revision at which the org was equal to it.
        names: The components that were read, by type; none named means all of the type.
        stale: The types to read again before a comparison for a reset, since others were written that they show.
    """

    world: World
    seed: int
    described: Mapping[str, Any]
    client: OrgClient
    reader: Reader
    baseline: Snapshot
    clean: int
    now: Snapshot
    seen: int
    failures: int = 0
    watched: Watched = field(default_factory=Watched)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)

    @classmethod
    async def begin(
        cls, world: World, seed: int, described: Mapping[str, Any], old: EmulatedOrg | None = None
    ) -> EmulatedOrg:
        """Connect to a new session; what was read of an `old` one with the same fingerprint is reused."""
        port = str(described["origin"]).rpartition(":")[2]
        given = Credentials(client_id=described["client_key"], client_secret=described["client_secret"])
        client = OrgClient(Transport(f"http://127.0.0.1:{port}", given))
        org = str(described["org_id"])
        reader = Reader(client, org)
        revision = int(described["revision"])
        if old is not None and old.described["fingerprint"] == described["fingerprint"]:
            reader.cache_descriptions(old.reader)
            made = cls(world, seed, described, client, reader, old.baseline, revision, old.baseline, revision)
            made.names = old.names
            return made
        empty = Snapshot(org, await client.now(), {})
        made = cls(world, seed, described, client, reader, empty, revision, empty, revision)
        await made.watch(Watched(await reader.queryable_objects()))
        return made

    async def watch(self, watched: Watched) -> None:
        """Watch further objects, and read them; the org must be clean."""
        objects = frozenset(await self.reader.existing(watched)) - self.baseline.records.keys()
        wanted = {kind: _both(self.names.get(kind), names) for kind, names in watched.components.items()}
        kinds = {kind: names for kind, names in wanted.items() if names != self.names.get(kind)}
        if objects or kinds:
            new = await self.reader.read(Watched(objects, kinds), self.baseline.taken)
            self.baseline = self.baseline.merged(new)
            self.now = self.now.merged(new)
            self.names = {**self.names, **kinds}
        self.watched = watched

    async def changes(self) -> Changes:
        """Return the changes since the last read."""
        return Changes(
            **await self.world.call("GET", f"/sessions/{self.described['id']}/changes?since={self.seen}")
        )

    async def idle(self) -> tuple[str, ...]:
        """Return what the world still does for the session."""
        return await self.world.idle(self.described["id"])

    async def journal(self) -> tuple[Write, ...]:
        """Return every write since the org was clean, reverted ones included."""
        query = f"since={self.clean}&journal=1"
        changes = Changes(**await self.world.call("GET", f"/sessions/{self.described['id']}/changes?{query}"))
        return tuple(Write(**one) for one in changes.journal)

    def defaults(self) -> dict[str, dict[str, Any]]:
        """Return the default values of new records, by watched object."""
        known = self.reader.described.items()
        described = {name: info for name, info in known if name in self.watched.objects}
        return new_records(described, str(self.described["user_id"]))

    async def read(self, *, whole: bool = False) -> Snapshot:
        """Return a snapshot; only changed objects are read again.

        Args:
            whole: Whether to read stale types, too: those that show what was written to others.
        """
        changes = await self.changes()
        for name in changes.touched:
            self.stale |= _SHOWN_IN.get(name.removeprefix(METADATA), frozenset()) & self.names.keys()
        if changes.touched or (whole and self.stale):
            objects, kinds = self._changed_parts(changes, whole)
            self.now = self.now.merged(await self.reader.read(Watched(objects, kinds), self.baseline.taken))
            self.stale -= kinds.keys()
        self.seen = changes.revision
        return self.now

    def _changed_parts(
        self, changes: Changes, whole: bool
    ) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
        """Return the objects and types to read again: those written, and those with calculated fields."""
        written = {name for name in changes.touched if not name.startswith(METADATA)}
        computed = {
            name
            for name, info in self.reader.described.items()
            if any(one.calculated for one in info.fields.values())
        }
        touched = {
            n.removeprefix(METADATA): keys for n, keys in changes.touched.items() if n.startswith(METADATA)
        }
        touched = {kind: [] for kind in (self.stale if whole else ())} | touched
        return frozenset(written | computed) & self.baseline.records.keys(), {
            kind: tuple(sorted({*self.names[kind], *keys})) if self.names[kind] else ()
            for kind, keys in touched.items()
            if kind in self.names
        }

    async def reset(self) -> Reset:
        """Revert all changes since the org was clean, verify it, and set back its clock, stamps and numbers.

        Raises:
            ResetFailed: A change remains.
        """
        if work := await self.idle():
            raise ResetFailed(f"work of the episode before has not ended: {', '.join(work)}")
        changes = await self.changes()
        if changes.failures > self.failures:
            raise ResetFailed("one of its pages raised an error")
        written = changes.revision != self.clean
        if written:
            restored = await Resetter(
                self.client, self.reader, partial(self.read, whole=True), self.baseline, NullListener()
            ).restore()
            if restored.left:
                raise ResetFailed(restored.left[0])
        rewound = await self.world.call("POST", f"/sessions/{self.described['id']}/rewind")
        if not rewound["equal"]:
            raise ResetFailed("some of its contents could not be restored")
        # The rewind numbers revisions anew.
        self.clean = self.seen = 0
        self.now = self.baseline
        self.stale.clear()
        return Reset(MACHINE, "snapshot" if written else "clean")

    async def front_door(self) -> str:
        """Return a link that signs a browser in once."""
        changes = await self.world.call(
            "POST", f"/sessions/{self.described['id']}/front-door", {"path": _HOME}
        )
        return str(changes["url"])

    async def close(self) -> None:
        """Close the client's connections; the world ends the session itself."""
        await self.client.close()


@dataclass(slots=True)
class EmulatedSession:
    """One episode in an org of the emulator.

    Attributes:
        reset: How the org was reset for it.
    """

    orgs: EmulatedOrgs
    org: EmulatedOrg
    reset: Reset
    origin: str
    start_url: str
    watched: Watched
    defaults: Mapping[str, Mapping[str, Any]]
    _clock: str = ""

    async def prepare(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """See `OrgSession.prepare`."""
        await deploy(self.org.client, steps)

    async def state(self) -> State:
        """Return the watched objects and metadata types, and every write in the whole org.

        Raises:
            EnvironmentFailure: The org does not answer, or one of its pages failed inside.
        """
        await self.revision()
        now = await self.org.read()
        journal = await self.org.journal()
        listed = now.within(self.watched.collections).collections()
        held = {**listed, **unlisted(listed, journal), DEFAULTS: self.defaults}
        return State(held, journal, self.org.seen, self._clock, journaled=True)

    async def revision(self) -> int:
        """Return the number of the last write."""
        changes = await self.org.changes()
        if changes.failures > self.org.failures:
            raise EnvironmentFailure("a page of the org raised an error")
        self._clock = changes.clock
        return changes.revision

    async def idle(self) -> tuple[str, ...]:
        """Return what the org still does."""
        return await self.org.idle()

    async def close(self) -> None:
        """Return the org as it is; it is reset before its next episode."""
        await self.orgs.release(self.org)


class EmulatedOrgs:
    """A source of sessions: the orgs of one world program. Several sessions may be open at the same time."""

    seconds = 60.0

    def __init__(self, world: World) -> None:
        self._world = world
        self._busy: set[EmulatedOrg] = set()
        self._idle: list[EmulatedOrg] = []  # most recently used last
        self._beginning = asyncio.Lock()  # so that only the first org of a seed is read as a whole

    async def open(self, application: str, seed: int, resources: Sequence[str] = ()) -> EmulatedSession:
        """Return a session in an org of a seed, in its initial state.

        Args:
            resources: The declared resources of the task.

        Raises:
            EnvironmentFailure: The emulator does not answer.
        """
        watched = Watched.of(resources).with_business()
        org, reset = await self._ready(seed)
        try:
            await org.watch(watched)
            door = await org.front_door()
        except BaseException:
            await self._drop(org)
            raise
        return EmulatedSession(self, org, reset, str(org.described["origin"]), door, watched, org.defaults())

    async def release(self, org: EmulatedOrg) -> None:
        """Keep the org of a session that is over; may be called twice."""
        if org in self._busy:
            self._busy.remove(org)
            self._idle.append(org)
        while len(self._idle) > MAX_IDLE:
            await self._drop(self._idle.pop(0))

    async def close(self) -> None:
        """Close the connections."""
        orgs = [*self._busy, *self._idle]
        self._busy.clear()
        self._idle.clear()
        for org in orgs:
            await org.close()

    async def _ready(self, seed: int) -> tuple[EmulatedOrg, Reset]:
        """Return an org that is in use from now on."""
        org = next((one for one in reversed(self._idle) if one.seed == seed), None)
        if org is None:
            return await self._new(seed), Reset(MACHINE, "start")
        self._idle.remove(org)
        self._busy.add(org)
        try:
            async with asyncio.timeout(_SECONDS):
                return org, await org.reset()
        except TimeoutError:
            reason = f"it was not back after {_SECONDS:g} s"
        except (ResetFailed, EnvironmentFailure) as problem:
            reason = str(problem)
        except BaseException:
            await self._drop(org)
            raise
        await self._drop(org)
        return await self._new(seed, org), Reset(MACHINE, "recreate", reason)

    async def _new(self, seed: int, old: EmulatedOrg | None = None) -> EmulatedOrg:
        async with self._beginning:
            # What was read of another org of this seed is read no second time, see `EmulatedOrg.begin`.
            others = (one for one in (*self._busy, *self._idle) if one.seed == seed)
            session = await self._world.open("salesforce", seed)
            org = await EmulatedOrg.begin(self._world, seed, session.described, old or next(others, None))
            self._busy.add(org)
            return org

    async def _drop(self, org: EmulatedOrg) -> None:
        self._busy.discard(org)
        await org.close()
        with suppress(EnvironmentFailure):  # if the world died, so did its sessions
            await self._world.call("DELETE", f"/sessions/{org.described['id']}")


def unlisted(held: Mapping[str, Mapping[str, Any]], journal: Sequence[Write]) -> dict[str, dict[str, Any]]:
    """Return the held metadata types together with what the episode made that no tool retrieves: private reports."""
    made: dict[str, dict[str, Any]] = {}
    for one in journal:
        known = held.get(one.collection) if one.collection.startswith(METADATA) else None
        if known is not None and one.key not in known:
            rows = made.setdefault(one.collection, {})
            if one.op == "insert" or one.key in rows:
                rows[one.key] = one.after
    return {
        kind: {**held[kind], **{name: tree for name, tree in rows.items() if tree is not None}}
        for kind, rows in made.items()
    }


def _both(known: tuple[str, ...] | None, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of components to read beside those that are known; none means all."""
    if known is None:
        return tuple(sorted(names))
    return tuple(sorted({*known, *names})) if known and names else ()
