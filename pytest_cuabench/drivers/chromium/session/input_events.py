"""Input events of a person in a visible window, to measure human performance."""

from __future__ import annotations

import asyncio

from pytest_cuabench.drivers.base import InputEvent
from pytest_cuabench.task.machine import INPUT_EVENTS


class InputRecorder:
    """Collects a person's input events in all pages."""

    def __init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._start = self._clock()
        self._events: list[InputEvent] = []

    def input_events(self) -> tuple[InputEvent, ...]:
        """Return all events so far, in order."""
        return tuple(self._events)

    def record(self, event: object) -> None:
        """Take what a page's world tells (`input_events.js`): kind, x and y."""
        kind, x, y = event if isinstance(event, list) and len(event) == 3 else (None, None, None)
        if kind in INPUT_EVENTS and isinstance(x, int) and isinstance(y, int):
            self._events.append(InputEvent(round(self._clock() - self._start, 3), str(kind), x, y))
