"""Resets by snapshots of three layers: boot, application started, task prepared.

Each layer is saved when it is first reached. A task is restored from its own snapshot, or else prepared on top of that
of its application, or else of the boot; never on top of what an agent left.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pytest_cuabench.drivers.desktop.guest import Begun, Guest
from pytest_cuabench.drivers.desktop.machine import Snapshots
from pytest_cuabench.drivers.desktop.stage import GuestStage
from pytest_cuabench.task.model import Instance

_BOOT = "boot"


class SnapshotStage(GuestStage):
    """Our guest on a machine with snapshots."""

    def __init__(self, guest: Guest, machine: Snapshots) -> None:
        super().__init__(guest)
        self._machine = machine
        self._started: dict[str, str] = {}  # application -> the snapshot of its first start

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """See `Stage.begin`."""
        application, setup = instance.task.application, instance.task.setup(instance.seed)
        moment = name_of(application, setup)
        known = await self._restore(moment)
        if not known:
            await self._restore_nearest(application)
        begun = await self._guest.begin(application, setup, seconds)
        # The guest had nothing left to prepare, so the snapshot needs no renewal.
        if known and begun.layer == "clean":
            return Begun("snapshot", begun.fingerprint)
        await self._machine.keep(moment)
        self._started.setdefault(application, moment)
        return begun

    async def _restore_nearest(self, application: str) -> None:
        for moment in (self._started.get(application, _BOOT), _BOOT):
            if await self._restore(moment):
                return
        await self._machine.keep(_BOOT)  # the machine is still unused

    async def _restore(self, moment: str) -> bool:
        if not await self._machine.restore(moment):
            return False
        await self._guest.set_clock()
        return True


def name_of(application: str, setup: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the snapshot of an application with a setup."""
    text = json.dumps([application, [dict(step) for step in setup]], sort_keys=True)
    return f"task-{sha256(text.encode()).hexdigest()[:16]}"
