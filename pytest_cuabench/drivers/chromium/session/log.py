"""Network log of one episode, of all pages, popups and workers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.session.origin_policy import (
    AllowedOrigins,
    host_and_port,
    local,
    path_of,
    redacted,
)
from pytest_cuabench.drivers.chromium.session.pending import Pending
from pytest_cuabench.drivers.chromium.session.proxy import Proxy
from pytest_cuabench.task.evidence import Activity, Request

if TYPE_CHECKING:
    from playwright import async_api as playwright

# Streams that stay open; settling does not wait for them.
_ENDLESS = frozenset({"eventsource", "websocket", "media", "ping", "texttrack"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
# The second where the world is reached through the proxy, which answers 502.
_UNREACHABLE = frozenset({"net::ERR_CONNECTION_REFUSED", "net::ERR_TUNNEL_CONNECTION_FAILED"})
_POLLS = 2  # requests for one address without an action; further ones count as polling
_WILL_FAIL = 2.0  # seconds within which the failure of a blocked document is reported

DOWNLOAD = "download"
WILL_DOWNLOAD = 5.0  # seconds to wait for an announced download to start


class Writes:
    """The requests that the end of an episode waits for.

    Attributes:
        given_up: When the last one was begun that its page did not wait for.
    """

    def __init__(self) -> None:
        self.given_up = float("-inf")
        self._begun: dict[playwright.Request, float] = {}
        self._pending = Pending()

    def begin(self, request: playwright.Request) -> None:
        """Note that a request begins."""
        self._pending.begin(request)
        self._begun[request] = asyncio.get_running_loop().time()

    def end(self, request: playwright.Request, *, given_up: bool) -> None:
        """Note that a request was answered, or given up by its page."""
        self._pending.end(request)
        begun = self._begun.pop(request, None)
        if begun and given_up:
            self.given_up = max(self.given_up, begun)

    async def over(self, seconds: float) -> bool:
        """Wait until all have ended; False when that took longer than `seconds`."""
        return await self._pending.over(seconds)

    def unanswered(self) -> tuple[str, ...]:
        """Return the method and path of each that has not ended."""
        return tuple(f"{request.method} {path_of(request.url)}" for request in self._begun)


class Log:
    """Records requests, navigations and downloads; tracks running requests in `pending`, downloads in `promised`."""

    def __init__(self, allowed: AllowedOrigins, proxy: Proxy, pending: Pending, promised: Pending) -> None:
        self.acting = False
        self.notices: list[str] = []
        self.navigations: list[str] = []
        self.downloads: list[str] = []
        self.unreachable = False
        self.lost_document: str | None = None  # why the last requested document failed
        self.answered_document = False  # whether the world answered it, with any status
        self._allowed, self._proxy, self._pending, self._promised = allowed, proxy, pending, promised
        self._requests: list[Request] = []
        self._index: dict[playwright.Request, int] = {}
        self.writes = Writes()
        self.leaving = False  # the pages are being left: `sent` is told in place of `started`
        self.streams = False  # whether a page has asked for what stays open
        self.causes = 0  # requests and messages that may have changed the world
        self._idle_starts: dict[str, int] = {}
        self._background: set[str] = set()

    def started(self, request: playwright.Request) -> None:
        """Handle a request."""
        if local(request.url) or self.leaving:
            return
        refused = not (self._allowed.opens if request.is_navigation_request() else self._allowed.holds)(
            request.url
        )
        self._index[request] = len(self._requests)
        self._requests.append(Request(request.method, redacted(request.url), None, refused))
        if request.is_navigation_request():
            self.lost_document, self.answered_document = None, False
        key = _key(request)
        self.streams |= request.resource_type in _ENDLESS
        if refused:
            if request.is_navigation_request():
                self.refuse(request.url)
                self._pending.begin(request, _WILL_FAIL)
        else:
            writes = request.method not in _READING
            if request.resource_type not in _ENDLESS and not self._is_background(key):
                self._pending.begin(request)
                writes |= self.acting
            polls = not self.acting and self._idle_starts.get(key, 0) > _POLLS
            self.causes += request.method not in _READING or not polls
            if writes:
                self.writes.begin(request)

    def sent(self, method: str, url: str) -> None:
        """Note a request that a page sends when it is left."""
        self.causes += 1
        self._requests.append(Request(method, redacted(url), None, not self._allowed.holds(url)))

    def sent_frame(self) -> None:
        """Note a message to a web socket."""
        self.causes += 1

    def answered(self, response: playwright.Response) -> None:
        """Handle a response."""
        index = self._index.get(response.request)
        if index is not None and not self._requests[index].refused:
            self._requests[index] = replace(self._requests[index], status=response.status)
            if response.request.is_navigation_request():
                self.answered_document = True
                if response.headers.get("content-disposition", "").lower().startswith("attachment"):
                    self._promised.begin(DOWNLOAD, WILL_DOWNLOAD)

    def finished(self, request: playwright.Request) -> None:
        """Handle the end of a request."""
        self._pending.end(request)
        failure = request.failure
        given_up = bool(failure) and request.method not in _READING and self._status(request) is None
        self.writes.end(request, given_up=given_up)
        # Aborted by its page or by the driver, which says nothing of the world's server.
        if failure is None or failure == "net::ERR_ABORTED" or not self._allowed.holds(request.url):
            return
        self.unreachable |= failure in _UNREACHABLE
        if request.is_navigation_request():
            self.lost_document = failure

    def _status(self, request: playwright.Request) -> int | None:
        index = self._index.get(request)
        return None if index is None else self._requests[index].status

    def socket(self, url: str) -> None:
        """Handle a new web socket."""
        self._requests.append(Request("GET", redacted(url), None, not self._allowed.holds(url)))

    def navigated(self, url: str) -> None:
        """A main frame committed a page of the world."""
        if url and url != "about:blank":
            self.navigations.append(redacted(url))

    def left_origin(self, url: str) -> None:
        """A main frame committed a page that is not of the world."""
        self._requests.append(Request("GET", redacted(url), None, True))
        self.refuse(url)

    def refuse(self, url: str) -> None:
        """Add a notice about a blocked page; what a page loads from elsewhere by itself is no deed of the agent."""
        place = host_and_port(url)
        name = f"{place[0]}:{place[1]}" if place else url.split(":")[0] + ":"
        self.add_notice(
            f"A link to another site was refused ({name}); only the application itself can be reached."
        )

    def add_notice(self, notice: str) -> None:
        """Add a notice to the next observation; duplicates are dropped."""
        if notice not in self.notices:
            self.notices.append(notice)

    def stop_waiting(self) -> None:
        """Stop waiting for the URLs of running requests, which would not end in time."""
        for thing in self._pending.things():
            self._pending.end(thing)
            if thing in self._index:
                self._background.add(_key(thing))

    def activity(self) -> Activity:
        """Return the recorded activity."""
        requests = (*self._requests, *self._silent())
        return Activity(requests, tuple(self.navigations), tuple(self.downloads))

    def _silent(self) -> list[Request]:
        """Requests that reached the blocking proxy without a page event, such as preconnects."""
        known = {host_and_port(request.url) for request in self._requests}
        silent = dict.fromkeys(
            (method, redacted(url)) for method, url in self._proxy.refused if host_and_port(url) not in known
        )
        return [Request(method, url, None, True) for method, url in silent]

    def _is_background(self, key: str) -> bool:
        if not self.acting:
            self._idle_starts[key] = self._idle_starts.get(key, 0) + 1
            if self._idle_starts[key] > _POLLS:
                self._background.add(key)
        return key in self._background


def _key(request: playwright.Request) -> str:
    return f"{request.method} {request.url.split('?')[0]}"
