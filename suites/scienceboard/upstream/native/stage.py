"""Records on our own guest: it is prepared in its own words, and its state is told as upstream's servers would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.drivers.desktop.stage import Stage
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.evidence import State

from .. import native
from ..probes import kept, probes
from ..records import Record
from ..tasks import record_of
from .words import Unsupported

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance


_TRIAL_SECONDS = 180.0  # to prepare an application once, on a machine that is busy otherwise


class NativeStage(Stage):
    """Our guest, for the records whose machine it can stand for."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._record: Record | None = None
        self._unmet: dict[str, str | None] = {}  # by the names of records

    async def lacking(self, instance: Instance) -> str | None:
        """Return what is not installed, or why our guest cannot stand for this record's machine."""
        record = record_of(instance)
        if reason := native.lacking(record) or self._guest.lacking(native.application(record)):
            return reason
        if record.name not in self._unmet:
            self._unmet[record.name] = await self._unmet_by(record)
        return self._unmet[record.name]

    async def _unmet_by(self, record: Record) -> str | None:
        """Prepare the desktop for a record, and return what that needs and the desktop does not have."""
        if not native.needy(record):
            return None
        try:
            await self._guest.begin(native.application(record), native.setup(record), _TRIAL_SECONDS)
        except CheckerFailure as refused:
            return str(refused)
        return native.unmet(record, (await self._guest.state()).collections)

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """Start our application as the record's preparation means.

        Raises:
            CheckerFailure: Our guest cannot stand for the record's machine.
        """
        self._record = record = record_of(instance)
        try:
            return await self._guest.begin(native.application(record), native.setup(record), seconds)
        except Unsupported as reason:
            raise CheckerFailure(f"{instance.task.name}: {reason}") from None

    async def state(self) -> State:
        """Return what is true, with the replies that it means beside it."""
        if self._record is None:
            raise CheckerFailure("a state was asked for before anything was prepared")
        told = await self._guest.state()
        replies = native.replies(self._record, probes(self._record), told.collections)
        return State(
            {**told.collections, **kept(replies)}, revision=told.revision, fingerprint=told.fingerprint
        )

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector finds."""
        return await self._guest.locate(target)
