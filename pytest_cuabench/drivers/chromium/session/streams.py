"""Web sockets and event streams: an answer to an action is waited for, what a server sends by itself is not."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.session.pending import Pending

if TYPE_CHECKING:
    from playwright import async_api as playwright

_ANSWER = 0.5  # seconds for the first message
_ONE = 0.12  # seconds for another one
_MORE = 0.25  # seconds without a message after which several in a row are over
_ALONE = 2  # messages without an action, after which a stream speaks by itself
_STALE = 2.0  # seconds without one after which that is forgotten
_MOST = 100  # kinds of requests that are remembered
_DEAF = 2  # requests without an answer, after which none is expected
_PATIENCE = 0.6  # seconds for a stream that nobody asked, as for a page that moves by itself


@dataclass
class _Stream:
    alone: list[float] = field(default_factory=list)  # when it spoke without an action, the last times
    habits: Counter[str] = field(default_factory=Counter)  # what is asked without an action
    deaf: int = 0  # requests in a row without an answer
    asked: float | None = None  # when this action first asked
    restless: bool = False  # it went on asking
    count: int = 0  # messages since the action began, or since it asked
    since: float = 0.0  # the first of them


class Streams:
    """The streams of an episode, by address; those that answer are in `pending`."""

    def __init__(self, pending: Pending, acting: Callable[[], bool]) -> None:
        self._pending, self._acting = pending, acting
        self._streams: dict[Hashable, _Stream] = {}
        self._loading = False
        self._watched: set[playwright.CDPSession] = set()

    def begin(self) -> None:
        """Note that an action begins."""
        for stream in self._streams.values():
            stream.deaf += stream.asked is not None and not stream.count
            stream.asked, stream.restless, stream.count = None, False, 0
        self._loading = False

    def loads(self) -> None:
        """Note that the action opens a page: what that page streams may never end, though nobody asked for it."""
        self._loading = True

    def watch_socket(self, socket: playwright.WebSocket) -> None:
        """Listen to a web socket."""
        thing = ("stream", socket.url.split("?")[0])
        socket.on("framesent", lambda payload: self._asks(thing, payload))
        socket.on("framereceived", lambda _: self._speaks(thing))
        socket.on("close", lambda _: self._pending.end(thing))

    async def watch_events(self, cdp: playwright.CDPSession, url: str) -> None:
        """Listen to the event streams of a tab, of which one is being opened."""
        thing = ("stream", url.split("?")[0])
        if not self._loading:  # a page may open one for what happens much later
            self._asks(thing, "open")
        if cdp not in self._watched:
            self._watched.add(cdp)
            cdp.on("Network.eventSourceMessageReceived", lambda _: self._speaks(thing))
            # Without buffers: the bodies of answers, which this domain keeps otherwise, are read by nobody.
            await cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})

    def _asks(self, thing: Hashable, payload: str | bytes) -> None:
        stream, time = self._streams.setdefault(thing, _Stream()), asyncio.get_running_loop().time()
        # Messages of one kind differ in their numbers, such as an id or a time.
        kind = re.sub(r"\d+", "", payload[:200]) if isinstance(payload, str) else ""
        if not self._acting():
            if len(stream.habits) < _MOST:
                stream.habits[kind] += 1
        elif stream.asked is not None and time - stream.asked > _PATIENCE:
            stream.restless = True
            self._pending.end(thing)
        elif stream.deaf < _DEAF and stream.habits[kind] < _ALONE:
            stream.asked, stream.count = stream.asked or time, 0
            self._pending.begin(thing, _ANSWER)

    def _speaks(self, thing: Hashable) -> None:
        stream, time = self._streams.setdefault(thing, _Stream()), asyncio.get_running_loop().time()
        if not self._acting():
            stream.alone = [*stream.alone, time][-_ALONE:]
            return
        if stream.count == 0:
            stream.since = time
        stream.count += 1
        stream.deaf = 0
        by_itself = sum(one > time - _STALE for one in stream.alone) >= _ALONE
        if by_itself or stream.restless:
            self._pending.end(thing)  # one message may be the answer; the next ones would come anyway
        elif (stream.asked is not None and not self._loading) or time - stream.since < _PATIENCE:
            self._pending.begin(thing, _MORE if stream.count > 1 else _ONE)
