"""The probe: a window that records its events, for testing the input of drivers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from guest.applications.base import Collections, Launch, Step
from guest.desktop import Desktop
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

    async def prepare(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Check that there are no steps."""
        own(setup, {})

    def launch(self, desktop: Desktop, setup: Sequence[Step]) -> Launch:
        """Return the command of the window with its record file."""
        return Launch(("/usr/bin/python3", f"{desktop.box.guest}/probe_window.py", desktop.inside(_RECORD)))

    async def ready(self, desktop: Desktop) -> str | None:
        """Return what is missing: the window at full screen size, or its nodes."""
        if not any(entry["type"] == "ready" for entry in self._entries(desktop)):
            return "the window does not fill the screen yet"
        return None if await desktop.find('push-button[name="Clear"]') else "the window is not in the tree"

    async def arrange(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Do nothing."""

    async def state(self, desktop: Desktop) -> Collections:
        """Return the events so far and the contents of the fields."""
        entries = [entry for entry in self._entries(desktop) if entry["type"] != "ready"]
        events = [entry for entry in entries if entry["type"] != "edit"]
        edits = [entry for entry in entries if entry["type"] == "edit"]
        return {
            "events": {f"{number:06}": entry for number, entry in enumerate(events)},
            "fields": {name: {"value": _held(name, edits)} for name in _FIELDS},
        }

    def _entries(self, desktop: Desktop) -> Iterator[dict[str, Any]]:
        """Yield the valid lines of the record; programs may have changed or removed the file."""
        with suppress(OSError):
            for line in desktop.read(_RECORD).decode(errors="replace").splitlines():
                with suppress(ValueError, RecursionError):
                    entry = json.loads(line)
                    if isinstance(entry, dict) and "type" in entry:
                        yield entry


def _held(field: str, edits: Sequence[dict[str, Any]]) -> str:
    """Return a field's content after its edits; malformed ones are skipped."""
    text = ""
    for edit in edits:
        match edit:
            case {"field": name, "at": int(at), "new": str(new), "gone": int(gone)} if name == field:
                text = text[:at] + new + text[at + gone :]
    return text


APPLICATION = Probe()
