"""Web sockets and event streams: an answer to an action is due, what goes on by itself is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.session.pending import Pending
from pytest_cuabench.drivers.chromium.session.streams import Streams

pytestmark = pytest.mark.asyncio


class Socket:
    """A web socket whose messages a test makes up."""

    url = "ws://a.example/socket?token=1"

    def __init__(self) -> None:
        self._listeners: dict[str, Callable[[Any], None]] = {}

    def on(self, event: str, listener: Callable[[Any], None]) -> None:
        """Keep a listener, as Playwright does."""
        self._listeners[event] = listener

    def send(self, text: str) -> None:
        """The page asks."""
        self._listeners["framesent"](text)

    def receive(self) -> None:
        """The server speaks."""
        self._listeners["framereceived"]("message")

    def close(self) -> None:
        """The connection ends."""
        self._listeners["close"](self)


class Episode:
    """A page with one socket."""

    def __init__(self) -> None:
        self.acting, self.pending, self.socket = False, Pending(), Socket()
        self.streams = Streams(self.pending, lambda: self.acting)
        self.streams.watch_socket(self.socket)  # type: ignore[arg-type]

    def act(self) -> None:
        """Begin an action; what was due before is over."""
        self.pending.clear()
        self.streams.begin()
        self.acting = True

    def think(self) -> None:
        """Nobody acts."""
        self.acting = False


@pytest.fixture
def episode() -> Episode:
    """A page with one socket."""
    return Episode()


async def test_an_answer_is_due_after_a_request(episode: Episode) -> None:
    """What a page asks during an action is waited for."""
    episode.act()
    assert not episode.pending
    episode.socket.send("save")
    assert episode.pending


async def test_nothing_is_due_of_a_closed_socket(episode: Episode) -> None:
    """A connection that ends answers no more."""
    episode.act()
    episode.socket.send("save")
    episode.socket.close()
    assert not episode.pending


async def test_a_request_without_an_action_is_background(episode: Episode) -> None:
    """What is asked again and again while nobody acts is not waited for, but another request is."""
    for number in range(2):
        episode.socket.send(f"ping {number}")
        episode.socket.receive()
    episode.act()
    episode.socket.send("ping 3")
    assert not episode.pending
    episode.socket.send("save 4")
    assert episode.pending


async def test_a_server_that_never_answers_is_not_waited_for(episode: Episode) -> None:
    """After two requests in a row without an answer none is expected, until the server speaks again."""
    for _ in range(2):
        episode.act()
        episode.socket.send("count this")
        assert episode.pending
    episode.act()
    episode.socket.send("count this")
    assert not episode.pending
    episode.socket.receive()
    episode.act()
    episode.socket.send("count this")
    assert episode.pending


async def test_a_server_that_speaks_by_itself_is_not_waited_for(episode: Episode) -> None:
    """Messages that came while nobody acted are background during an action."""
    episode.socket.receive()
    episode.socket.receive()
    episode.act()
    episode.socket.receive()
    assert not episode.pending


async def test_one_message_answers_where_a_server_speaks_by_itself(episode: Episode) -> None:
    """After a request the next message of a talkative server counts as the answer."""
    episode.socket.receive()
    episode.socket.receive()
    episode.act()
    episode.socket.send("save")
    assert episode.pending
    episode.socket.receive()
    assert not episode.pending


async def test_a_message_of_a_silent_server_is_waited_for(episode: Episode) -> None:
    """What a server pushes during an action may go on."""
    episode.think()
    episode.act()
    episode.socket.receive()
    assert episode.pending
