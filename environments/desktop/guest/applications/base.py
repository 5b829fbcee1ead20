"""The interface of applications: prepare files, launch, wait until ready, arrange, read the state."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from guest.desktop import Desktop
    from guest.nodes import Box

Step = Mapping[str, Any]  # {"do": verb, ...}: one step of a task's setup, as plain data
Collections = dict[str, dict[str, dict[str, Any]]]  # collection -> key -> row


class SetupError(Exception):
    """A setup step is unknown or malformed; the message says which, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The command that starts an application inside the desktop.

    Attributes:
        argv: Program and arguments; never a shell.
        env: Variables in addition to those of the desktop session.
        folder: Working directory, relative to HOME.
        channel: Its standard input, over which the program is asked for its state (`sealed/window.py`).
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    folder: str = "."
    channel: socket.socket | None = None


class Application(Protocol):
    """One application. The guest calls, in this order: `prepare`, `launch`, `ready` until None, `arrange`.

    Attributes:
        name: As in the suite's folder.
        packages: Debian packages that it needs.
        programs: Files that must exist for it to run.
    """

    name: str
    packages: tuple[str, ...]
    programs: tuple[str, ...]

    async def prepare(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Put files and settings into the fresh HOME.

        Raises:
            SetupError: A step is unknown or malformed.
        """

    def launch(self, desktop: Desktop, setup: Sequence[Step]) -> Launch:
        """Return the command to start."""

    async def ready(self, desktop: Desktop) -> str | None:
        """Return what is still missing before a user could work, or None; called every 50 ms."""

    async def arrange(self, desktop: Desktop, setup: Sequence[Step]) -> None:
        """Perform the setup that needs the running program: open a tab, plot a curve, add a layer.

        Raises:
            SetupError: A step is unknown or malformed.
        """

    async def state(self, desktop: Desktop) -> Collections:
        """Return the state as plain data, as far as it needs no running program of the application."""


@runtime_checkable
class Live(Application, Protocol):
    """An application of which a part of the state is told by its running program alone.

    Attributes:
        closed: What is told when the program was closed; None if what it told last counts then.
    """

    @property
    def closed(self) -> Collections | None:
        """The rows, by collection."""

    async def live_state(self, desktop: Desktop) -> Collections:
        """Return what the running program tells, without changing anything on the screen.

        Raises:
            NotReady: It does not answer in time.
            Ended: It has ended; the caller notices by itself when all launches have.
        """


@runtime_checkable
class Late(Protocol):
    """An application that writes what was set some time after the input.

    Attributes:
        late: Seconds after the last input in which it may still write.
    """

    late: float


@runtime_checkable
class Windowless(Protocol):
    """An application that shows nothing, so that its screen may stay empty.

    Attributes:
        windowless: True.
    """

    windowless: bool


@runtime_checkable
class Saving(Protocol):
    """An application that leaves a file of its own beside a document while it saves it.

    Attributes:
        unfinished: Patterns of these files, below HOME.
    """

    unfinished: Sequence[str]


@runtime_checkable
class Private(Protocol):
    """An application with folders that no other programs see, so that nobody can put code of theirs into them.

    Attributes:
        private: The folders, below HOME.
    """

    private: Sequence[str]


@runtime_checkable
class InTree(Private, Live, Protocol):
    """An application that is read from its accessibility tree, as far as its program tells its state.

    It has a message bus and settings of its own, and programs that it starts cannot look into it or change its memory.

    Attributes:
        executable: The program that it runs, one of `programs`; no script.
        settings: One of its private folders, in which `config`, `data` and `cache` replace `~/.config` and the like.
    """

    executable: str
    settings: str


@runtime_checkable
class Placing(Protocol):
    """An application that can locate what it paints itself, without accessibility nodes."""

    async def place(self, desktop: Desktop, name: str) -> Box | None:
        """Return the box of the element `name`; None if it is not on the screen."""
