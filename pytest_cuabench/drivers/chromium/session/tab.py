"""One tab: its page, its protocol session, and what is loading in it."""

from __future__ import annotations

import asyncio
import base64
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.drivers.chromium.native.drawn import Drawn
from pytest_cuabench.drivers.chromium.session.clipboard import BrowserClipboard, Clipboard
from pytest_cuabench.drivers.chromium.session.frames import Frames, ScriptError, Teller
from pytest_cuabench.drivers.chromium.session.log import DOWNLOAD, WILL_DOWNLOAD
from pytest_cuabench.drivers.chromium.session.origin_policy import AllowedOrigins
from pytest_cuabench.drivers.chromium.session.pending import Pending
from pytest_cuabench.drivers.chromium.session.scripts import isolated, rest

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from playwright import async_api as playwright

OPENING = "open"
DRAWN, FAULT = "drawn", "fault"  # kinds of what is told from beside a page
BLANK = ("", "about:blank")  # what a new tab shows before its first page
_MOST_TITLE = 300  # characters
_WILL_START = 0.5  # seconds to wait for a requested navigation to start
_RUNS = 8.0  # seconds for a script that reads a page, less than an observation may take
_MOMENT = 0.01  # seconds between two attempts
_WILL_OPEN = 2.0  # seconds to wait for an announced tab

# Only documents are intercepted: they are few.
_DOCUMENTS = [{"urlPattern": f"{scheme}://*", "resourceType": "Document"} for scheme in ("http", "https")]

_EMPTY_CLIPBOARD = """addEventListener("copy", (event) => {
  event.preventDefault();
  event.clipboardData.setData("text/plain", "");
}, {once: true}); document.execCommand("copy")"""


class Rest(NamedTuple):
    """What a page says that was asked to rest.

    Attributes:
        rested: Whether it did in time.
        chooser: Whether a file dialog is about to open.
        foreign: How many frames are of other origins.
        repeating: Names of what repeats by itself from the load on.
    """

    rested: bool
    chooser: bool = False
    foreign: int = 0
    repeating: Iterable[str] = ()


