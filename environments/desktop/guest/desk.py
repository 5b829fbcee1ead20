"""A desktop as applications and protocols see it: its files, programs, picture, input and tree."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from guest import applications, beneath, program, selecting, session
from guest.applications.base import Application, Collections, Placing
from guest.box import Box as Confinement
from guest.box import make_box
from guest.documents import Documents
from guest.errors import BadRequest, GuestError, NotNow, Trouble
from guest.hands import Hands
from guest.home import make_pristine, restore
from guest.look import Look
from guest.nodes import Box, Node
from guest.patience import patient
from guest.plain import plain
from guest.program import Done, Program
from guest.resetting import Episode, reset
from guest.screen import Screen
from guest.session import Options, Session
from guest.settling import CAP, QUIET, settle

_STATE_SECONDS = patient(18.0)  # on a busy machine; the plugin waits for 20


class Desk:
    """One desktop and what runs on it.

    Attributes:
        home: HOME as the supervisor sees it; programs see `box.places.home.inside`.
        store: A folder of the supervisor that outlives resets, for what an application prepares once.
    """

    def __init__(self, options: Options, confine: str) -> None:
        self.options = options
        self.box: Confinement = make_box(confine, options.state)
        self.home: Path = self.box.places.home.host
        self.pristine = options.state / "pristine"
        self.store = options.state / "store"
        for folder in (self.pristine, self.store):
            folder.mkdir(parents=True, exist_ok=True)
        make_pristine(self.pristine)
        self.lock = asyncio.Lock()  # who changes the desktop holds it
        self.episode: Episode | None = None
        self._session: Session | None = None
        self.documents = Documents(self.home)
        self._revision, self._digest = 0, ""

    # What applications use.

    @property
    def session(self) -> Session:
        """The session that runs.

        Raises:
            NotNow: None was started.
            Trouble: A part of it has ended.
        """
        if self._session is None:
            raise NotNow("no session runs on this desktop; POST session starts one")
        if trouble := self._session.trouble():
            raise Trouble(f"{trouble}; POST session starts the desktop anew")
        return self._session

    @property
    def screen(self) -> Screen:
        """The picture."""
        return self.session.screen

    @property
    def input(self) -> Hands:
        """Mouse and keyboard."""
        return self.session.hands

    @property
    def environment(self) -> dict[str, str]:
        """The variables that programs of the session get."""
        return session.session_environment(self.box, self.session.server.name, self.options.state)

    async def run(
        self,
        argv: Sequence[str],
        folder: str = ".",
        stdin: bytes = b"",
        seconds: float = 20,
        env: Mapping[str, str] | None = None,
    ) -> Done:
        """Run a program inside to its end; `folder` is relative to HOME.

        Raises:
            TimeoutError: It took longer; it is gone.
        """
        return await program.run(self.box, argv, {**self.environment, **(env or {})}, folder, stdin, seconds)

    async def launch(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> Program:
        """Start a program inside that ends with the episode."""
        return await self.session.launch(tuple(argv), env or {}, ".", Path(argv[0]).name)

    async def settle(self, cap: float = CAP, quiet: float = QUIET) -> bool:
        """Wait until the input is consumed and the screen has come to rest; return whether it did before the cap."""
        session = self.session
        return await settle(session.screen.frame, session.screen.size, session.hands.consumed, cap, quiet)

    async def nodes(self, showing: bool = True, whole: bool = False) -> list[Node]:
        """Return the accessibility tree in reading order.

        Raises:
            NotYet: An application does not answer in time, and the tree was to be `whole`.
        """
        return await self.session.accessibility.nodes(showing, whole)

    async def reread(self, node: Node, levels: int) -> Node | None:
        """Return a node as it is now with some levels of what lies below it, shown or not; None when it is gone.

        Raises:
            NotYet: The application does not answer in time.
        """
        return await self.session.accessibility.reread(node, levels)

    async def find(self, selector: str) -> Node | None:
        """Return the node that a selector fits, None when there is none.

        Raises:
            Missing: Several fit.
            BadRequest: The selector is malformed.
        """
        wanted = selecting.parse(selector)
        return wanted.one(await self.nodes(showing=not wanted.hidden))

    async def find_all(self, selector: str) -> list[Node]:
        """Return all nodes that a selector fits."""
        wanted = selecting.parse(selector)
        return wanted.all(await self.nodes(showing=not wanted.hidden))

    async def place(self, name: str) -> Box | None:
        """Return where something is that the application paints itself, so that no node tells it.

        Raises:
            BadRequest: The application tells no places.
        """
        application = self._episode().application
        if not isinstance(application, Placing):
            raise BadRequest(f"{application.name} tells no places; its nodes do")
        return await application.place(self, name)

    async def do_action(self, node: Node, name_or_index: str | int = 0) -> None:
        """Have a node carry out one of its accessible actions.

        Raises:
            Missing: It has no such action.
        """
        await self.session.accessibility.do_action(node, name_or_index)

    def read(self, relative: str) -> bytes:
        """Return a file below HOME, whatever links programs have put there.

        Raises:
            OSError: There is no such regular file.
        """
        return beneath.read(self.home, relative)

    def write(self, relative: str, content: bytes | str) -> None:
        """Write a file below HOME for the programs.

        Raises:
            OSError: A link or a file lies on the way.
        """
        beneath.write(self.home, relative, content.encode() if isinstance(content, str) else content)
        self.box.own(self.home / Path(relative).parts[0])

    def inside(self, path: Path | str) -> str:
        """Return a path below HOME, given relative to it or as the supervisor sees it, as programs see it."""
        relative = Path(path).relative_to(self.home) if Path(path).is_absolute() else Path(path)
        return str(Path(self.box.places.home.inside) / relative)

    # What the protocols use.

    def touched(self) -> None:
        """Remember that somebody acted, so that the next reset does more than look."""
        if self.episode is not None:
            self.episode.touched = True

    async def begin(self, application: Application, setup: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Bring an application on the screen as a setup wants it; return how long it took and what was needed."""
        return await reset(self, application, setup)

    async def end(self) -> None:
        """End the session with all of its programs."""
        ending, self._session, self.episode = self._session, None, None
        if ending is not None:
            await ending.close()

    async def look(self) -> Look:
        """Return what is true now, as far as it can be read; of the rest, what was true when it was read last.

        Raises:
            NotNow: No session was started.
        """
        episode = self._episode()
        told, trouble = episode.told, None
        try:
            told = episode.told = await self._told(episode.application)
        except GuestError as error:
            trouble = str(error)
        except Exception as error:  # programs may have put anything where an application looks for its state
            trouble = (
                f"the state of {episode.application.name} cannot be read: {type(error).__name__}: {error}"
            )
        return Look({**told, "files": await self._files()}, trouble)

    async def _told(self, application: Application) -> Collections:
        _ = self.session
        try:
            async with asyncio.timeout(_STATE_SECONDS):
                told: Collections = plain(await application.state(self))
        except TimeoutError:
            raise Trouble(f"{application.name} did not tell its state within {_STATE_SECONDS:g} s") from None
        return told

    async def _files(self) -> dict[str, dict[str, Any]]:
        return await asyncio.to_thread(self.documents.rows)

    async def state(self) -> dict[str, Any]:
        """Return collections, fingerprint, a revision that grows when they change, and what is broken, if anything."""
        look = await self.look()
        if look.fingerprint != self._digest:
            self._digest, self._revision = look.fingerprint, self._revision + 1
        return {
            "collections": look.collections,
            "revision": self._revision,
            "fingerprint": look.fingerprint,
            "trouble": look.trouble,
        }

    async def open_application(self, name: str) -> None:
        """Start an application beside what runs; what it needs is checked.

        Raises:
            BadRequest: It is unknown.
            NotNow: It is not installed.
        """
        application = applications.find(name)
        applications.require(application)
        launch = application.launch(self, ())
        await self.session.launch(launch.argv, launch.env, launch.folder, application.name)

    def _episode(self) -> Episode:
        if self.episode is None:
            raise NotNow("no session runs on this desktop; POST session starts one")
        return self.episode

    async def fresh(self) -> Session:
        """Start the session anew, with nothing of what programs wrote before.

        Raises:
            Trouble: What they wrote cannot be removed, or a part does not come up.
        """
        await self.end()
        try:
            await asyncio.to_thread(self._empty)
        except OSError as error:
            raise Trouble(f"the folders of this desktop cannot be emptied: {error}") from error
        self._session = await session.start(self.options, self.box)
        return self._session

    def _empty(self) -> None:
        self.box.empty()
        restore(self.home, self.pristine)
        self.box.own(self.home)

    def healthy(self) -> Session | None:
        """Return the session while all of it lives."""
        return self._session if self._session is not None and self._session.trouble() is None else None
