"""An empty screen, for a program of the plugin that opens its own windows on it: the browser of a web world.

Its state says where the X server listens.
"""

from __future__ import annotations

from collections.abc import Sequence

from guest.applications.base import Desk
from guest.data import Collections, Launch, Step
from guest.steps import own
from guest.xserver import socket_of


class Screen:
    """A screen without programs, besides one that waits."""

    name = "screen"
    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ("/usr/bin/sleep",)
    windowless = True

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Check that there are no steps."""
        own(setup, {})

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return a command that does nothing until the session ends."""
        return Launch(("/usr/bin/sleep", "infinity"))

    async def ready(self, desktop: Desk) -> str | None:
        """Return that nothing is missing."""
        return None

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing."""

    async def state(self, desktop: Desk) -> Collections:
        """Return the path of the X server's socket."""
        return {"display": {"socket": {"path": str(socket_of(desktop.box))}}}


APPLICATION = Screen()
