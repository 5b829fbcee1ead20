"""The interface of applications: prepare files, launch, wait until ready, arrange, read the state.

`Desk` is what they see of the desktop, which itself knows them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from guest.data import Collections, Launch, Step

if TYPE_CHECKING:
    from guest.box import Box as Confinement
    from guest.documents import Documents
    from guest.input import Input
    from guest.nodes import Box, Node
    from guest.painting import Painting
    from guest.places import Place
    from guest.program import Done, Program
    from guest.screen import Screen
    from guest.session import Session


@dataclass(slots=True)
class Episode:
    """The last prepared setup, and whether an action was performed since.

    Attributes:
        display_state: The initial state of the display, including the picture.
        told: What was read last, by application and how it was read.
    """

    application: Application
    setup: list[Mapping[str, Any]]
    fingerprint: str = ""
    display_state: Mapping[str, Any] = field(default_factory=dict)
    touched: bool = False
    told: dict[tuple[str, str], Collections] = field(default_factory=dict)


class Desk(Protocol):
    """What applications and their readers see of the desktop; `Desktop` says more of each.

    Attributes:
        home: The supervisor's path of HOME; that of programs is `box.places.home.inside`.
        store: A folder of the supervisor that survives resets, for caches of applications.
    """

    box: Confinement
    home: Path
    store: Path
    documents: Documents
    painting: Painting
    episode: Episode | None

    @property
    def session(self) -> Session: ...
    @property
    def screen(self) -> Screen: ...
    @property
    def input(self) -> Input: ...
    @property
    def environment(self) -> dict[str, str]: ...
    async def run(
        self,
        argv: Sequence[str],
        folder: str = ".",
        stdin: bytes = b"",
        seconds: float = 20,
        env: Mapping[str, str] | None = None,
        binds: Sequence[Place] = (),
    ) -> Done: ...
    async def start(self, application: Application, setup: Sequence[Step] = ()) -> Program: ...
    async def settle(self, cap: float = ..., quiet: float = ...) -> bool: ...
    async def nodes(
        self, showing: bool = True, whole: bool = False, without: frozenset[tuple[str, str]] = frozenset()
    ) -> list[Node]: ...
    async def reread(self, node: Node, levels: int) -> Node | None: ...
    async def find(self, selector: str, whole: bool = False) -> Node | None: ...
    async def find_all(self, selector: str) -> list[Node]: ...
    async def do_action(self, node: Node, name_or_index: str | int = 0) -> None: ...
    def read(self, relative: str, longest: int = ...) -> bytes: ...
    def matching(self, pattern: str, most: int) -> list[str]: ...
    def write(self, relative: str, content: bytes | str) -> None: ...
    def file(self, relative: str) -> Path: ...
    def inside(self, path: Path | str) -> str: ...


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

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Put files and settings into the fresh HOME.

        Raises:
            SetupError: A step is unknown or malformed.
        """

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command to start."""

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is still missing before a user could work, or None; called every 50 ms."""

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Perform the setup that needs the running program: open a tab, plot a curve, add a layer.

        Raises:
            SetupError: A step is unknown or malformed.
        """

    async def state(self, desktop: Desk) -> Collections:
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

    async def live_state(self, desktop: Desk) -> Collections:
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

    async def place(self, desktop: Desk, name: str) -> Box | None:
        """Return the box of the element `name`; None if it is not on the screen."""
