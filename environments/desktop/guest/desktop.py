"""The desktop: its files, programs, screen, input, accessibility tree and state."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from guest import applications, kept, processes, program, safe_files, selecting, session, telling
from guest.applications.base import Application, Episode, InTree, Late, Placing, Private, Saving
from guest.box import Box as Confinement
from guest.box import make_box
from guest.data import Launch, Step
from guest.documents import Documents
from guest.errors import BadRequest, Conflict, DesktopFailure
from guest.home import make_pristine, restore
from guest.input import Input
from guest.nodes import Box, Node
from guest.painting import Painting
from guest.places import Place
from guest.program import Done, Program
from guest.resetting import reset
from guest.screen import Screen
from guest.sealed.folders import Sealed
from guest.sealed.window import Wrapped
from guest.session import Options, Session
from guest.settling import CAP, QUIET, settle, wait_until_idle
from guest.state import DesktopState
from guest.timeouts import scaled

_SAVING_SECONDS = scaled(8.0)  # a file that stays is no saving
_POLL = 0.1


class Desktop:
    """One desktop with its session and episode.

    Attributes:
        home: The supervisor's path of HOME; that of programs is `box.places.home.inside`.
        store: A folder of the supervisor that survives resets, for caches of applications.
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
        self.lock = asyncio.Lock()  # held while the desktop is changed
        self.episode: Episode | None = None
        self._touched_at = 0.0
        self._session: Session | None = None
        self.documents = Documents(self.home)
        self.painting = Painting(self)
        self._sealed = Sealed(self.box, options.state, self.pristine)
        self._revision, self._digest = 0, ""

    # For applications

    @property
    def session(self) -> Session:
        """The running session.

        Raises:
            Conflict: No session runs.
            DesktopFailure: A part of it has ended.
        """
        if self._session is None:
            raise Conflict("no session runs on this desktop; POST session starts one")
        if failure := self._session.failure():
            raise DesktopFailure(f"{failure}; POST session restarts the desktop")
        return self._session

    @property
    def screen(self) -> Screen:
        """The screen."""
        return self.session.screen

    @property
    def input(self) -> Input:
        """Mouse and keyboard."""
        return self.session.input

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of the session's programs."""
        return session.session_environment(self.box, self.session.server.name, self.options.state)

    async def run(
        self,
        argv: Sequence[str],
        folder: str = ".",
        stdin: bytes = b"",
        seconds: float = 20,
        env: Mapping[str, str] | None = None,
        binds: Sequence[Place] = (),
    ) -> Done:
        """Run a confined program to its end; `folder` is relative to HOME.

        Raises:
            TimeoutError: It took longer and was killed.
        """
        environment = {**self.environment, **(env or {})}
        return await program.run(self.box, argv, environment, folder, stdin, seconds, binds)

    async def launch(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> Program:
        """Start a confined program that ends with the episode."""
        await self.painting.others_begin()
        return await self.session.launch(Launch(tuple(argv), env or {}), Path(argv[0]).name)

    async def start(self, application: Application, setup: Sequence[Step] = ()) -> Program:
        """Start an application; what it is told by, and where its code comes from, is out of the reach of agents."""
        binds = self._sealed.binds(application) if isinstance(application, Private) else []
        launch, session = application.launch(self, setup), self.session
        if self.episode is not None:
            own = application is self.episode.application
            await (self.painting.own_begins() if own else self.painting.others_begin())
        if isinstance(application, InTree):
            launch = replace(launch, env={**launch.env, **self._sealed.environment(application)})
            binds += self._sealed.unreadable(application)
            started = await session.launch_with_own_bus(launch, application.name, binds)
        else:
            started = await session.launch(launch, application.name, binds)
        session.launches[application.name].append(started)
        return started

    async def settle(self, cap: float = CAP, quiet: float = QUIET) -> bool:
        """Wait until the input is consumed and the screen has settled; return whether it did before the cap."""
        session = self.session
        return await settle(
            session.screen.frame, session.screen.size, session.input.wait_until_consumed, cap, quiet
        )

    async def wait_until_idle(self, seconds: float) -> bool:
        """Wait until the programs hardly use the processor; return whether they did in time."""
        return await wait_until_idle(
            lambda: processes.processor_seconds(processes.descendants(os.getpid())), seconds
        )

    async def nodes(
        self, showing: bool = True, whole: bool = False, without: frozenset[tuple[str, str]] = frozenset()
    ) -> list[Node]:
        """Return the accessibility tree in reading order, without what is below nodes of some roles and names.

        Raises:
            NotReady: An application does not answer in time, and `whole` is set.
        """
        return await self.session.accessibility.nodes(showing, whole, without)

    async def reread(self, node: Node, levels: int) -> Node | None:
        """Read a node again with some levels of its descendants, hidden ones included; None if it is gone.

        Raises:
            NotReady: The application does not answer in time.
        """
        return await self.session.accessibility.reread(node, levels)

    async def find(self, selector: str, whole: bool = False) -> Node | None:
        """Return the node that a selector matches, or None.

        Raises:
            Missing: It matches several nodes.
            BadRequest: The selector is malformed.
            NotReady: An application does not answer in time, and `whole` is set.
        """
        wanted = selecting.parse(selector)
        return wanted.one(await self.nodes(not wanted.hidden, whole))

    async def find_all(self, selector: str) -> list[Node]:
        """Return all nodes that a selector matches."""
        wanted = selecting.parse(selector)
        return wanted.all(await self.nodes(showing=not wanted.hidden))

    async def place(self, name: str) -> Box | None:
        """Return the box of something that the application paints itself, without a node.

        Raises:
            BadRequest: The application does not support this.
        """
        application = self._episode().application
        if not isinstance(application, Placing):
            raise BadRequest(f"{application.name} tells no places; its nodes do")
        return await application.place(self, name)

    async def do_action(self, node: Node, name_or_index: str | int = 0) -> None:
        """Perform one of a node's accessible actions.

        Raises:
            Missing: The node has no such action.
        """
        await self.session.accessibility.do_action(node, name_or_index)

    def read(self, relative: str, longest: int = safe_files.LONGEST) -> bytes:
        """Read at most `longest` bytes of a file below HOME, without following links.

        Raises:
            OSError: There is no such regular file.
        """
        return safe_files.read(self._sealed.root(relative), relative, longest)

    def matching(self, pattern: str, most: int) -> list[str]:
        """Return at most `most` paths below HOME that fit a pattern, sorted, without following links."""
        return safe_files.matching(self.home, pattern, most)

    def write(self, relative: str, content: bytes | str) -> None:
        """Write a file below HOME for the programs.

        Raises:
            OSError: A part of the path is a link or a file.
        """
        root = self._sealed.root(relative)
        safe_files.write(root, relative, content.encode() if isinstance(content, str) else content)
        self.box.own(root / Path(relative).parts[0])

    def file(self, relative: str) -> Path:
        """Return the supervisor's path of a file or folder below HOME."""
        return self._sealed.root(relative) / relative

    def inside(self, path: Path | str) -> str:
        """Translate a path below HOME (relative, or the supervisor's) to the path that programs see."""
        relative = Path(path).relative_to(self.home) if Path(path).is_absolute() else Path(path)
        return str(Path(self.box.places.home.inside) / relative)

    # For the protocols

    def touched(self) -> None:
        """Record that an action was performed, so that the next reset is not skipped."""
        self._touched_at = time.monotonic()
        if self.episode is not None:
            self.episode.touched = True

    async def written(self) -> None:
        """Wait until an application that writes some time after the last action has done so."""
        application = None if self.episode is None else self.episode.application
        if isinstance(application, Late):
            passed = time.monotonic() - self._touched_at
            await asyncio.sleep(max(0.0, application.late - passed))
        if isinstance(application, Saving):
            with suppress(TimeoutError):
                async with asyncio.timeout(_SAVING_SECONDS):
                    while any(self.matching(pattern, 1) for pattern in application.unfinished):
                        await asyncio.sleep(_POLL)

    async def begin(self, application: Application, setup: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Show an application with a setup; return the duration, the reset layer and the fingerprint."""
        return await reset(self, application, setup)

    async def end(self) -> None:
        """End the session with all of its programs."""
        ending, self._session, self.episode = self._session, None, None
        for application in applications.discover().values():
            if isinstance(application, Wrapped):
                application.close()
        if ending is not None:
            await ending.close()

    async def read_state(self) -> DesktopState:
        """Read the state; what cannot be read keeps its last values.

        Raises:
            Conflict: No session runs.
        """
        episode = self._episode()
        collections, failure, unsealed = await telling.read(self, episode)
        if paths := kept.paths_of(episode.setup):
            collections["kept"] = await asyncio.to_thread(kept.rows, self.home, paths)
        files = await asyncio.to_thread(self.documents.rows)
        return DesktopState({**collections, "files": files}, failure, unsealed)

    async def state(self) -> dict[str, Any]:
        """Return collections, fingerprint, a revision that grows with each change, and the failure, if any."""
        state = await self.read_state()
        if state.fingerprint != self._digest:
            self._digest, self._revision = state.fingerprint, self._revision + 1
        return {
            "collections": state.collections,
            "revision": self._revision,
            "fingerprint": state.fingerprint,
            "trouble": state.failure,
            "unsealed": state.unsealed,
        }

    async def open_application(self, name: str) -> None:
        """Start a further application, after checking that it is installed.

        Raises:
            BadRequest: The application is unknown.
            Conflict: The application is not installed.
        """
        application = applications.find(name)
        applications.require(application)
        await self.start(application)

    def _episode(self) -> Episode:
        if self.episode is None:
            raise Conflict("no session runs on this desktop; POST session starts one")
        return self.episode

    async def restart(self) -> Session:
        """Restart the session with empty folders.

        Raises:
            DesktopFailure: A folder cannot be emptied, or a part does not start.
        """
        ended = processes.zombies()  # of sandboxes; nobody awaits them
        await self.end()
        processes.reap(ended)
        try:
            await asyncio.to_thread(self._empty)
        except OSError as error:
            raise DesktopFailure(f"the folders of this desktop cannot be emptied: {error}") from error
        self._session, self.painting = await session.start(self.options, self.box), Painting(self)
        return self._session

    def _empty(self) -> None:
        self.box.empty()
        restore(self.home, self.pristine)
        self._sealed.empty()
        self.box.own(self.home)

    def live_session(self) -> Session | None:
        """Return the session if all of its parts are running."""
        return self._session if self._session is not None and self._session.failure() is None else None
