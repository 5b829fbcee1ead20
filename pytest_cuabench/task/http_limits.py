"""Limits of HTTP: the size of a body that is read, and the name that a request was sent to."""

from __future__ import annotations

from collections.abc import AsyncIterable, Collection
from ipaddress import ip_address

from pytest_cuabench.task.bounded import parse_json

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class TooLarge(ValueError):
    """A body is larger than what is read of one."""


async def bounded_body(chunks: AsyncIterable[bytes], most: int) -> bytes:
    """Return a body, of `most` bytes at the most.

    Raises:
        TooLarge: It has more.
    """
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > most:
            raise TooLarge(f"more than {most} bytes")
    return bytes(body)


def checked_json(body: bytes) -> object:
    """Return the JSON of a body.

    Raises:
        ValueError: It is none, or nested too deeply.
    """
    return parse_json(body.decode("utf-8"))


def host_name(header: str) -> str:
    """Return the name or the address in a `Host` header, in lower case and without the port."""
    name, _, after = header.strip().lower().partition("]")
    if name.startswith("["):
        return name[1:] if not after or after.startswith(":") else ""
    return name.rpartition(":")[0] if name.count(":") == 1 else name


def is_loopback(host: str) -> bool:
    """Whether a name or an address is that of this computer alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_allowed(header: str, allowed: Collection[str]) -> bool:
    """Whether a `Host` header names loopback or one of the names that a user allows.

    A page whose name was made to lead here (DNS rebinding) is read as this server's own by a browser; its requests
    still tell the page's name.
    """
    return (name := host_name(header)) in LOOPBACK or name in {each.lower() for each in allowed}
