"""Input events of a person in a visible window, to measure human performance."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.base import InputEvent
from pytest_cuabench.drivers.chromium.scripts import script
from pytest_cuabench.task.machine import INPUT_EVENTS

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class InputRecorder:
    """Collects a person's input events in all pages of a context."""

    def __init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._start = self._clock()
        self._events: list[InputEvent] = []

    async def watch(self, context: BrowserContext) -> None:
        """Start to collect the events of every page."""
        await context.expose_binding("cuabenchPerson", self._record)
        await context.add_init_script(script("input_events.js"))

    def input_events(self) -> tuple[InputEvent, ...]:
        """Return all events so far, in order."""
        return tuple(self._events)

    def _record(self, source: Any, kind: object, x: object, y: object) -> None:
        if kind in INPUT_EVENTS and isinstance(x, int) and isinstance(y, int):
            self._events.append(InputEvent(round(self._clock() - self._start, 3), str(kind), x, y))
