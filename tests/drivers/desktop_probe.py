"""The catalogue of `conformance.py` on a desktop: the probe window of its guest instead of a page.

Bound by a function that sends one request of our protocol, so that it serves any machine: a local display,
a container, a virtual machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from pytest_cuabench.task.action import Click

from .conformance import Case, fits, missing

Request = Callable[[str, str, Any], Awaitable[dict[str, Any]]]

LATE_SECONDS = 30.0
CLEAR = Click(1210, 740)  # a button that empties the record and the fields


class DesktopProbe:
    """The probe window, and what it saw of one case."""

    def __init__(self, request: Request) -> None:
        self._request = request

    async def begin(self) -> None:
        """Bring the window on the screen."""
        await self._request("POST", "/session", {"application": "probe", "setup": []})

    async def play(self, case: Case) -> None:
        """Play a case on a fresh window, and say what is missing from its record."""
        await self._act((CLEAR, *case.actions))
        events, fields = await self._record(case)
        await self._act(case.locks)  # put back what it toggled
        _judge(case, events, fields)

    async def _record(self, case: Case) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Return what the window saw and what its fields hold; what is handed over may come a little later."""
        end = time.monotonic() + LATE_SECONDS
        while True:
            state = (await self._request("GET", "/session/state", None))["collections"]
            events = list(as_browser(list(state["events"].values()), case))
            if missing(case, events) is None or time.monotonic() > end:
                return events, {name: row["value"] for name, row in state["fields"].items()}
            await asyncio.sleep(0.05)

    async def _act(self, actions: Any) -> None:
        if actions:
            body = {"actions": [action.to_json() for action in actions]}
            results = (await self._request("POST", "/actions", body))["results"]
            assert [result["error"] for result in results] == [None] * len(results)


def as_browser(events: list[dict[str, Any]], case: Case) -> Iterator[dict[str, Any]]:
    """Tell a desktop's events as the catalogue does.

    A keyboard needs Shift for some characters, whose own events no browser's driver makes.
    """
    shift_is_asked = any("shift" in str(action) for action in case.actions)
    return (event for event in events if shift_is_asked or event.get("key") != "Shift")


def _judge(case: Case, events: list[dict[str, Any]], fields: dict[str, str]) -> None:
    assert missing(case, events) is None, (missing(case, events), events)
    for partial in case.lacks:
        assert not any(fits(partial, recorded) for recorded in events)
    for kind, count in case.counts.items():
        assert sum(recorded["type"] == kind for recorded in events) == count, events
    assert {name: fields.get(name) for name in case.fields} == dict(case.fields)
