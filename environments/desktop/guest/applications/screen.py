"""An empty screen, for a program of the plugin that opens its own windows on it: the browser of a web world.

Its state says where the X server listens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from guest.applications.base import Collections, Launch, Step
from guest.steps import own
from guest.xserver import socket_of

if TYPE_CHECKING:
    from guest.desktop import Desktop


class Screen:
    """A screen without programs, besides one that waits."""

    name = "screen"
    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ("/usr/bin/sleep",)
    windowless = True

    async def prepare(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Check that there are no steps."""
        own(setup, {})

    def launch(self, desktop: Desktop, setup: Sequence[Step]) -> Launch:
        """Return a command that does nothing until the session ends."""
        return Launch(("/usr/bin/sleep", "infinity"))

    async def ready(self, desktop: Desktop) -> str | None:
        """Return that nothing is missing."""
        return None

    async def arrange(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Do nothing."""

    async def state(self, desktop: Desktop) -> Collections:
        """Return the path of the X server's socket."""
        return {"display": {"socket": {"path": str(socket_of(desktop.box))}}}


APPLICATION = Screen()
