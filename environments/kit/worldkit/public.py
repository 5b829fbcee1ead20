"""The public side of a world whose sessions are told apart by their hosts."""

from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

S = TypeVar("S")
T = TypeVar("T", covariant=True)


class Hosts(Protocol[T]):
    """Sessions by host."""

    @property
    def by_host(self) -> Mapping[str, T]:
        """All sessions by host, in small letters."""


class ByHost(Generic[S]):
    """ASGI application that answers each request in the session of its host."""

    sessions: Hosts[S]

    async def answer(self, request: Request, session: S) -> Response:
        """Return the answer to a request of a session's browser."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but HTTP is not spoken here."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        session = self.sessions.by_host.get((request.url.hostname or "").lower())
        try:
            found = await self.answer(request, session) if session else PlainTextResponse("Not found\n", 404)
        except ClientDisconnect:
            return
        await found(scope, receive, send)
