"""Origin policy: pages can reach the world's own origin only.

Every context has a proxy (`proxy.py`) that rejects all requests, and only the world's host and port bypass it. So the
browser's network stack enforces the policy for pages, popups from their first request, frames, workers, sockets,
beacons and redirects, without any cost for the world's own traffic. A world that has many hosts of its own but no
addresses for them is reached through the proxy.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urljoin, urlsplit, urlunsplit

from pytest_cuabench.task.redact import is_secret

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_OPENED = ("http", "https")  # schemes that a tab may show; web sockets are for scripts only
_BLANKS = "".join(map(chr, range(0x21)))  # what a browser strips from an address
_DROPPED = str.maketrans("", "", "\t\n\r")  # what it removes anywhere
_SLASHES = re.compile(r"(?i)^(https?:)?[/\\]{2,}")  # any number of slashes precedes a host name

# A name of multicast DNS is mapped to an address: one that is not found is asked for on the network.
NOWHERE = (
    "--host-resolver-rules=MAP *.local 0.0.0.0, MAP * ~NOTFOUND, "
    "EXCLUDE *.localhost, EXCLUDE localhost, EXCLUDE 127.0.0.1"
)


def host_and_port(url: str) -> tuple[str, int] | None:
    """Return the origin of a network URL; None for other URLs."""
    with suppress(ValueError):  # a port that is not a number
        parts = urlsplit(url)
        if parts.scheme in _PORTS and parts.hostname:
            return parts.hostname, parts.port or _PORTS[parts.scheme]
    return None


@dataclass(frozen=True, slots=True)
class AllowedOrigins:
    """The allowed origins of a world: its origin, and further hosts of its pages, always over TLS.

    Attributes:
        hosts: Further hosts; `*` stands for every host.
        tunnel: Where the world listens for all its hosts, as host and port; None if they have addresses of their own.
    """

    origin: str
    hosts: tuple[str, ...] = ()
    tunnel: str | None = None

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
        if secure and place[1] == 443 and self._has(place[0]):
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
            if (
                self.tunnel and parts.scheme == "http" and self._has(parts.netloc.lower())
            ):  # as their servers redirect
                parts = parts._replace(scheme="https")
                url = urlunsplit(parts)
            if parts.scheme not in _OPENED or "@" in parts.netloc or not self.holds(url):
                return None
        except ValueError:  # unbalanced brackets, or a port that is not a number
            return None
        place = host_and_port(url)
        own = place == host_and_port(self.origin)
        host = urlsplit(self.origin).netloc if own or place is None else place[0]
        return urlunsplit((parts.scheme, host, parts.path or "/", parts.query, "")) + mark + fragment

    def _has(self, host: str) -> bool:
        return host in self.hosts or "*" in self.hosts

    @property
    def bypass(self) -> str:
        """The hosts that bypass the proxy."""
        if self.tunnel:
            return ""
        host, port = host_and_port(self.origin) or (
            "",
            0,
        )  # without its port, all ports of the host would pass
        own = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        return ",".join((own, *(f"{host}:443" for host in self.hosts)))


def local(url: str) -> bool:
    """Whether an address is content of the page itself, such as `data:`, which needs no network."""
    return url.startswith(("data:", "blob:", "about:"))


def path_of(url: str) -> str:
    """Return the path of an address, without what a query may hold."""
    return urlsplit(url).path[:200] or "/"


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
