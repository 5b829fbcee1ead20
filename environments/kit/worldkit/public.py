"""The public side of a world whose sessions are told apart by their hosts."""

import sys
import traceback
from collections.abc import Awaitable, Mapping
from typing import Generic, Protocol, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from worldkit.requestlog import RequestLog

S = TypeVar("S", bound="Logged")
T = TypeVar("T", covariant=True)


class Hosts(Protocol[T]):
    """Sessions by host."""

    @property
    def by_host(self) -> Mapping[str, T]:
        """All sessions by host, in small letters."""


class Logged(Protocol):
    """A session that knows its requests."""

    requests: RequestLog


class Failing(Protocol):
    """A session that counts its failures."""

    failures: int


class ByHost(Generic[S]):
    """ASGI application that answers each request in the session of its host.

    Attributes:
        errors: How many requests failed inside.
    """

    sessions: Hosts[S]
    errors = 0

    async def answer(self, request: Request, session: S) -> Response:
        """Return the answer to a request of a session's browser."""
        raise NotImplementedError

    async def guarded(self, session: Failing, answering: Awaitable[Response]) -> Response:
        """Return an answer, or that making it failed; the session is told, so that its episode is not judged."""
        try:
            return await answering
        except ClientDisconnect:
            raise
        except Exception:
            self.errors += 1
            session.failures += 1
            traceback.print_exc(file=sys.stderr)
            return PlainTextResponse("Internal server error\n", 500)

    async def _answered(self, request: Request, session: S) -> Response:
        with session.requests.answering(request.method, request.url.path):
            return await self.answer(request, session)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but HTTP is not spoken here."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        session = self.sessions.by_host.get((request.url.hostname or "").lower())
        try:
            found = (
                await self._answered(request, session) if session else PlainTextResponse("Not found\n", 404)
            )
        except ClientDisconnect:
            return
        await found(scope, receive, send)
