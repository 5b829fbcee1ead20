"""The probe: a window that records its events, for testing the input of drivers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from guest.applications.base import Desk
from guest.data import Collections, Launch, Step
from guest.errors import DesktopFailure
from guest.sealed.window import Wrapped
from guest.steps import own

_FIELDS = ("text", "line")


class Probe(Wrapped):
    """The window of `probe_window.py`."""

    name = "probe"
    private = ()
    packages: tuple[str, ...] = ("python3-gi", "gir1.2-gtk-3.0")
    programs: tuple[str, ...] = (
        "/usr/bin/python3",
        "/usr/lib/python3/dist-packages/gi/__init__.py",
    )
    closed = None

    def __init__(self) -> None:
        super().__init__("the probe")

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Check that there are no steps."""
        own(setup, {})

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command of the window, which keeps its record to itself."""
        channel = self.next_channel()
        argv = ("/usr/bin/python3", "-I", f"{desktop.box.guest}/probe_window.py")
        return Launch(argv, channel=channel)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the window at full screen size, or its nodes."""
        try:
            entries = await self._entries()
        except DesktopFailure as error:
            return str(error)
        if not any(entry["type"] == "ready" for entry in entries):
            return "the window does not fill the screen yet"
        return None if await desktop.find('push-button[name="Clear"]') else "the window is not in the tree"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing."""

    async def state(self, desktop: Desk) -> Collections:
        """Return nothing: the window keeps it all to itself."""
        return {}

    async def live_state(self, desktop: Desk) -> Collections:
        """Return the events so far and the contents of the fields."""
        entries = [entry for entry in await self._entries() if entry["type"] != "ready"]
        events = [entry for entry in entries if entry["type"] != "edit"]
        edits = [entry for entry in entries if entry["type"] == "edit"]
        return {
            "events": {f"{number:06}": entry for number, entry in enumerate(events)},
            "fields": {name: {"value": _held(name, edits)} for name in _FIELDS},
        }

    async def _entries(self) -> list[dict[str, Any]]:
        lines = (await self._window.ask("record"))["lines"].splitlines()
        return [json.loads(line) for line in lines]


def _held(field: str, edits: Sequence[dict[str, Any]]) -> str:
    """Return a field's content after its edits."""
    text = ""
    for edit in edits:
        if edit["field"] == field:
            text = text[: edit["at"]] + edit["new"] + text[edit["at"] + edit["gone"] :]
    return text


APPLICATION = Probe()
