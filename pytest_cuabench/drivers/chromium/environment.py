"""Environment of web worlds: reset, observe and act in the tabs of one headless browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_cuabench.drivers.base import Environment, InputEvent
from pytest_cuabench.drivers.chromium.acting.actions import ActionExecutor
from pytest_cuabench.drivers.chromium.acting.input import Input
from pytest_cuabench.drivers.chromium.acting.window import NativeInput
from pytest_cuabench.drivers.chromium.native.files import Files
from pytest_cuabench.drivers.chromium.observing.locating import Match, find
from pytest_cuabench.drivers.chromium.observing.observe import Observer
from pytest_cuabench.drivers.chromium.observing.reading import read_document
from pytest_cuabench.drivers.chromium.own_app.granted import NOTHING
from pytest_cuabench.drivers.chromium.session.interrupts import NoTab, bounded, closed
from pytest_cuabench.drivers.chromium.session.origin_policy import AllowedOrigins, redacted
from pytest_cuabench.drivers.chromium.session.reports import Reports
from pytest_cuabench.drivers.chromium.session.session import Session, SessionSpec
from pytest_cuabench.drivers.idling import until_idle
from pytest_cuabench.drivers.paint import blank, zoomed
from pytest_cuabench.errors import ActionError, EnvironmentFailure
from pytest_cuabench.task.action import Action, Capability, Screenshot, Size, Wait, Zoom, check_on_screen
from pytest_cuabench.task.evidence import Activity, State
from pytest_cuabench.task.observation import ActionResult, Box, Node, Observation, ObservationKind, Placed

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.browser.browser import Chromium
    from pytest_cuabench.drivers.chromium.world import World, WorldSession
    from pytest_cuabench.task.model import Instance
    from pytest_cuabench.task.phases import FoundDocument

T = TypeVar("T")


class ChromiumEnvironment(Environment):
    """One world in one browser; a fresh context, tab and world session per `reset`.

    Args:
        browser: The worker's browser; it is not closed here.
        world: Creates sessions of the application.
        screen: The viewport, which is the agent's whole screen.
        downloads: Folder for downloads, with a new subfolder per episode.
        uploads: Files that file dialogs offer, besides the episode's downloads.
        headed: Shows a window for a person, with the browser's own dialogs and lists.
        deadline: Timeout in seconds of showing the start page.
        cap: Seconds after which a page that keeps changing counts as settled.
        patience: Timeout in seconds of one action or observation, besides the action's own duration.
    """

    capabilities: tuple[Capability, ...] = ("pointer", "keyboard", "browser", "elements")

    def __init__(
        self,
        browser: Chromium,
        world: World,
        screen: Size,
        *,
        downloads: Path,
        uploads: Path | None = None,
        headed: bool = False,
        deadline: float = 60.0,
        cap: float = 3.0,
        patience: float = 20.0,
    ) -> None:
        self.screen = screen
        self._browser, self._source = browser, world
        self._downloads, self._uploads = downloads, uploads
        self._display = browser.display
        self._person = headed or (not browser.headless and self._display is None)
        self._deadline, self._cap, self._patience = deadline, cap, patience
        self._world: WorldSession | None = None
        self._session: Session | None = None
        self._files: Files | None = None
        self._awaited = ""
        self._unfinished: tuple[str, ...] = ()  # what the episode left open
        self._observer, self._input = Observer(screen, self._display), Input()
        self._hands: NativeInput | None = None

    @property
    def origin(self) -> str | None:
        """See `Environment.origin`."""
        return self._session.spec.allowed.origin if self._session else None

    async def reset(self, instance: Instance) -> None:
        """See `Environment.reset`."""
        try:
            async with asyncio.timeout(self._deadline):
                await self._finish()
                await self._start(instance)
        except TimeoutError:
            tabs = self._session.front.tabs if self._session else []
            where = redacted(tabs[-1].page.url) if tabs else "no page yet"
            raise EnvironmentFailure(
                f"The start page of {instance.task.application} was not ready after {self._deadline:g} s: "
                f"still waiting for {self._awaited}, with {where} on the screen."
            ) from None

    async def observe(self, kind: ObservationKind) -> Observation:
        """See `Environment.observe`."""
        session = self._running()
        async with bounded("show its page", 2 * self._patience):
            seen = await self._retried(session, lambda: self._observer.observe(session, kind))
        notices, session.log.notices[:] = tuple(session.log.notices), []
        return replace(seen, cursor=self._input.cursor, notices=notices)

    async def perform(self, action: Action) -> ActionResult:
        """See `Environment.perform`."""
        session = self._running()
        try:
            check_on_screen(action, self.screen, self.capabilities)
            if isinstance(action, Screenshot | Zoom):
                return await self._look(session, action)
            return await self._act(session, action)
        except ActionError as error:
            return ActionResult(error=str(error))

    async def settle(self) -> None:
        """See `Environment.settle`."""
        session = self._running()
        async with bounded("come to rest", self._cap + self._patience):
            await self._settle(session)

    async def revision(self) -> int | None:
        """See `Environment.revision`."""
        await self._report()
        return await self._world_session().revision()

    async def state(self) -> State:
        """See `Environment.state`."""
        await self._report()
        return await self._world_session().state()

    async def activity(self) -> Activity:
        """See `Environment.activity`."""
        return self._session.log.activity() if self._session is not None else Activity()

    async def finish(self) -> tuple[str, ...]:
        """See `Environment.finish`."""
        session, world = self._running(), self._world_session()
        clock = asyncio.get_running_loop().time
        end = clock() + self.finish_seconds
        tells = await world.idle() is not None
        unanswered = await session.leave(self.finish_seconds, patient=not tells)
        work = await until_idle(world.idle, end - clock()) if tells else ()
        self._unfinished = (*unanswered, *work)
        return self._unfinished

    async def document(self, name: str) -> FoundDocument | None:
        """See `Environment.document`: the page at an address of the world, opened in the tab in front."""
        session = self._running()
        url = session.spec.allowed.address(name, session.spec.start_url)
        if url is None or "://" not in name:
            return None
        async with bounded(f"open {redacted(url)}", self._deadline):
            if session.closed and self._files is not None:  # the episode has ended
                self._session = session = await self._open_browser(self._world_session(), self._files)
            await session.wait_for_tab()
            tab, address = session.active, url.partition("#")[0]
            # Agents may name a page with a slash at its end that the server does not know.
            return await read_document(tab, address) or await read_document(tab, address.rstrip("/"))

    @property
    def windowed(self) -> bool:
        """Whether the browser has a window, which shows more than its pages."""
        return self._display is not None or self._person

    @property
    def pages(self) -> Session | None:
        """See `Environment.pages`."""
        return None if self.windowed else self.session

    @property
    def session(self) -> Session:
        """The browser session of the running episode, for programs that reach it by the browser's own protocol.

        Raises:
            EnvironmentFailure: No episode is running, or it broke.
        """
        return self._running()

    def input_events(self) -> tuple[InputEvent, ...]:
        """See `Environment.input_events`."""
        return self._session.input_recorder.input_events() if self._session is not None else ()

    async def close(self) -> None:
        """See `Environment.close`."""
        await self._finish()
        if self._display is not None:  # then the browser is this environment's own
            await self._browser.close()

    async def _finish(self) -> None:
        """End the episode."""
        hands, self._hands = self._hands, None
        if hands is not None:
            with suppress(EnvironmentFailure, ActionError):  # the screen is broken, and starts anew
                await hands.release()
        session, self._session = self._session, None
        world, self._world = self._world, None
        if session is not None:
            self._unfinished = self._unfinished or session.log.writes.unanswered()
            self._awaited = "the last page to close"
            await session.close()
        if self._files is not None:
            self._files.remove()
            self._files = None
        if world is not None:
            self._awaited = "the last session of the application to end"
            await self._end(world)

    async def locate(self, target: str) -> Box | None:
        """See `Environment.locate`; `dialog=OK` is that part of an open dialog."""
        session = self._running()
        if target.startswith("dialog="):
            return session.overlay.boxes().get(target.removeprefix("dialog=")) if session.overlay else None
        if (part := await self._drawn(session, target)) is not None:
            return part.box
        match = await self._find_match(session, target)
        return match.box if match else None

    async def place(self, target: str) -> Placed | None:
        """See `Environment.place`; frames of the page clip what is in them."""
        session = self._running()
        if target.startswith("dialog=") or await self._drawn(session, target) is not None:
            return await super().place(target)
        match = await self._find_match(session, target)
        return match.placed(Box(0, 0, *self.screen)) if match else None

    async def read(self, target: str) -> str | None:
        """See `Environment.read`; `dialog=message` is what an open dialog says."""
        session = self._running()
        if target == "dialog=message":
            return session.overlay.message if session.overlay else session.asked
        if (part := await self._drawn(session, target)) is not None:
            return part.value or part.name
        match = await self._find_match(session, target)
        return match.text if match else None

    async def _report(self) -> None:
        """Have the world know what its pages show."""
        if self._session is not None and self._session.spec.reports is not None:
            asked = self._session.asked is not None  # while a dialog is open, a page answers nothing
            await self._session.spec.reports.taken(() if asked else self._session.front.tabs)

    async def _open(self, instance: Instance) -> WorldSession:
        task = instance.task
        return await self._source.open(task.scope.opens or task.application, instance.seed)

    async def _start(self, instance: Instance) -> None:
        self._unfinished = ()
        self._awaited = f"the server of {instance.task.application}"
        self._world = world = await self._open(instance)
        self._awaited = "the browser"
        self._observer, self._input = Observer(self.screen, self._display), Input()
        self._files = files = Files(self._downloads, self._uploads)
        self._session = session = await self._open_browser(world, files)
        self._hands = NativeInput(self._display) if self._display is not None else None
        start = redacted(world.start_url)
        self._awaited = f"the page {start}"
        async with bounded(f"open {start}", self._deadline):
            response = await session.goto_start()
            if response is None or response.status >= 400:
                status = response.status if response else "nothing"
                raise EnvironmentFailure(f"The start page {start} answered {status}.")
            self._awaited = "the start page to be painted"
            await self._settle(session)
            while not await session.contentful() and blank(await self._observer.page(session)):
                await self._settle(session)

    async def _open_browser(self, world: Any, files: Files) -> Session:
        spec = SessionSpec(
            AllowedOrigins(world.origin, getattr(world, "hosts", ()), getattr(world, "tunnel", None)),
            world.start_url,
            self.screen,
            files,
            self._person,
            _reports(world),
            getattr(world, "granted", NOTHING),
        )
        return await Session.open(self._browser, spec)

    async def _act(self, session: Session, action: Action) -> ActionResult:
        session.log.acting = True
        session.begin()
        try:
            async with bounded(
                f"carry out {action.kind}", self._patience + action.extra_seconds() + self._cap
            ):
                await session.wait_for_tab()
                try:
                    result = await self._execute(session, action)
                    if isinstance(action, Wait):
                        session.begin()  # what the page did by itself meanwhile is no work of an action
                except ActionError as error:  # settle all the same: it may have done a part
                    result = ActionResult(error=str(error))
                await self._settle(session)
                session.interrupts.check()
                return result
        finally:
            session.log.acting = False

    async def _settle(self, session: Session) -> None:
        """Wait until the page has settled and, in a window, the browser has painted it."""
        await session.settle(self._cap)
        if self._display is not None:
            await self._display.settle()

    async def _execute(self, session: Session, action: Action) -> ActionResult:
        from playwright.async_api import Error

        try:
            marks = self._observer.marks
            return await ActionExecutor(session, self._input, marks, self._hands).perform(action)
        except NoTab:
            return ActionResult()  # such as a click on a button that closes its own window
        except Error as error:
            session.interrupts.check()
            if closed(error):  # the tab, or the whole browser: the next calls raise in that case
                await session.wait_for_tab()
                await session.settle(self._cap)
                session.interrupts.check()
                return ActionResult()
            raise ActionError(
                f"{action.kind}: the browser refused: {str(error).strip().splitlines()[0]}"
            ) from None

    async def _look(self, session: Session, action: Screenshot | Zoom) -> ActionResult:
        async with bounded("show its page", self._patience):
            image = await self._retried(session, lambda: self._observer.picture(session))
        if isinstance(action, Zoom):
            image = zoomed(image, action.region, self.screen)
        return ActionResult(image=image)

    async def _find_match(self, session: Session, target: str) -> Match | None:
        async with bounded(f"find {target}", self._patience):
            if session.asked is not None:
                return None
            return await self._retried(
                session, lambda: session.interrupts.unless_interrupted(find(session.active.page, target))
            )

    async def _drawn(self, session: Session, target: str) -> Node | None:
        """Return the part of a drawn list that a selector names."""
        if session.asked is not None:
            return None
        async with bounded(f"find {target}", self._patience):
            return await self._retried(session, lambda: session.active.drawn.find(target))

    async def _retried(self, session: Session, look: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `look`; retry once on the front tab if the tab closed or was replaced."""
        from playwright.async_api import Error

        await session.wait_for_tab()
        try:
            return await look()
        except (NoTab, Error):
            session.interrupts.check()
        await session.wait_for_tab()
        await session.settle(self._cap)
        await session.wait_for_tab()
        return await look()

    async def _end(self, world: WorldSession) -> None:
        with suppress(EnvironmentFailure):  # if the server is gone, so is the session
            await world.close()

    def _running(self) -> Session:
        if self._session is None:
            raise EnvironmentFailure("No episode is running; call reset first.")
        self._session.interrupts.check()
        return self._session

    def _world_session(self) -> WorldSession:
        if self._world is None:
            raise EnvironmentFailure("No episode is running; call reset first.")
        return self._world


def _reports(world: WorldSession) -> Reports | None:
    """Return what hears the pages of a world that has a probe."""
    probe, report = getattr(world, "probe", ""), getattr(world, "report", None)
    return Reports(probe, world.origin, report) if probe and report else None
