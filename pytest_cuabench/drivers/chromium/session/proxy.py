"""The proxy of a browser context: it rejects every request, but for those to hosts that a world answers through it."""

from __future__ import annotations

import asyncio

from pytest_cuabench.drivers.chromium.session.origin_policy import AllowedOrigins, host_and_port

# Chromium requests these by itself.
_OF_THE_BROWSER = frozenset({"content-autofill.googleapis.com", "update.googleapis.com", "www.google.com"})
_PATIENCE = 10.0  # seconds for a request to arrive
_CHUNK = 64 * 1024
_CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_EMPTY = b"content-length: 0\r\nconnection: close\r\n\r\n"
_REFUSED = b"HTTP/1.1 403 Forbidden\r\n" + _EMPTY
_UNREACHABLE = b"HTTP/1.1 502 Bad Gateway\r\n" + _EMPTY


class Proxy:
    """The proxy. `refused` lists the method and URL of rejected requests."""

    def __init__(self, allowed: AllowedOrigins) -> None:
        self.refused: list[tuple[str, str]] = []
        self._allowed = allowed
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        """Start listening and return the proxy's address."""
        self._server = await asyncio.start_server(self._begin, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop listening and end what passes through; may be called twice."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._open:
            task.cancel()

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._answer(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
            line = head.split(b"\r\n", 1)[0].decode("latin-1")
            if self._passes(line):
                await self._tunnel(reader, writer)
            else:
                self._note(line)
                writer.write(_REFUSED)
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a connection without a request (a preconnect) is refused as well
        finally:
            writer.close()

    def _passes(self, line: str) -> bool:
        method, _, rest = line.partition(" ")
        url = f"https://{rest.split(' ')[0]}/"
        return method == "CONNECT" and self._allowed.tunnel is not None and self._allowed.holds(url)

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect the browser with the world, until either ends."""
        host, _, port = (self._allowed.tunnel or "").rpartition(":")
        try:
            behind, ahead = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.write(_UNREACHABLE)
            await writer.drain()
            return
        writer.write(_CONNECTED)
        ways = [asyncio.ensure_future(_copy(*way)) for way in ((reader, ahead), (behind, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            ahead.close()

    def _note(self, line: str) -> None:
        method, _, rest = line.partition(" ")
        target = rest.split(" ")[0]
        url = f"https://{target}/" if method == "CONNECT" else target
        place = host_and_port(url)
        if place is None or place[0] not in _OF_THE_BROWSER:
            self.refused.append((method, url))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(_CHUNK):
        writer.write(chunk)
        await writer.drain()
