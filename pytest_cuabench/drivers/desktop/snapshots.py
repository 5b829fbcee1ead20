"""Resets by going back in time: boot -> an application started -> a task prepared, each kept when it is first reached.

A machine that can go back is never prepared over what an agent left. What was prepared before is gone back to; what was
not is prepared on top of the nearest moment before it: when its application had just been started for another task, or
else when nothing had happened at all.
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
    """Our guest on a machine that can go back in time."""

    def __init__(self, guest: Guest, machine: Snapshots) -> None:
        super().__init__(guest)
        self._machine = machine
        self._started: dict[str, str] = {}  # application -> the first moment at which it had been started

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """See `Stage.begin`."""
        application, setup = instance.task.application, instance.task.setup(instance.seed)
        moment = name_of(application, setup)
        known = await self._go_back(moment)
        if not known:
            await self._go_near(application)
        begun = await self._guest.begin(application, setup, seconds)
        if known and begun.layer == "clean":
            return Begun("snapshot", begun.fingerprint)
        await self._machine.keep(moment)
        self._started.setdefault(application, moment)
        return begun

    async def _go_near(self, application: str) -> None:
        for moment in (self._started.get(application, _BOOT), _BOOT):
            if await self._go_back(moment):
                return
        await self._machine.keep(_BOOT)  # nothing has happened on this machine yet

    async def _go_back(self, moment: str) -> bool:
        if not await self._machine.restore(moment):
            return False
        await self._guest.put_clock_right()
        return True


def name_of(application: str, setup: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the moment at which an application stands as a setup wants it."""
    told = json.dumps([application, [dict(step) for step in setup]], sort_keys=True)
    return f"task-{sha256(told.encode()).hexdigest()[:16]}"
