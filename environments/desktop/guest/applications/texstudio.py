"""TeXstudio as Debian has it: its documents, whether they compile, and what its editor holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from guest import companions, steps
from guest.applications.base import Collections, Launch, Step
from guest.applications.texstudio_editor import Editor
from guest.latex import Builder

if TYPE_CHECKING:
    from guest.desk import Desk

# No question at the first start, nothing from an earlier one, nobody asked over the network.
_SETTINGS = """\
[texmaker]
Files\\RestoreSession=false
Grammar\\Language%20Tool%20Autorun=false
Startup\\CheckLatexConfiguration=false
Update\\AutoCheck=false
"""
_SETTINGS_FILE = ".config/texstudio/texstudio.ini"
_VERBS = {"open": {"path": str}, **companions.START}


class TeXstudio:
    """The editor with the files that `{"do": "open", "path": ...}` names, in this order; the last one is in front."""

    name = "texstudio"
    packages = ("texstudio", "texlive-latex-base", "texlive-latex-recommended")
    programs = (
        "/usr/bin/texstudio",
        "/usr/bin/pdflatex",
        "/usr/share/texlive/texmf-dist/tex/latex/booktabs/booktabs.sty",
    )

    def __init__(self) -> None:
        self._builder = Builder()
        self._editors: WeakKeyDictionary[Desk, Editor] = WeakKeyDictionary()

    async def prepare(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Write the settings of a quiet start.

        Raises:
            SetupError: A step is not understood.
        """
        steps.own(setup, _VERBS)
        desk.write(_SETTINGS_FILE, _SETTINGS)
        await companions.prepare(desk, setup)

    def launch(self, desk: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command with the files to open."""
        files = [desk.inside(step["path"]) for step in setup if step["do"] == "open"]
        self._editors[desk] = Editor(files)
        return Launch(("texstudio", "--no-session", *files))

    async def ready(self, desk: Desk) -> str | None:
        """Return what is missing: the window, or the tab of a file."""
        return await self._editors[desk].lacks(desk)

    async def arrange(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Start what runs beside it."""
        await companions.start(desk, setup)

    async def state(self, desk: Desk) -> Collections:
        """Return the builds of the documents that were set up, and the files that the editor holds."""
        setup = desk.episode.setup if desk.episode else ()
        files = await asyncio.to_thread(desk.documents.rows)
        mains = [main for main in _documents(setup) if "text" in files.get(main, {})]
        builds = {main: (await self._builder.build(desk, main, files)).to_json() for main in mains}
        return {
            "builds": builds,
            "editor": await self._editors[desk].rows(desk),
            **await companions.state(desk, setup),
        }


def _documents(setup: Sequence[Step]) -> list[str]:
    """Return the files of a setup that can be compiled by themselves."""
    written = [step for step in setup if step["do"] == "write" and step["path"].endswith(".tex")]
    return [step["path"] for step in written if r"\documentclass" in step["text"]]


APPLICATION = TeXstudio()
