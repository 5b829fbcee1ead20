"""The real web in place of ours: fetched for the browser and recorded (`live`), or as it was recorded (`replay`).

Whatever host the browser asks for is fetched by this program, over TLS and from public addresses only: this computer
and its network are out of reach. What was not recorded is answered by a page that says so.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Protocol

import httpx2
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from docs_web.recording import Answer, Recorder, Recording
from docs_web.rendering import render
from docs_web.sessions import Sessions

START = "duckduckgo.com"
_LARGEST = 32 * 1024 * 1024  # bytes of a body
_SECONDS = 20.0
# Of one connection, or not true any more when a body was unpacked and kept.
_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
    "upgrade", "content-length", "content-encoding", "alt-svc", "strict-transport-security",
}  # fmt: skip
_SECRET = {"set-cookie"}  # passed on, and not recorded
_AS_IT_IS = {"accept-encoding", "host", *_HOP}

Resolve = Callable[[str], Awaitable[str]]


class Unreachable(Exception):
    """Raised when a host cannot be reached; the text is for the page that says so."""


class Source(Protocol):
    """Where answers come from."""

    async def answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Return the answer to a request.

        Raises:
            Unreachable: There is none.
        """


class Live:
    """The real web, recorded.

    Args:
        resolve: Returns the address of a host; the default one knows the internet only.
        trusted: Whose certificates prove a host; those that the system trusts by default.
    """

    def __init__(
        self,
        recorder: Recorder,
        resolve: Resolve | None = None,
        trusted: ssl.SSLContext | None = None,
        port: int = 443,
    ) -> None:
        self._recorder, self._resolve, self._port = recorder, resolve or public_address, port
        self._trusted = trusted
        self._client: httpx2.AsyncClient | None = None

    async def answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """See `Source.answer`; what is answered is recorded, without cookies."""
        if self._client is None:  # made within the loop that uses it
            self._client = httpx2.AsyncClient(
                timeout=_SECONDS, trust_env=False, follow_redirects=False, verify=self._trusted or True
            )
        asked = httpx2.URL(url)
        address = await self._resolve(asked.host)
        kept = {name: value for name, value in headers.items() if name.lower() not in _AS_IT_IS}
        request = self._client.build_request(
            method,
            asked.copy_with(host=address, port=self._port),
            headers={**kept, "host": asked.host},
            content=body,
            extensions={"sni_hostname": asked.host},
        )
        try:
            reply = await self._client.send(request, stream=True)
            content = b""
            async for chunk in reply.aiter_bytes():
                content += chunk
                if len(content) > _LARGEST:
                    raise Unreachable(f"{asked.host} answered more than {_LARGEST // 1024 // 1024} MiB")
            await reply.aclose()
        except httpx2.HTTPError as problem:
            raise Unreachable(f"{asked.host} cannot be reached: {type(problem).__name__}") from problem
        passed = tuple((n, v) for n, v in reply.headers.multi_items() if n.lower() not in _HOP)
        plain = tuple((name, value) for name, value in passed if name.lower() not in _SECRET)
        self._recorder.add(method, url, Answer(reply.status_code, plain, content))
        return Answer(reply.status_code, passed, content)


class Replay:
    """A recording in place of the web."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    async def answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """See `Source.answer`."""
        if (found := self._recording.find(method, url)) is None:
            raise Unreachable(f"{url} was not recorded")
        kept = tuple(pair for pair in found.headers if pair[0].lower() not in {*_HOP, *_SECRET})
        return Answer(found.status, kept, found.body)


class AnyHost:
    """ASGI application that answers for every host, from a source."""

    errors = 0  # what cannot be reached is told to the browser

    def __init__(self, source: Source, sessions: Sessions) -> None:
        self.sessions = sessions
        self._source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but HTTP is not spoken here."""
        if scope["type"] != "http":
            return
        response = await self._answer(Request(scope, receive))
        with suppress(OSError):
            await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        url = f"https://{request.headers.get('host', '')}{request.scope['raw_path'].decode('latin-1')}"
        if request.scope["query_string"]:
            url += f"?{request.scope['query_string'].decode('latin-1')}"
        try:
            body = await request.body()
            found = await self._source.answer(request.method, url, request.headers, body)
        except (Unreachable, httpx2.InvalidURL) as problem:
            text = str(problem)
            wants_page = "text/html" in request.headers.get("accept", "")
            return (
                HTMLResponse(render("unreachable.html", text=text), 502)
                if wants_page
                else PlainTextResponse(text, 502)
            )
        response = Response(found.body, found.status)
        length = [pair for pair in response.raw_headers if pair[0] == b"content-length"]
        response.raw_headers = length + [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in found.headers
        ]
        return response


async def public_address(host: str) -> str:
    """Return an address of a host on the internet.

    Raises:
        Unreachable: It has none, or is on this computer or its network.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    except OSError as problem:
        raise Unreachable(f"{host} cannot be found") from problem
    addresses = [str(one[4][0]) for one in found]
    for address in addresses:
        if ipaddress.ip_address(address.partition("%")[0]).is_global:
            return address
    raise Unreachable(f"{host} is not on the internet")
