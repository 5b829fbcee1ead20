"""TeXstudio from Debian: its documents, whether they compile, and the editor's open files."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from guest import companions, steps
from guest.applications.base import Desk
from guest.applications.texstudio_editor import Editor
from guest.data import Collections, Launch, Step
from guest.latex import Builder

# No first-start dialog, no restored session, no network requests.
_SETTINGS = """\
[texmaker]
Files\\RestoreSession=false
Grammar\\Language%20Tool%20Autorun=false
Startup\\CheckLatexConfiguration=false
Update\\AutoCheck=false
"""
_FOLDER = ".texstudio"
_SETTINGS_FILE = f"{_FOLDER}/config/texstudio/texstudio.ini"
_VERBS = {"open": {"path": str}, **companions.START}
_CLOSED: Collections = {"editor": {}}


class TeXstudio:
    """The editor with the files that `{"do": "open", "path": ...}` names, in this order; the last one is in front."""

    name = "texstudio"
    packages = ("texstudio", "texlive-latex-base", "texlive-latex-recommended")
    programs = (
        "/usr/bin/texstudio",
        "/usr/bin/pdflatex",
        "/usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty",
    )
    executable = programs[0]
    settings = _FOLDER
    private = (settings,)
    closed = _CLOSED

    def __init__(self) -> None:
        self._builder = Builder()
        self._editors: WeakKeyDictionary[Desk, Editor] = WeakKeyDictionary()

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Write settings for a start without dialogs.

        Raises:
            SetupError: A step is not understood.
        """
        steps.own(setup, _VERBS)
        desktop.write(_SETTINGS_FILE, _SETTINGS)
        await companions.prepare(desktop, setup)

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command with the files to open."""
        files = [desktop.inside(step["path"]) for step in setup if step["do"] == "open"]
        self._editors[desktop] = Editor(files)
        return Launch(("texstudio", "--no-session", *files))

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the window or the tab of a file."""
        return await self._editors[desktop].lacks(desktop)

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Start companion applications."""
        await companions.start(desktop, setup)

    async def state(self, desktop: Desk) -> Collections:
        """Return the builds of the setup's documents."""
        setup = desktop.episode.setup if desktop.episode else ()
        files = await asyncio.to_thread(desktop.documents.rows)
        mains = [main for main in _documents(setup) if "text" in files.get(main, {})]
        return {
            "builds": {main: (await self._builder.build(desktop, main, files)).to_json() for main in mains}
        }

    async def live_state(self, desktop: Desk) -> Collections:
        """Return the editor's open files."""
        return {"editor": await self._editors[desktop].rows(desktop)}


def _documents(setup: Sequence[Step]) -> list[str]:
    """Return the setup's files that are complete documents."""
    written = [step for step in setup if step["do"] == "write" and step["path"].endswith(".tex")]
    return [step["path"] for step in written if r"\documentclass" in step["text"]]


APPLICATION = TeXstudio()
