"""Records on our own guest: it is prepared in its own words, and its state is told as upstream's servers would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.evidence import State
from pytest_cuabench.scienceboard import own
from pytest_cuabench.scienceboard.own.words import Unsupported
from pytest_cuabench.scienceboard.probes import kept, probes
from pytest_cuabench.scienceboard.records import Record
from pytest_cuabench.scienceboard.tasks import record_of

if TYPE_CHECKING:
    from pytest_cuabench.task import Instance


class OwnStage:
    """Our guest, for the records whose machine it can stand for."""

    state_seconds = 60.0
    watched = True

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._record: Record | None = None

    async def lacking(self, instance: Instance) -> str | None:
        """Return what is not installed, or why our guest cannot stand for this record's machine."""
        record = record_of(instance)
        return own.lacking(record) or self._guest.lacking(own.application(record))

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """Start our application as the record's preparation means.

        Raises:
            CheckerFailure: Our guest cannot stand for the record's machine.
        """
        self._record = record = record_of(instance)
        try:
            return await self._guest.begin(own.application(record), own.setup(record), seconds)
        except Unsupported as reason:
            raise CheckerFailure(f"{instance.task.name}: {reason}") from None

    async def state(self) -> State:
        """Return what is true, with the replies that it means beside it."""
        if self._record is None:
            raise CheckerFailure("a state was asked for before anything was prepared")
        told = await self._guest.state()
        replies = own.replies(self._record, probes(self._record), told.collections)
        return State(
            {**told.collections, **kept(replies)}, revision=told.revision, fingerprint=told.fingerprint
        )

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector finds."""
        return await self._guest.locate(target)
