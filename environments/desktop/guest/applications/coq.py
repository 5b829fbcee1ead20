"""CoqIDE from Debian: its files, what they prove, and what its View menu has switched on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from guest import steps
from guest.applications.base import Desk
from guest.coq_judge import Judge, Theorem
from guest.data import Collections, Launch, Step
from guest.nodes import Node

_FOLDER = ".coqide"
_SETTINGS_FILE = f"{_FOLDER}/config/coq/coqiderc"
_SIZE = (1500, 860)  # companions stay in reach beside it; its own first size is 800 x 600
_VERBS = {
    "open": {"path": str},
    # A theorem that the file has to prove: its statement, with definitions of ours.
    "theorem": {"path": str, "name": str, "given": str, "statement": str},
}
_WINDOW = 'frame[name^="CoqIDE"] >> text:focused'
_VIEW = 'frame[name^="CoqIDE"] >> menu[name="View"]'
_CLOSED: Collections = {"view": {}}


class Coq:
    """CoqIDE with the files that `{"do": "open", "path": ...}` names; the last one is in front."""

    name = "coq"
    packages = ("coq", "coqide")
    programs = ("/usr/bin/coqide", "/usr/bin/coqc", "/usr/bin/coqidetop.opt")
    executable = programs[0]
    settings = _FOLDER
    private = (settings,)
    closed = _CLOSED

    def __init__(self) -> None:
        self._judge = Judge()
        self._views: WeakKeyDictionary[Desk, Node] = WeakKeyDictionary()

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Check the setup, and write settings for a window that shows a theorem without cutting its lines.

        Raises:
            SetupError: A step is not understood.
        """
        steps.own(setup, _VERBS)
        self._views.pop(desktop, None)
        width, height = (
            min(own, there * 4 // 5) for own, there in zip(_SIZE, desktop.screen.size, strict=True)
        )
        desktop.write(_SETTINGS_FILE, f'window_width = "{width}"\nwindow_height = "{height}"\n')

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command with the files to open."""
        return Launch(("coqide", *(desktop.inside(step["path"]) for step in setup if step["do"] == "open")))

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the editor with the focus."""
        return None if await desktop.find(_WINDOW) else "its editor does not have the focus yet"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: what is to be there is in files."""

    async def state(self, desktop: Desk) -> Collections:
        """Return the verdict on each theorem of the setup."""
        episode = desktop.episode
        setup = _own(episode.setup) if episode else ()
        files = await asyncio.to_thread(desktop.documents.rows)
        proofs = {}
        for step in setup:
            if step["do"] == "theorem":
                text = str(files.get(step["path"], {}).get("text", ""))
                verdict = "unchanged"
                if text not in _written(setup, step["path"]):
                    theorem = Theorem(step["path"], step["name"], step["given"], step["statement"])
                    verdict = await self._judge.verdict(desktop, theorem, text)
                proofs[f"{step['path']}/{step['name']}"] = {"verdict": verdict}
        return {"proofs": proofs}

    async def live_state(self, desktop: Desk) -> Collections:
        """Return the switches of the View menu."""
        known = self._views.get(desktop)
        menu = await desktop.reread(known, 1) if known is not None else None
        if menu is None:
            found = await desktop.find(_VIEW, whole=True)
            menu = await desktop.reread(found, 1) if found is not None else None
        if menu is None:
            return {"view": {}}
        self._views[desktop] = menu
        items = (node for node in menu.children if node.role == "check-menu-item")
        return {"view": {node.name: {"on": "checked" in node.states} for node in items}}


def _own(setup: Sequence[Step]) -> Sequence[Step]:
    """Return the steps for CoqIDE, which may be another application's companion."""
    for step in setup:
        if step["do"] == "start" and step["application"] == Coq.name:
            return [one for one in setup if one["do"] == "write"] + list(step["setup"])
    return setup


def _written(setup: Sequence[Step], path: str) -> list[str]:
    return [step["text"] for step in setup if step["do"] == "write" and step["path"] == path]


APPLICATION = Coq()
