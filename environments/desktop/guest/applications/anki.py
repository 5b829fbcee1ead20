"""Anki with a collection that a task describes; what it holds is read from a copy by Anki's own library.

Anki is not in Debian. It comes from the registry of Python, to the folder that `scripts/install-desktop` fills, under
the GNU AGPL; nothing of it is redistributed.

A setup has one step `{"do": "collection", "about": {...}}` with any of

    presets     {"name", "options"}: of decks; `options` as Anki writes them
    decks       {"name", "preset", "description"}
    note_types  {"name", "like", "fields", "templates": {"name", "front", "back"}, "css"}
    notes       {"type", "deck", "fields", "tags", "interval", "due", "lapses", "flag", "suspended"}
    filtered    {"name", "search", "limit", "order"}
    options     of the collection, as Anki names them
    current     the deck that was chosen last
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from guest import reading, steps
from guest.applications.base import Desk
from guest.data import Collections, Launch, SetupError, Step
from guest.places import APPLICATIONS, GUEST

_SITE = f"{APPLICATIONS}/anki"
_PYTHON = "/usr/bin/python3"
_ENV = {"PYTHONPATH": _SITE, "PYTHONDONTWRITEBYTECODE": "1"}
_VERBS = {"collection": {"about": dict}}
_BASE = ".local/share/Anki2"
# The log comes first: if the collection itself was written to in between, the log has changed, too.
_FILES = {
    "collection.anki2-wal": f"{_BASE}/User 1/collection.anki2-wal",
    "collection.anki2": f"{_BASE}/User 1/collection.anki2",
    "prefs21.db": f"{_BASE}/prefs21.db",
    "gldriver6": f"{_BASE}/gldriver6",
}
_OFTEN = 20  # readings of a file that is written to all the time
_LONGEST = 16 * 1024 * 1024  # bytes of a file
_VOLATILE = (  # what Anki writes by itself, as it is used
    "options/_*",
    "options/activeCols",
    "options/activeDecks",
    "options/browserTableShowNotesMode",
    "options/cur*",
    "options/creationOffset",
    "options/dayLearnFirst",
    "options/lastUnburied",
    "options/localOffset",
    "options/nextPos",
    "options/noteSort*",
    "options/savedFilters",
    "options/sched*",
    "options/setDue*",
    "options/sort*",
    "preferences/*:[Bb]rowser*",
    "preferences/*:last*",
    "preferences/*:*Geom*",
    "preferences/*:*State*",
    "preferences/*:*Header*",
    "preferences/*:*Splitter*",
    "preferences/*:*History*",
)
"""Collection, row and perhaps field, as patterns."""


class Anki:
    """The flashcards, without network and without questions at the start."""

    name = "anki"
    packages = (
        "libasound2", "libegl1", "libgbm1", "libgl1", "libnss3", "libpulse0", "libxcb-cursor0", "libxcb-dri3-0",
        "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-render-util0", "libxcomposite1",
        "libxdamage1", "libxkbcommon-x11-0", "libxkbfile1", "libxrandr2", "libxtst6", "pypi:aqt[qt6]==26.9.3",
    )  # fmt: skip
    programs = (f"{_SITE}/aqt/__init__.py", f"{_SITE}/PyQt6/QtWebEngineCore.abi3.so")

    def __init__(self) -> None:
        self._made: dict[str, dict[str, bytes]] = {}

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Make the profile and the collection.

        Raises:
            SetupError: A step is not understood, or the description cannot be followed.
        """
        about: Mapping[str, Any] = {}
        for step in steps.own(setup, _VERBS):
            about = step["about"]
        told = json.dumps(about, sort_keys=True)
        key = f"{date.today()} {told}"  # cards are due on days
        if key not in self._made:
            made = await desktop.run([_PYTHON, "-c", _code("make")], stdin=told.encode(), env=_ENV)
            if made.code:
                raise SetupError(f"setup step collection: {made.err.decode(errors='replace').strip()[-300:]}")
            self._made = {key: _read(desktop)}
        for name, content in self._made[key].items():
            desktop.write(_FILES[name], content)

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command: Anki's module, since its own program names the interpreter that installed it."""
        env = {**_ENV, "QTWEBENGINE_DISABLE_SANDBOX": "1", "QT_ACCESSIBILITY": "1", "LC_ALL": "C.UTF-8"}
        return Launch((_PYTHON, "-c", "import aqt; aqt.run()"), env)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the list of decks."""
        window = 'frame[name="User 1 - Anki"] >> '
        for one in ('push-button[name="Import File"]', 'label[name^="Studied"]', 'link[name="Stats"]'):
            if not await desktop.find(window + one):
                return f"there is no {one} yet"
        return None

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: all is in files."""

    async def state(self, desktop: Desk) -> Collections:
        """Return what the collection and the profiles hold."""
        files = await asyncio.to_thread(_copy, desktop)
        about = {"sizes": {name: len(content) for name, content in files.items()}, "without": _VOLATILE}
        stdin = b"\n".join((json.dumps(about).encode(), b"".join(files.values())))
        argv = [_PYTHON, "-s", "-c", _code("dump")]
        try:
            told: Collections = json.loads(await reading.run_reader(desktop.box, argv, stdin, _ENV))
        except reading.Unread as error:
            return {"collection": {"collection.anki2": {"unreadable": str(error)}}}
        return told


def _code(name: str) -> str:
    return (GUEST / "anki" / f"{name}.py").read_text(encoding="utf-8")


def _copy(desktop: Desk) -> dict[str, bytes]:
    """Return the files as they were at one time; those that do not exist are left out."""
    files = _read(desktop)
    for _ in range(_OFTEN):
        again = _read(desktop)
        if again == files:
            break
        files = again
    return files


def _read(desktop: Desk) -> dict[str, bytes]:
    found = {}
    for name, path in _FILES.items():
        try:
            found[name] = desktop.read(path, _LONGEST)
        except OSError:
            continue
    return found


APPLICATION = Anki()
