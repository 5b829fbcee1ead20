"""Origin policy: pages can reach the world's own origin only.

Every context has a proxy that rejects all requests, and only the world's host and port bypass it. So the browser's
network stack enforces the policy for pages, popups from their first request, frames, workers, sockets, beacons and
redirects, without any cost for the world's own traffic.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urljoin, urlsplit, urlunsplit

from pytest_cuabench.task.redact import is_secret

# Chromium requests these by itself.
_OF_THE_BROWSER = frozenset({"content-autofill.googleapis.com", "update.googleapis.com", "www.google.com"})
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_OPENED = ("http", "https")  # schemes that a tab may show; web sockets are for scripts only
_BLANKS = "".join(map(chr, range(0x21)))  # what a browser strips from an address
_DROPPED = str.maketrans("", "", "\t\n\r")  # what it removes anywhere
_SLASHES = re.compile(r"(?i)^(https?:)?[/\\]{2,}")  # any number of slashes precedes a host name

NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE localhost, EXCLUDE 127.0.0.1"


def host_and_port(url: str) -> tuple[str, int] | None:
    """Return the origin of a network URL; None for other URLs."""
    with suppress(ValueError):  # a port that is not a number
        parts = urlsplit(url)
        if parts.scheme in _PORTS and parts.hostname:
            return parts.hostname, parts.port or _PORTS[parts.scheme]
    return None


@dataclass(frozen=True, slots=True)
class AllowedOrigins:
    """The allowed origins of a world: its origin, and further hosts of its pages, always over TLS."""

    origin: str
    hosts: tuple[str, ...] = ()

    def holds(self, url: str) -> bool:
        """Whether a URL is allowed; blank pages and the world's own blobs are."""
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

    def opens(self, url: str) -> bool:
        """Whether a tab may show a URL: an allowed one, but not a socket's."""
        return self.holds(url) and urlsplit(url.removeprefix("blob:")).scheme in ("", "about", *_OPENED)

    def address(self, given: str, base: str) -> str | None:
        """Resolve an agent's address against the page `base`; None if it must not be opened.

        The address is parsed as a browser does, and its host replaced by the allowed spelling, so that what is
        opened is exactly what was checked.
        """
        text, mark, fragment = given.strip(_BLANKS).translate(_DROPPED).partition("#")
        text, query, asked = text.partition("?")
        text = _SLASHES.sub(lambda found: (found[1] or "") + "//", text).replace("\\", "/")
        if text.lower() in ("//", "http://", "https://"):  # an address needs a host
            return None
        try:
            url = urljoin(base if urlsplit(base).scheme in _OPENED else self.origin, text + query + asked)
            parts = urlsplit(url)
            if parts.scheme not in _OPENED or "@" in parts.netloc or not self.holds(url):
                return None
        except ValueError:  # unbalanced brackets, or a port that is not a number
            return None
        place = host_and_port(url)
        own = place == host_and_port(self.origin)
        host = urlsplit(self.origin).netloc if own or place is None else place[0]
        return urlunsplit((parts.scheme, host, parts.path or "/", parts.query, "")) + mark + fragment

    @property
    def bypass(self) -> str:
        """The hosts that bypass the blocking proxy."""
        host, port = host_and_port(self.origin) or (
            "",
            0,
        )  # without its port, all ports of the host would pass
        own = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        return ",".join((own, *(f"{host}:443" for host in self.hosts)))


def local(url: str) -> bool:
    """Whether an address is content of the page itself, such as `data:`, which needs no network."""
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


class BlockingProxy:
    """The blocking proxy. `refused` lists the method and URL of rejected requests."""

    def __init__(self) -> None:
        self.refused: list[tuple[str, str]] = []
        self._server: asyncio.Server | None = None

    async def open(self) -> str:
        """Start listening and return the proxy's address."""
        self._server = await asyncio.start_server(self._refuse, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def close(self) -> None:
        """Stop listening; may be called twice."""
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
            pass  # a connection without a request (a preconnect) is refused as well
        finally:
            writer.close()

    def _note(self, line: str) -> None:
        method, _, rest = line.partition(" ")
        target = rest.split(" ")[0]
        url = f"https://{target}/" if method == "CONNECT" else target
        place = host_and_port(url)
        if place is None or place[0] not in _OF_THE_BROWSER:
            self.refused.append((method, url))
