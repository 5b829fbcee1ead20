"""Records on our own guest: its collections, told as the replies of the upstream servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.evidence import State
from pytest_cuabench.scienceboard.own import OWN, own_replies
from pytest_cuabench.scienceboard.probes import kept, probes
from pytest_cuabench.scienceboard.records import Record

if TYPE_CHECKING:
    from pytest_cuabench.task import Instance


class OwnStage:
    """Our guest, for the records whose application it has."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._record: Record | None = None

    async def lacking(self, instance: Instance) -> str | None:
        """Return what is not installed, or that our guest cannot stand for this record's machine."""
        from pytest_cuabench.scienceboard.stage import record_of

        record = record_of(instance)
        name = OWN.get(record.type)
        if name is None:
            return f"{record.type} runs on an upstream machine only: --cua-world desktop=http://host:5000"
        return self._guest.lacking(name)

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """Start our application as the record's preparation means."""
        from pytest_cuabench.scienceboard.stage import record_of

        self._record = record_of(instance)
        return await self._guest.begin(OWN[self._record.type], instance.task.setup(instance.seed), seconds)

    async def state(self) -> State:
        """Return what is true, as the replies to what the record asks, beside the collections themselves."""
        assert self._record is not None, "a state is asked for after a beginning"
        told = await self._guest.state()
        replies = own_replies(told.collections, probes(self._record))
        return State(
            {**told.collections, **kept(replies)}, revision=told.revision, fingerprint=told.fingerprint
        )

    async def revision(self) -> int | None:
        """Return a number that grows when what is true changes."""
        return await self._guest.revision()

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector finds."""
        return await self._guest.locate(target)