class Tab:
    """Created by `Tab.adopt`; `title` is the last known title, and `main` the id of the main frame.

    `intercepted` takes every request of a page that is being left, in place of the check of its navigations.
    """

    def __init__(
        self,
        page: playwright.Page,
        cdp: playwright.CDPSession,
        allowed: AllowedOrigins,
        pending: Pending,
        promised: Pending,
        beside: str,
        told: Callable[[Tab, str, object], None],
    ) -> None:
        self.page, self.cdp = page, cdp
        self.drawn = Drawn(cdp, lambda fault: told(self, FAULT, fault))
        self.clipboard = Clipboard(BrowserClipboard())
        self.title = ""
        self.main = ""
        self.slow = False  # whether its document is too large for the browser's accessibility tree
        self._frames, self._told = Frames(beside, self._heard), told
        self._allowed, self._pending, self._promised = allowed, pending, promised
        self._tasks: set[asyncio.Task[Any]] = set()
        self._background: Callable[[], None] = lambda: None
        self.intercepted: Callable[[Tab, dict[str, Any]], Coroutine[Any, Any, None]] | None = None

    @classmethod
    async def adopt(
        cls,
        page: playwright.Page,
        allowed: AllowedOrigins,
        pending: Pending,
        promised: Pending,
        background: Callable[[], None],
        beside: str,
        told: Callable[[Tab, str, object], None],
    ) -> Tab:
        """Listen to a page.

        Args:
            background: Is called when a tab is about to open behind the active one.
            beside: What runs beside the page's scripts; see `scripts.beside`.
            told: Is given what it tells: the tab, of what kind, and a JSON value.
        """
        cdp = await page.context.new_cdp_session(page)
        tab = cls(page, cdp, allowed, pending, promised, beside, told)
        tab._background = background
        # Before the domains are enabled, as they send their events at once.
        tab._listen()
        answers = await asyncio.gather(
            cdp.send("Page.getFrameTree"),
            cdp.send("Page.enable"),
            cdp.send("Fetch.enable", {"patterns": _DOCUMENTS}),
            tab._frames.listen(cdp),
        )
        tab.main = tab.drawn.main = answers[0]["frameTree"]["frame"]["id"]
        return tab

    async def reach(self, frame: playwright.Frame) -> None:
        """Listen to a frame that is in a process of its own, too."""
        await self._frames.reach(frame)

    def _heard(self, teller: Teller, kind: str, value: object) -> None:
        if kind == DRAWN:
            self.drawn.told(teller, value)
        else:
            self._told(self, kind, value)

    async def picture(self) -> bytes:
        """Return a PNG of the viewport."""
        options = {"format": "png", "optimizeForSpeed": True}
        return base64.b64decode((await self.cdp.send("Page.captureScreenshot", options))["data"])

    async def print(self) -> bytes:
        """Return the page as a PDF, as its rules for printing say."""
        printed = await self.cdp.send("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
        return base64.b64decode(printed["data"])

    async def evaluate(self, expression: str) -> Any:
        """Return the JSON value of an expression beside the main frame's own scripts; promises are awaited.

        Raises:
            Error: The document was replaced.
            ScriptError: The expression raised an exception.
        """
        return await self._frames.evaluate(self.cdp, self.main, expression)

    async def run(self, name: str, *given: object) -> Any:
        """Return what a script of this package returns, called with `given` as by `evaluate`.

        Raises:
            ScriptError: It raised an exception; the message names the script.
            TimeoutError: It took too long, and was stopped.
        """
        try:
            return await self._frames.evaluate(self.cdp, self.main, isolated(name, *given), limit=_RUNS)
        except ScriptError as error:
            raise ScriptError(f"{name}: {error}") from None

    async def objects(self, name: str, group: str) -> str | None:
        """Return the id of a remote object that a script returns, in a group to be released."""
        found = await self._frames.evaluate(self.cdp, self.main, isolated(name), group)
        identity: str | None = found.get("objectId")
        return identity

    async def evaluate_everywhere(self, expression: str) -> list[Any]:
        """Return the values of an expression in the judge's own world of every frame that is still there."""
        from playwright.async_api import Error

        found = []
        with suppress(Error):
            found.append(await self.evaluate(expression))
        return found + await self._frames.elsewhere(self.page, self.cdp, expression)

    async def rest(self, limit: int, began: float, known: Iterable[str]) -> Rest:
        """Wait until the page rests, with its frames; see `scripts.rest`."""
        asked = rest(limit, began, known)
        answer = await self._frames.evaluate(self.cdp, self.main, asked)
        # No answer: a document without our scripts, which is not watched.
        rested = Rest(**json.loads(answer)) if answer else Rest(True)
        if not rested.foreign:
            return rested
        others = await self._frames.elsewhere(self.page, self.cdp, asked)
        return rested._replace(
            rested=rested.rested and all(json.loads(one)["rested"] for one in others if one)
        )

    async def empty_clipboard(self) -> None:
        """Clear the clipboard, which all contexts of the browser share, from earlier episodes."""
        # The browser takes the command "copy" only from a person's gesture.
        await self.cdp.send("Runtime.evaluate", {"expression": _EMPTY_CLIPBOARD, "userGesture": True})

    async def refresh_title(self) -> None:
        """Update `title`, as the browser knows it; it is unchanged while the tab is being closed."""
        from playwright.async_api import Error

        with suppress(Error):
            history = await self.cdp.send("Page.getNavigationHistory")
            title = history["entries"][history["currentIndex"]]["title"]
            self.title = (title or self.page.url)[:_MOST_TITLE]

    async def forget_history(self) -> None:
        """Remove the blank page before the first one, again until it is gone: a call that comes early has no effect."""
        while any(
            entry["url"] in BLANK for entry in (await self.cdp.send("Page.getNavigationHistory"))["entries"]
        ):
            await self.cdp.send("Page.resetNavigationHistory")
            await asyncio.sleep(_MOMENT)

    async def history(self, step: int) -> bool:
        """Go back (-1) or forward (1); False if there is no such entry or its origin is not allowed."""
        history = await self.cdp.send("Page.getNavigationHistory")
        index, entries = history["currentIndex"] + step, history["entries"]
        if not 0 <= index < len(entries) or not self._allowed.opens(entries[index]["url"]):
            return False
        # What the tab began with; nothing lies behind the first page.
        if entries[index]["url"] in BLANK:
            return False
        self.will_load()
        await self.cdp.send("Page.navigateToHistoryEntry", {"entryId": entries[index]["id"]})
        return True

    def will_load(self) -> None:
        """Count a requested navigation as pending until it starts."""
        self._pending.begin(("go", id(self)), _WILL_START)

    def forget(self) -> None:
        """Remove everything of this tab that counts as pending, because its page is gone."""
        for thing in self._pending.things():
            if isinstance(thing, tuple) and thing[1] == id(self):
                self._pending.end(thing)
        for task in self._tasks:
            task.cancel()

    def _listen(self) -> None:
        on = self.cdp.on
        on("Page.frameRequestedNavigation", self._requested)
        on("Page.frameStartedLoading", self._started)
        on("Page.frameStoppedLoading", lambda event: self._stopped(event["frameId"]))
        on("Page.frameDetached", lambda event: self._stopped(event["frameId"]))
        on("Page.windowOpen", lambda _: self._announced())
        on("Page.downloadWillBegin", lambda _: self._promised.begin(DOWNLOAD, WILL_DOWNLOAD))
        on("Fetch.requestPaused", self._paused)

    def _requested(self, event: dict[str, Any]) -> None:
        if event["disposition"] == "currentTab":
            self._pending.begin(("request", id(self), event["frameId"]), _WILL_START)
        elif event["disposition"] in ("newTab", "newWindow"):
            # Such as a middle click; what `window.open` opens is told by Page.windowOpen and comes to the front.
            self._background()
            self._announced()

    def _announced(self) -> None:
        self._pending.begin((OPENING, id(self), object()), _WILL_OPEN)

    def _started(self, event: dict[str, Any]) -> None:
        self._pending.end(("go", id(self)))
        self._pending.end(("request", id(self), event["frameId"]))
        self._pending.begin(("load", id(self), event["frameId"]))
        self.slow = self.slow and event["frameId"] != self.main

    def _stopped(self, frame: str) -> None:
        self._pending.end(("load", id(self), frame))

    def _paused(self, event: dict[str, Any]) -> None:
        work = self.intercepted(self, event) if self.intercepted else self._check_navigation(event)
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        self._pending.begin(("judge", id(self), task))
        task.add_done_callback(self._navigation_checked)

    async def _check_navigation(self, event: dict[str, Any]) -> None:
        request = {"requestId": event["requestId"]}
        if self._allowed.opens(event["request"]["url"]):
            await self.cdp.send("Fetch.continueRequest", request)
            return
        # The page stays as it is.
        await self.cdp.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
        if event["frameId"] == self.main and self.page.url in BLANK:
            await self.page.close()  # a tab opened for the link alone has nothing to show

    def _navigation_checked(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        self._pending.end(("judge", id(self), task))
        if not task.cancelled():
            task.exception()  # the page closed or navigated meanwhile
