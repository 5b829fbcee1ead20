"""PyMOL from Debian, in its Qt window; its own command line arranges a session."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Any

from guest.applications.base import Desk
from guest.data import Collections, Launch, Step
from guest.errors import DesktopFailure
from guest.sealed.window import Wrapped
from guest.steps import own

_LIBRARY = "/usr/lib/python3/dist-packages/pymol"
_DATA = "/usr/share/pymol"
_SHADERS = ".cache/mesa_shader_cache"  # compiled by the first start, in a second that the others save
_STEPS: dict[str, dict[str, Any]] = {
    "run": {"lines": list}
}  # of PyMOL's command language, before the task begins


class Pymol(Wrapped):
    """The application."""

    name = "pymol"
    packages = ("pymol", "python3-pymol")
    private = (".cache",)  # compiled code
    programs = ("/usr/bin/python3", "/usr/bin/pymol", f"{_LIBRARY}/__init__.py", _DATA)
    closed = None

    def __init__(self) -> None:
        super().__init__("PyMOL")
        self._usual: dict[str, Any] = {}  # settings of the first launch, by which later ones tell theirs

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Check the setup; its structures are written by the common step `write`.

        Raises:
            SetupError: A step is not understood.
        """
        own(setup, _STEPS)
        self._usual = {}
        if (kept := desktop.store / _SHADERS).is_dir():
            shutil.copytree(kept, desktop.file(_SHADERS))

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Start PyMOL in a wrapper, with the environment of Debian's own script."""
        channel = self.next_channel()
        environment = {
            "PYMOL_PATH": _LIBRARY,
            "PYMOL_DATA": f"{_DATA}/data",
            "PYMOL_SCRIPTS": f"{_DATA}/scripts",
            "CHEMPY_DATA": f"{_DATA}/data/chempy",
        }
        wrapper = f"{desktop.box.guest}/pymol/inside/wrapper.py"
        return Launch(("/usr/bin/python3", "-I", wrapper), environment, channel=channel)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what the window is waiting for."""
        try:
            waiting: str | None = (await self._window.ask("ready"))["waiting"]
            if waiting is None and not self._usual:
                self._usual = (await self._window.ask("state"))["settings"]
        except DesktopFailure as error:
            return str(error)
        return waiting and f"PyMOL waits {waiting}"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Run the lines of the setup."""
        for step in own(setup, _STEPS):
            await self._window.do("run", lines=step["lines"])

    async def state(self, desktop: Desk) -> Collections:
        """Return nothing: the program keeps it all to itself."""
        return {}

    async def live_state(self, desktop: Desk) -> Collections:
        """Return objects, residues, selections, measurements, and the settings that are not as at the start."""
        state: Collections = await self._window.ask("state")
        settings, usual = state["settings"], self._usual
        state["settings"] = {name: row for name, row in settings.items() if row != usual.get(name)}
        kept, made = desktop.store / _SHADERS, desktop.file(_SHADERS)
        if not kept.exists() and made.is_dir():  # the reset asks before the first action
            shutil.copytree(made, kept, symlinks=True)
        return state


APPLICATION = Pymol()
