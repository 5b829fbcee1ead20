"""The end of an episode in a browser: the pages' time runs on, they are left, and what they send is waited for.

A person who is done looks at the screen for a while and then closes the window. The while is not waited for: the time
of the pages is advanced (virtual time), so that timers such as that of an autosave run at once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.session.origin_policy import path_of
from pytest_cuabench.drivers.chromium.session.pending import Pending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from playwright import async_api as playwright

    from pytest_cuabench.drivers.chromium.session.log import Log
    from pytest_cuabench.drivers.chromium.session.tab import Tab

_SLICE = 1.0  # seconds of a page's time that are advanced at once
_ADVANCED = 1.0  # seconds within which they are
_AT_ONCE = 0.5  # seconds within which all of them are, of a page that asks for nothing that stays open
_ANSWER = 0.5  # seconds for what a timer asks for without writing
_LEFT = 5.0  # seconds within which a page is left
_SENT = 0.02  # seconds until what a page sends when it is left has begun


class Leaving:
    """Leaves the pages of a session.

    Args:
        others: What the pages have begun, and nothing has ended yet.
        seconds: How long the pages' time runs on, and how long all of it may take.
        patient: Whether to wait as long for writes that a page began and gave up, of which only the world could tell
            the end.
    """

    def __init__(
        self, log: Log, tabs: Iterable[Tab], others: Pending, seconds: float, *, patient: bool
    ) -> None:
        self._log, self._tabs, self._others = log, list(tabs), others
        self._sent = Pending()  # what pages send when they are left
        self._names: dict[str, str] = {}
        self._seconds, self._patient = seconds, patient
        self._clock: Callable[[], float] = asyncio.get_running_loop().time
        self._end = self._clock() + seconds

    async def run(self) -> tuple[str, ...]:
        """Leave the pages; return which requests were not answered in time."""
        await asyncio.gather(*map(self._run_on, self._tabs))
        await self._log.writes.over(self._left)
        late, self._log.leaving = self._log.writes.unanswered(), True
        await asyncio.gather(*map(self._leave, self._tabs))
        await asyncio.sleep(_SENT)
        await self._sent.over(self._left)
        if self._patient:
            await asyncio.sleep(min(self._left, self._log.writes.given_up + self._seconds - self._clock()))
        return (*late, *(self._names[str(one)] for one in self._sent.things()))

    @property
    def _left(self) -> float:
        return max(0.0, self._end - self._clock())

    async def _run_on(self, tab: Tab) -> None:
        """Advance a page's time, and let it have the answers to what its timers ask for."""
        # A stream is a fetch that stays pending, at which this policy would stop the page's clock.
        if not self._log.streams and await _advance(
            tab, self._seconds, _AT_ONCE, "pauseIfNetworkFetchesPending"
        ):
            await self._log.writes.over(self._left)
            await self._others.over(min(_ANSWER, self._left))
            return
        advanced, patience = 0.0, _ANSWER
        while advanced < self._seconds and self._left and await _advance(tab, _SLICE, _ADVANCED):
            advanced += _SLICE
            await self._log.writes.over(self._left)
            if not await self._others.over(min(patience, self._left)):
                patience = 0.0  # such as a request that is answered when something happens

    async def _leave(self, tab: Tab) -> None:
        """Show an empty page in place of a page, which is told so, and watch what it sends meanwhile."""
        from playwright.async_api import Error

        tab.intercepted = self._intercepted
        shown = asyncio.Event()

        def navigated(frame: playwright.Frame) -> None:
            if frame is tab.page.main_frame:
                shown.set()

        tab.page.on("framenavigated", navigated)
        with suppress(Error, TimeoutError):  # a page that does not answer is closed with its context
            async with asyncio.timeout(_LEFT):
                await tab.cdp.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
                # From within, so that the page has ended when the other is there.
                await tab.evaluate("location.replace('about:blank')")
                await shown.wait()
                await tab.evaluate("0")

    async def _intercepted(self, tab: Tab, event: dict[str, Any]) -> None:
        """Let a request and its answer pass; between the two it is open."""
        from playwright.async_api import Error

        request, what = event["requestId"], event["request"]
        passing: dict[str, Any] = {"requestId": request}
        if not _answered(event):
            passing["interceptResponse"] = True
            self._log.sent(what["method"], what["url"])
            self._names[request] = f"{what['method']} {path_of(what['url'])}"
            self._sent.begin(request)
        else:
            self._sent.end(request)
        try:
            await tab.cdp.send("Fetch.continueRequest", passing)
        except Error:  # the page gave it up
            self._sent.end(request)


def _answered(event: dict[str, Any]) -> bool:
    return "responseStatusCode" in event or "responseErrorReason" in event


async def _advance(tab: Tab, seconds: float, limit: float, policy: str = "advance") -> bool:
    """Advance the time of a page; False if it is too busy for that."""
    from playwright.async_api import Error

    over = asyncio.Event()
    listener = lambda _: over.set()  # noqa: E731 - to be removed again
    tab.cdp.on("Emulation.virtualTimeBudgetExpired", listener)
    try:
        async with asyncio.timeout(limit):
            budget = {"policy": policy, "budget": round(seconds * 1000)}
            await tab.cdp.send("Emulation.setVirtualTimePolicy", budget)
            await over.wait()
        return True
    except (Error, TimeoutError):
        return False
    finally:
        tab.cdp.remove_listener("Emulation.virtualTimeBudgetExpired", listener)
