"""Browser session of one episode: context, tabs, network log and dialogs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.native.dialogs import Dialogs
from pytest_cuabench.drivers.chromium.native.files import Files
from pytest_cuabench.drivers.chromium.native.parts import BY_CHORD, PRINT, notice
from pytest_cuabench.drivers.chromium.own_app.granted import NOTHING, Granted
from pytest_cuabench.drivers.chromium.session.clipboard import Clipboard
from pytest_cuabench.drivers.chromium.session.frames import ScriptError
from pytest_cuabench.drivers.chromium.session.front import Front
from pytest_cuabench.drivers.chromium.session.input_events import InputRecorder
from pytest_cuabench.drivers.chromium.session.interrupts import Interrupts, NoTab
from pytest_cuabench.drivers.chromium.session.leaving import Leaving
from pytest_cuabench.drivers.chromium.session.log import DOWNLOAD, Log
from pytest_cuabench.drivers.chromium.session.origin_policy import AllowedOrigins, host_and_port
from pytest_cuabench.drivers.chromium.session.pending import Pending
from pytest_cuabench.drivers.chromium.session.proxy import Proxy
from pytest_cuabench.drivers.chromium.session.reports import Reports
from pytest_cuabench.drivers.chromium.session.scripts import beside, script, within
from pytest_cuabench.drivers.chromium.session.streams import Streams
from pytest_cuabench.drivers.chromium.session.tab import BLANK, FAULT, OPENING, Rest, Tab
from pytest_cuabench.task.action import Size

if TYPE_CHECKING:
    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.browser.browser import Chromium
    from pytest_cuabench.drivers.chromium.native.overlay import Overlay

_CHOOSING = "chooser"  # a file dialog that is about to open
_WILL_CHOOSE = 5.0  # seconds to wait for it
_BUSY = 1.0  # seconds that a page may answer late
_CONTENTFUL = 'performance.getEntriesByName("first-contentful-paint").length > 0'
_ERROR_PAGE = "error page"
_WILL_SHOW = 1.0  # seconds to wait for the browser's error page
_GONE = "A page crashed repeatedly; the attempt cannot continue."
_CHALLENGED = (
    "The page asks for a user name and a password by HTTP authentication; this browser shows no dialog for them, and "
    "the world gives none that are accepted."
)
_PROMISED = 10.0  # seconds to wait for a download or file dialog after the page has settled
_MOST_CRASHES = 3  # reloads after a crash in one episode
_MOST_PRINTED = 3  # at the same time
_MOST_REPEATING = 100  # names of a page's timers that are kept
MOST_TABS = 20  # a page cannot open more


class Settling:
    """What counts as settled.

    Attributes:
        began: When the last action began, in milliseconds; what began before is not waited for.
        repeating: Names of timers that pages start again and again, which are not waited for either.
    """

    def __init__(self) -> None:
        self.began = time.time() * 1000
        self.repeating: dict[str, None] = {}

    def learn(self, rest: Rest) -> None:
        """Note the timers that repeat."""
        for name in rest.repeating:
            if len(self.repeating) < _MOST_REPEATING:
                self.repeating[name] = None


@dataclass(frozen=True, slots=True)
class SessionSpec:
    """What a session shows, and to whom.

    Attributes:
        person: Whether a person acts in the browser, for whom its own dialogs are shown.
        reports: What the world's pages report beyond what is seen of them.
    """

    allowed: AllowedOrigins
    start_url: str
    screen: Size
    files: Files
    person: bool
    reports: Reports | None = None
    granted: Granted = NOTHING


class Session:
    """Created by `Session.open`, released by `close`."""

    def __init__(self, spec: SessionSpec, clipboard: Clipboard, *, window: bool) -> None:
        self.spec = spec
        self.pending, self.promised = Pending(), Pending()
        self.interrupts = Interrupts()
        self.proxy = Proxy(spec.allowed)
        self.log = Log(spec.allowed, self.proxy, self.pending, self.promised)
        self.streams = Streams(self.pending, lambda: self.log.acting)
        self.front = Front()
        self.input_recorder = InputRecorder()
        self.dialogs = Dialogs(spec.screen, spec.files, self.interrupts)
        self.clipboard = clipboard
        self._window = window
        self._beside = ""  # what runs beside the pages' scripts
        self._filled: set[str] = set()  # windows that fill the screen
        self._context: playwright.BrowserContext | None = None
        self._settling = Settling()
        self._crashes = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    @classmethod
    async def open(cls, browser: Chromium, spec: SessionSpec) -> Session:
        """Open a context with one blank tab."""
        window, allowed, granted = browser.display is not None, spec.allowed, spec.granted
        self = cls(spec, Clipboard(browser.clipboard), window=window)
        size: dict[str, Any] = {
            "viewport": {"width": spec.screen.width, "height": spec.screen.height},
            "device_scale_factor": 1,
        }
        try:
            proxy = {"server": await self.proxy.open(), "bypass": allowed.bypass}
            self._context = await browser.context(
                **({"no_viewport": True} if window else size),
                locale="en-US",
                timezone_id="UTC",
                reduced_motion="reduce",
                accept_downloads=True,
                proxy=proxy,
                # No authority can be trusted by one context alone; and all that this one reaches is the world.
                ignore_https_errors=allowed.tunnel is not None or granted.insecure,
                **granted.options(allowed.origin),
            )
            if granted.permissions:
                await self._context.grant_permissions([*granted.permissions], origin=allowed.origin)
            await self._prepare(self._context)
        except BaseException:
            await self.close()
            raise
        return self

    @property
    def closed(self) -> bool:
        """Whether its pages are closed."""
        return self._context is None

    @property
    def overlay(self) -> Overlay | None:
        """The open dialog."""
        return self.dialogs.overlay

    @property
    def asked(self) -> str | None:
        """What an open dialog says, which the page waits for."""
        return self.overlay.title if self.overlay is not None else self.dialogs.native

    @property
    def active(self) -> Tab:
        """The tab in front.

        Raises:
            EnvironmentFailure: Something broke.
            NoTab: The last tab closed or crashed, and another is about to open: see `wait_for_tab`.
        """
        self.interrupts.check()
        if (tab := self.front.active) is None:
            raise NoTab("No tab of the browser is left: the last one closed or crashed.")
        return tab

    async def wait_for_tab(self) -> None:
        """Wait until a tab is in front, after the last one closed or crashed."""
        while self.front.active is None:
            await self.interrupts.unless_interrupted(self.front.wait())

    async def goto_start(self) -> playwright.Response | None:
        """Open the world's start page in the active tab."""
        tab = self.active
        # Until it begins only; `settle` waits for the rest, with a cap.
        response = await tab.page.goto(self.spec.start_url, wait_until="commit")
        if self._window:  # whose own keys and menu would go back to the blank page
            await tab.forget_history()
        return response

    async def activate(self, tab: Tab) -> None:
        """Bring a tab to the front."""
        self.front.bring(tab)
        await tab.page.bring_to_front()

    def begin(self) -> None:
        """Note that an action begins: what began before is not waited for."""
        self._settling.began = time.time() * 1000
        self.streams.begin()

    async def settle(self, cap: float) -> None:
        """Wait until the page has settled (at most `cap` seconds) and pending downloads and file dialogs are there."""
        await self._page_rests(cap)
        if self.asked is None:
            await self.interrupts.unless_interrupted(self._wait_for_files())

    async def contentful(self) -> bool:
        """Whether the page in front says that a text or a picture of it was shown."""
        from playwright.async_api import Error

        if self.asked is None:
            with suppress(Error, ScriptError):  # the document was replaced
                work = self.active.evaluate(_CONTENTFUL)
                return await self.interrupts.unless_interrupted(work) is True
        return False

    async def _page_rests(self, cap: float) -> None:
        clock = asyncio.get_running_loop().time
        end = clock() + cap
        while self.asked is None:
            left = end - clock()
            if left <= 0:
                self.log.stop_waiting()
                return
            rested = await self.interrupts.unless_interrupted(self._rest(left))
            if rested and rested.chooser and self.asked is None and not self.spec.person:
                self.promised.begin(_CHOOSING, _WILL_CHOOSE)
            if rested and rested.rested and not self.pending:
                return
            await self.interrupts.unless_interrupted(self.pending.over(end - clock()))

    async def _wait_for_files(self) -> None:
        """Wait for announced downloads and file dialogs, at most `_PROMISED` seconds."""
        if not await self.promised.over(_PROMISED):
            self.promised.clear()

    async def leave(self, seconds: float, *, patient: bool) -> tuple[str, ...]:
        """Let the pages do what they do when they are left, and close; return what was not answered in time.

        See `Leaving` for the arguments.
        """
        self._closing = True
        await self.dialogs.dismiss()
        # `_closing` is set before this: dialogs that pages open when they are left are answered by `_dialog`.
        unanswered = await Leaving(self.log, self.front.tabs, self.pending, seconds, patient=patient).run()
        await self.close()
        return unanswered

    async def close(self) -> None:
        """Close the context and its proxy; may be called twice."""
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        self.interrupts.cancel()
        if self.spec.reports is not None:
            self.spec.reports.close()
        await self.proxy.close()
        context, self._context = self._context, None
        if context is not None:
            await _close(context)

    async def _prepare(self, context: playwright.BrowserContext) -> None:
        context.on("page", self._opened)
        context.on("request", self._asked)
        context.on("response", self.log.answered)
        context.on("response", self._denied)
        context.on("requestfinished", self.log.finished)
        context.on("requestfailed", self._failed)
        context.on("close", lambda _: self._fail("The browser closed or crashed."))
        shared = self.clipboard.shared
        settings = {"PERSON": self.spec.person, "WINDOW": self._window, "COPIES": shared}
        probe = [] if self.spec.reports is None else [self.spec.reports.begin()]
        replaced = within(
            [script("replaced.js"), *probe], {**settings, "GRANTED": [*self.spec.granted.permissions]}
        )
        # Before the first page: such a script runs only in documents that begin later.
        await context.add_init_script(replaced)
        names = ["input_events.js"] if self.spec.person else ["keys.js"]
        own_lists = self.spec.person or self._window  # the browser's own
        names += [] if own_lists else ["popups.js"]
        names += ["clipboard.js"] if shared else []
        self._beside = beside(names, {**settings, "CHORDS": BY_CHORD})
        await context.new_page()
        # The event `page` adopts the tab in a task, which counts as pending.
        await self.pending.over(10)
        if not self.clipboard.shared:
            await self.active.empty_clipboard()

    async def _rest(self, seconds: float) -> Rest:
        """Wait for the front page to settle."""
        from playwright.async_api import Error

        if self.front.active is None:
            return Rest(False)  # the last tab closed, and another is about to open
        try:
            async with asyncio.timeout(seconds + _BUSY):
                tab = self.active
                # The script stops by itself after `seconds`; the margin is for a page that is too busy to run it.
                rest = await tab.rest(round(seconds * 1000), self._settling.began, self._settling.repeating)
            self._settling.learn(rest)
            return rest if self.front.active is tab else Rest(False)  # another came to the front
        except TimeoutError:
            return Rest(False)  # too busy to answer; the next call retries
        except (Error, ScriptError):
            self.interrupts.check()
            return Rest(False)  # the document was replaced: ask the new one

    def _spawn(self, work: Coroutine[Any, Any, Any], pending: Pending | None = None) -> None:
        """Run work in the background; it counts as pending until it is done."""
        task = asyncio.ensure_future(work)
        # asyncio keeps weak references to tasks only.
        self._tasks.add(task)
        pending = self.pending if pending is None else pending
        pending.begin(task)
        task.add_done_callback(lambda task: self._over(task, pending))

    def _over(self, task: asyncio.Task[Any], pending: Pending) -> None:
        self._tasks.discard(task)
        pending.end(task)
        if not task.cancelled():
            task.exception()  # the page vanished meanwhile; `crash` and `close` handle that

    def _fail(self, sentence: str) -> None:
        if not self._closing:
            self.interrupts.interrupt(sentence)

    def _asked(self, request: playwright.Request) -> None:
        self.log.started(request)
        frame = _frame(request)
        if request.resource_type == "eventsource" and (tab := frame and self.front.tab(frame.page)):
            self._spawn(self.streams.watch_events(tab.cdp, request.url))
        if request.is_navigation_request() and frame is not None and frame.parent_frame is None:
            self.streams.loads()
            if not self.spec.allowed.opens(request.url) and frame.url in BLANK:
                # A tab opened for a blocked link alone: close it without waiting for the failure.
                self._spawn(frame.page.close())

    def _denied(self, response: playwright.Response) -> None:
        """Tell of a page that asks for a user name and a password, where a browser would show a dialog."""
        challenge = response.headers.get("www-authenticate", "")
        if response.status == 401 and challenge and response.request.is_navigation_request():
            self.log.add_notice(_CHALLENGED)

    def _connected(self, socket: playwright.WebSocket) -> None:
        self.log.socket(socket.url)
        socket.on("framesent", lambda _: self.log.sent_frame())
        self.streams.watch_socket(socket)

    def _failed(self, request: playwright.Request) -> None:
        self.log.finished(request)
        # The browser shows no error page for a navigation that was aborted.
        if request.is_navigation_request() and request.failure != "net::ERR_ABORTED":
            self.pending.begin((_ERROR_PAGE, _frame(request)), _WILL_SHOW)
        if self.log.unreachable:
            self._fail(f"The application's server at {self.spec.allowed.origin} cannot be reached any more.")

    # Tabs.

    def _opened(self, page: playwright.Page) -> None:
        # Counted in the context: tabs that are being adopted are not in `front` yet.
        if len(page.context.pages) > MOST_TABS:
            self.log.add_notice(f"A new tab was closed at once: {MOST_TABS} are open already.")
            self._spawn(page.close())
            return
        announced = next((thing for thing in self.pending.things() if _is_opening(thing)), None)
        if announced is not None:
            self.pending.end(announced)
        behind = self.front.opens_behind()
        # Before anything is awaited: Playwright dismisses a dialog for which nobody listens.
        page.on("framenavigated", lambda frame: self._navigated(page, frame))
        page.on("crash", lambda _: self._crashed(page))
        page.on("close", lambda _: self._closed(page))
        page.on("dialog", self._dialog)
        page.on("download", self._downloading)
        page.on("websocket", lambda socket: self._connected(socket))
        # By a listener Playwright takes the browser's own dialog away, which a person uses.
        if not self.spec.person:
            page.on("filechooser", self._choose_files)
        self._spawn(self._adopt(page, behind))

    async def _adopt(self, page: playwright.Page, behind: bool) -> None:
        tab = await Tab.adopt(
            page,
            self.spec.allowed,
            self.pending,
            self.promised,
            self.front.announce_behind,
            self._beside,
            self._told,
        )
        # It closed meanwhile, when `_closed` knew no tab of it; added here, it would stay in front for ever.
        if page.is_closed():
            return
        if self.spec.reports is not None:
            await self.spec.reports.hear(tab.cdp)
        tab.clipboard = self.clipboard
        self.front.add(tab, behind=behind)
        if self._window:
            await self._fill_screen(tab)
        # Playwright gives a popup the size that `window.open` asks for.
        elif page.viewport_size != {"width": self.spec.screen.width, "height": self.spec.screen.height}:
            await page.set_viewport_size({"width": self.spec.screen.width, "height": self.spec.screen.height})
        if behind:
            await self.active.page.bring_to_front()
        if not self.spec.allowed.opens(page.url):
            self._navigated(page, page.main_frame)
        elif len(self.front.tabs) > 1:
            self.log.navigated(page.url)

    async def _fill_screen(self, tab: Tab) -> None:
        from pytest_cuabench.drivers.chromium.browser.display import fill_screen

        # Playwright has no event for a dialog that was answered in the window.
        tab.cdp.on("Page.javascriptDialogClosed", lambda _: self.dialogs.closed())
        window = str((await tab.cdp.send("Browser.getWindowForTarget"))["windowId"])
        if window not in self._filled:
            self._filled.add(window)
            await fill_screen(tab, self.spec.screen)

    def _closed(self, page: playwright.Page) -> None:
        self.pending.end((_ERROR_PAGE, page.main_frame))
        tab = self.front.tab(page)
        if tab is not None and not self._closing:
            self._remove(tab)
            self._spawn(self._after_closing())

    def _remove(self, tab: Tab) -> None:
        tab.forget()
        self.dialogs.gone(tab.page)
        self.front.remove(tab)

    def _crashed(self, page: playwright.Page) -> None:
        """Reload a crashed page in a new tab, since the crashed one cannot be reused."""
        tab = self.front.tab(page)
        self._crashes += 1
        if tab is None or self._crashes > _MOST_CRASHES:
            self._fail(_GONE)
        elif not self._closing:
            self._remove(tab)
            self.log.add_notice("A page crashed and was reloaded; unsaved changes on it are lost.")
            self._spawn(self._revive(page))
            self.interrupts.interrupt_once()

    async def _revive(self, page: playwright.Page) -> None:
        fresh = await page.context.new_page()
        url = page.url if self.spec.allowed.opens(page.url) and page.url not in BLANK else self.spec.start_url
        await fresh.goto(url, wait_until="commit")
        await page.close()

    async def _after_closing(self) -> None:
        if self.front.active is not None:
            await self.active.page.bring_to_front()
        elif self._context is not None and not self._context.pages:  # no page is about to be adopted either
            self.log.add_notice("The last tab was closed; the start page was opened again.")
            page = await self._context.new_page()
            await page.goto(self.spec.start_url, wait_until="commit")

    def _navigated(self, page: playwright.Page, frame: playwright.Frame) -> None:
        self.pending.end((_ERROR_PAGE, frame))
        if self._closing:
            return
        if frame.parent_frame is not None:
            tab = self.front.tab(page)
            # The browser may have moved a frame of another origin to another process, without our scripts.
            if tab is not None and host_and_port(frame.url) not in (None, host_and_port(page.url)):
                self._spawn(tab.reach(frame))
            return
        self.front.changed()
        if self.spec.allowed.opens(frame.url):
            self.log.navigated(frame.url)
        elif self.log.lost_document and frame.url.startswith("chrome-error:"):
            self.log.add_notice(f"A page of the application could not be opened: {self.log.lost_document}.")
        # The browser's page for an answer without a body, such as a bare 404, is the world's answer and stays.
        elif not (frame.url.startswith("chrome-error:") and self.log.answered_document):
            if not frame.url.startswith("chrome-error:"):
                self.log.left_origin(frame.url)
            self._spawn(self._leave_foreign_page(page))

    async def _leave_foreign_page(self, page: playwright.Page) -> None:
        """Leave a page outside of the allowed origins: go back, or close the tab."""
        tab = self.front.tab(page)
        if tab is None or not await tab.history(-1):
            await page.close()

    # Dialogs, files.

    def _dialog(self, dialog: playwright.Dialog) -> None:
        if self._closing:  # leave the page; nobody is there to answer anything else
            self._spawn(dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())
            return
        if self.spec.person:
            return  # who answers it in the window
        tab = self.front.tab(dialog.page) if dialog.page is not None else None
        if tab is not None:
            self.front.bring(tab)
        if self._window:
            self.dialogs.shown(dialog)
        else:
            self.dialogs.asked(dialog)

    def _choose_files(self, chooser: playwright.FileChooser) -> None:
        self.dialogs.choose(chooser)
        self.promised.end(_CHOOSING)

    def _told(self, tab: Tab, kind: str, value: object) -> None:
        """Handle what is told from beside a page; what it says of the page is not trusted."""
        if kind == FAULT:
            self.log.add_notice(
                f"A script of the driver failed in the page ({str(value).splitlines()[0][:200]})."
            )
        elif kind == "part":
            self._left_to_the_browser(tab, value)
        elif kind == "copied":
            self.clipboard.copied(value)
        elif kind == "input":
            self.input_recorder.record(value)

    def _left_to_the_browser(self, tab: Tab, part: object) -> None:
        if part == PRINT:
            if len(self.promised.things()) < _MOST_PRINTED:
                self._spawn(self._print(tab), self.promised)
        elif (sentence := notice(part, window=self._window)) is not None:
            self.log.add_notice(sentence)

    async def _print(self, tab: Tab) -> None:
        content = await tab.print()
        await tab.refresh_title()
        name = await self.spec.files.add(tab.title, content)
        self.log.downloads.append(name)
        self.log.add_notice(f"The page was printed to the file {name}.")

    def _downloading(self, download: playwright.Download) -> None:
        self._spawn(self._save(download), self.promised)
        self.promised.end(DOWNLOAD)

    async def _save(self, download: playwright.Download) -> None:
        name, notice = await self.spec.files.save(download)
        self.log.notices.append(notice)
        if name is not None:
            self.log.downloads.append(name)


def _is_opening(thing: object) -> bool:
    return isinstance(thing, tuple) and thing[0] == OPENING


def _frame(request: playwright.Request) -> playwright.Frame | None:
    from playwright.async_api import Error

    try:
        return request.frame
    except Error:
        return None  # requested before its frame existed


async def _close(context: playwright.BrowserContext) -> None:
    from playwright.async_api import Error

    try:
        async with asyncio.timeout(10):
            await context.close()
    except (Error, TimeoutError):
        pass  # the browser is gone, and the context with it
