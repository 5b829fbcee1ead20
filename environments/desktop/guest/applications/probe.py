"""The probe: a window that records the events it gets, to see whether a driver's input is what it should be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from guest.applications.base import Collections, Launch, Step
from guest.desk import Desk
from guest.steps import own

_RECORD = ".probe.jsonl"
_FIELDS = ("text", "line")


class Probe:
    """The window of `probe_window.py`."""

    name = "probe"
    packages: tuple[str, ...] = ("python3-gi", "gir1.2-gtk-3.0")
    programs: tuple[str, ...] = (
        "/usr/bin/python3",
        "/usr/lib/python3/dist-packages/gi/__init__.py",
    )

    async def prepare(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Refuse steps: there is nothing to prepare."""
        own(setup, {})

    def launch(self, desk: Desk, setup: Sequence[Step]) -> Launch:
        """Start the window with the file that it writes to."""
        return Launch(("/usr/bin/python3", f"{desk.box.guest}/probe_window.py", desk.inside(_RECORD)))

    async def ready(self, desk: Desk) -> str | None:
        """Wait until the window fills the screen and is in the tree."""
        if not any(entry["type"] == "ready" for entry in self._entries(desk)):
            return "the window does not fill the screen yet"
        return None if await desk.find('push-button[name="Clear"]') else "the window is not in the tree"

    async def arrange(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: the window is as it should be."""

    async def state(self, desk: Desk) -> Collections:
        """Return the events so far and what the fields hold."""
        entries = [entry for entry in self._entries(desk) if entry["type"] != "ready"]
        events = [entry for entry in entries if entry["type"] != "edit"]
        edits = [entry for entry in entries if entry["type"] == "edit"]
        return {
            "events": {f"{number:06}": entry for number, entry in enumerate(events)},
            "fields": {name: {"value": _held(name, edits)} for name in _FIELDS},
        }

    def _entries(self, desk: Desk) -> Iterator[dict[str, Any]]:
        """Yield the record's lines; a person at the desktop may have written others, or removed it."""
        with suppress(OSError):
            for line in desk.read(_RECORD).decode(errors="replace").splitlines():
                with suppress(ValueError, RecursionError):
                    entry = json.loads(line)
                    if isinstance(entry, dict) and "type" in entry:
                        yield entry


def _held(field: str, edits: Sequence[dict[str, Any]]) -> str:
    """Return what a field holds after its edits; lines that are none were written by somebody else."""
    text = ""
    for edit in edits:
        match edit:
            case {"field": name, "at": int(at), "new": str(new), "gone": int(gone)} if name == field:
                text = text[:at] + new + text[at + gone :]
    return text


APPLICATION = Probe()
