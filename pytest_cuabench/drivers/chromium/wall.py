"""Only the world's own origin can be reached.

The wall has no gate to guard: every context is given a proxy that refuses everything, and only the world's
host and port bypass it. So the rule holds in the browser's network stack for whatever asks - pages, popups from
their first request, frames, workers, sockets, beacons, redirects - and costs the world's own traffic nothing.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from pytest_cuabench.secrecy import is_secret

# Chromium asks these by itself; no agent is to blame for them.
_OF_THE_BROWSER = frozenset({"content-autofill.googleapis.com", "update.googleapis.com", "www.google.com"})
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}

NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE localhost, EXCLUDE 127.0.0.1"


def host_and_port(url: str) -> tuple[str, int] | None:
    """Return where a network address leads, None for an address of another kind."""
    with suppress(ValueError):  # a port that is no number
        parts = urlsplit(url)
        if parts.scheme in _PORTS and parts.hostname:
            return parts.hostname, parts.port or _PORTS[parts.scheme]
    return None


@dataclass(frozen=True, slots=True)
class Realm:
    """What belongs to a world: its origin, and the further hosts that its pages come from, always over TLS."""

    origin: str
    hosts: tuple[str, ...] = ()

    def holds(self, url: str) -> bool:
        """Whether an address belongs to it; blank pages and its own blobs do."""
        if url in ("", "about:blank", "about:srcdoc"):
            return True
        if url.startswith("blob:"):
            return self.holds(url.removeprefix("blob:"))
        place = host_and_port(url)
        if place is None:
            return False
        secure = urlsplit(url).scheme in ("https", "wss")
        if secure and place[1] == 443 and place[0] in self.hosts:
            return True
        return place == host_and_port(self.origin) and secure == self.origin.startswith("https:")

    @property
    def bypass(self) -> str:
        """What the wall's proxy does not stand before."""
        return ",".join((self.origin.partition("://")[2], *(f"{host}:443" for host in self.hosts)))


def local(url: str) -> bool:
    """Whether an address is content the page made itself, which never goes over the wire."""
    return url.startswith(("data:", "blob:", "about:"))


def redacted(url: str) -> str:
    """Return the address with secret query values replaced and without a long inline content."""
    if url.startswith("data:"):
        return url[:60]
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if not any(is_secret(name) for name, _ in pairs):
        return url
    query = "&".join(f"{quote(name)}={'***' if is_secret(name) else quote(value)}" for name, value in pairs)
    return urlunsplit(parts._replace(query=query))


class Wall:
    """The proxy that refuses. `refused` lists what reached it: method and address."""

    def __init__(self) -> None:
        self.refused: list[tuple[str, str]] = []
        self._server: asyncio.Server | None = None

    async def open(self) -> str:
        """Start to listen and return the proxy's address."""
        self._server = await asyncio.start_server(self._refuse, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop to listen; may be called twice."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _refuse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(10):
                line = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n", 1)[0].decode("latin-1")
                self._note(line)
                writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # an opened connection that asks nothing (a preconnect) is refused all the same
        finally:
            writer.close()

    def _note(self, line: str) -> None:
        method, _, rest = line.partition(" ")
        target = rest.split(" ")[0]
        url = f"https://{target}/" if method == "CONNECT" else target
        place = host_and_port(url)
        if place is None or place[0] not in _OF_THE_BROWSER:
            self.refused.append((method, url))
