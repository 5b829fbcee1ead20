"""What an application is to the guest: files before it starts, a way to start it, and what is true in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from guest.desk import Desk
    from guest.nodes import Box

Step = Mapping[str, Any]  # {"do": verb, ...}: one thing to prepare, as plain data from the suite
Collections = dict[str, dict[str, dict[str, Any]]]  # collection -> key -> row


class SetupError(Exception):
    """A step of the setup is unknown or malformed; the sentence says which and what is allowed."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How the application's program is started inside the desktop.

    Attributes:
        argv: Program and arguments; never a shell.
        env: Variables beside those of the desktop session.
        folder: Working directory, relative to HOME.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    folder: str = "."


class Application(Protocol):
    """One application. The guest calls, in this order: `prepare`, `launch`, `ready` until None, `arrange`.

    Attributes:
        name: As in the suite's folder.
        packages: Debian packages that it needs.
        programs: Files that must exist for it to run; an absent one is told with the packages to install.
    """

    name: str
    packages: tuple[str, ...]
    programs: tuple[str, ...]

    async def prepare(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Put files and settings into HOME, which is pristine now.

        Raises:
            SetupError: A step is not understood.
        """

    def launch(self, desk: Desk, setup: Sequence[Step]) -> Launch:
        """Return how to start the program."""

    async def ready(self, desk: Desk) -> str | None:
        """Return what is still missing before a person could work, or None; asked every 50 ms."""

    async def arrange(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Do what can only be done in the running program: open a tab, plot a curve, add a layer.

        Raises:
            SetupError: A step is not understood.
        """

    async def state(self, desk: Desk) -> Collections:
        """Return what is true now, as plain data, without changing anything on the screen."""


@runtime_checkable
class Placing(Protocol):
    """An application that knows where the things are that it paints itself, which no node tells."""

    async def place(self, desk: Desk, name: str) -> Box | None:
        """Return the box of what is called `name` on the screen, None where it is not there."""
