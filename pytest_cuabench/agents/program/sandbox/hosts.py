"""The hosts that a program may reach: a forward proxy on a Unix socket of its episode, for CONNECT and plain HTTP.

Names and ports are compared exactly. A name is resolved here, once, and the address that was checked is the one that is
connected to; a private or loopback address only if the profile names that address (or `localhost`).
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import h11

from pytest_cuabench.agents.program.sandbox.inside import copy
from pytest_cuabench.errors import SettingError

SOCKET = "hosts.sock"
PORT = 8001  # of the box's own loopback
MOST_CONNECTIONS = 64  # at once; each takes two of the session's file descriptors
_MOST_NAMES = 20  # of refused hosts that are recorded
_CONNECT_SECONDS = 20.0
_CONTROL_PAUSES = (0.0, 1.0, 2.0)  # seconds before each try of the control: a host may have to recover
_HTTPS, _HTTP = 443, 80
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_DROPPED = {b"connection", b"host", b"keep-alive", b"proxy-authorization", b"proxy-connection", b"upgrade"}


@dataclass(frozen=True, slots=True)
class Host:
    """A name or an address, and a port."""

    name: str
    port: int

    def __str__(self) -> str:
        return f"[{self.name}]:{self.port}" if ":" in self.name else f"{self.name}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether this is the session's own computer."""
        return self.name == "localhost" or _is_loopback(self.name)


@dataclass(slots=True)
class Traffic:
    """Connections to a host, and the bytes of their contents."""

    connections: int = 0
    sent: int = 0
    received: int = 0


class Refusal(Exception):
    """Raised for a request that is answered with a status and a sentence."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def read_host(text: str, port: int = _HTTPS) -> Host:
    """Return the host of `name`, `name:port`, `address:port` or `[address]:port`.

    Raises:
        ValueError: The text has another form.
    """
    parts = urlsplit(f"//{text}")
    name = (parts.hostname or "").rstrip(".")
    literal = _literal(name)
    if parts.netloc != text or "@" in text or not (literal or _NAME.fullmatch(name)):
        raise ValueError(f"{text!r} is not a host")
    given = parts.port  # raises for a port out of range
    if given == 0:
        raise ValueError(f"{text!r} has no port from 1")
    return Host(literal or name, given or port)


def read_hosts(texts: Sequence[str], door: int) -> tuple[Host, ...]:
    """Return the hosts of `options.network`.

    Args:
        door: The port of the box's loopback that is the door's.

    Raises:
        SettingError: An entry is not a host.
    """
    hosts = []
    for text in texts:
        try:
            hosts.append(host := read_host(text))
        except ValueError:
            raise SettingError(
                f"options.network: {text!r:.200} is not a host; write 'api.example.com' (port {_HTTPS}), "
                "'api.example.com:8443' or '10.0.0.7:8000'"
            ) from None
        if host == Host("127.0.0.1", door):
            raise SettingError(f"options.network: {host} is the door's in the box; write 'localhost:{door}'")
    return tuple(hosts)


@dataclass
class Hosts:
    """The proxy of an episode.

    Attributes:
        named: The hosts that may be reached.
        door: The socket of the episode's door, to which requests for `door_host` lead.
        traffic: Of each host that was reached.
        refused: How often each other host was asked for.
        failed: The named hosts to which the last connection failed, and why.
    """

    named: Sequence[Host]
    door: Path
    door_host: Host
    traffic: dict[str, Traffic] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    failed: dict[Host, str] = field(default_factory=dict)
    _connections: set[asyncio.Task[Any]] = field(default_factory=set)

    @asynccontextmanager
    async def opened(self, path: Path) -> AsyncIterator[None]:
        """Serve on a Unix socket until the block is left; then all connections end."""
        server = await asyncio.start_unix_server(self._accept, path)
        path.chmod(0o666)  # the box's user; the folder around it is private
        try:
            yield
        finally:
            server.close()
            await self._drop()

    async def control(self) -> str:
        """Return why a host to which the last connection failed is not reached without the program; empty if all are.

        All connections of the program end first: they may be what the host is busy with.
        """
        await self._drop()
        for host in list(self.failed):
            for pause in _CONTROL_PAUSES:
                await asyncio.sleep(pause)
                if not (problem := await self._try(host)):
                    break
            else:
                return problem
        return ""

    async def _try(self, host: Host) -> str:
        """Connect to a host and leave; return why that failed, or nothing."""
        try:
            _, writer = await self._reached(host)
        except Refusal as refusal:
            return str(refusal)
        writer.close()
        return ""

    async def _drop(self) -> None:
        for connection in self._connections:
            connection.cancel()
        if self._connections:
            await asyncio.wait(self._connections)

    def environment(self) -> dict[str, str]:
        """Return the variables that lead programs to the proxy, but past it to the door."""
        proxy = f"http://127.0.0.1:{PORT}"
        # This computer's own addresses lead through the proxy if the profile names one of them.
        own = any(host.loopback for host in self.named)
        found = {
            "HTTPS_PROXY": proxy,
            "HTTP_PROXY": proxy,
            "NO_PROXY": str(self.door_host) if own else f"{self.door_host.name},localhost",
        }
        # curl reads `http_proxy` in lower case only.
        return found | {name.lower(): value for name, value in found.items()}

    def record(self) -> dict[str, Any]:
        """Return what was reached and refused, as plain data; empty if nothing was asked for."""
        found: dict[str, Any] = {}
        if self.traffic:
            found["hosts"] = {
                name: {"connections": one.connections, "sent": one.sent, "received": one.received}
                for name, one in self.traffic.items()
            }
        if self.refused:
            found["refused_hosts"] = dict(self.refused)
        if self.failed:
            found["unreachable"] = "; ".join(self.failed.values())
        return found

    def refusals(self) -> str:
        """Return which hosts were refused, as a part of a sentence."""
        names = ", ".join(self.refused)
        return f"; it asked for {names}, which options.network does not name" if names else ""

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._connections) >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._connections.add(task)
        try:
            await self._serve(reader, writer)
        except (
            OSError,
            EOFError,
            asyncio.CancelledError,
        ):  # the program or the host has gone, or the episode ended
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort() if task.cancelling() else writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request, rest = await _head(reader)
            host, forwarded = _target(request)
            far_reader, far_writer = await self._connect(host)
        except Refusal as refusal:
            writer.write(_answer(refusal.status, str(refusal)))
            await writer.drain()
            return
        if forwarded is None:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            far_writer.write(forwarded)
        far_writer.write(rest)
        counted = self.traffic.setdefault(str(host), Traffic()) if host != self.door_host else Traffic()
        counted.connections += 1
        counted.sent += len(rest)

        def sent(count: int) -> None:
            counted.sent += count

        def received(count: int) -> None:
            counted.received += count

        try:
            await asyncio.gather(
                copy(reader, far_writer, sent), copy(far_reader, writer, received), return_exceptions=True
            )
        finally:
            far_writer.close()

    async def _connect(self, host: Host) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if host == self.door_host:
            return await asyncio.open_unix_connection(self.door)
        if host not in self.named:
            if str(host) in self.refused or len(self.refused) < _MOST_NAMES:
                self.refused[str(host)] += 1
            names = ", ".join(map(str, self.named))
            raise Refusal(HTTPStatus.FORBIDDEN, f"{host} is not one of this episode's hosts: {names}")
        try:
            found = await self._reached(host)
        except Refusal as refusal:
            self.failed[host] = str(refusal)
            raise
        self.failed.pop(host, None)
        return found

    async def _reached(self, host: Host) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                return await self._reach(host)
        except TimeoutError:
            problem = f"{host} did not answer within {_CONNECT_SECONDS:g} s"
        except OSError as error:
            problem = f"{host} cannot be reached: {error.strerror or error}"
        raise Refusal(HTTPStatus.BAD_GATEWAY, problem)

    async def _reach(self, host: Host) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address of a host that may be reached and answers."""
        loop, problem = asyncio.get_running_loop(), OSError("no address")
        for *_, place in await loop.getaddrinfo(host.name, host.port, type=socket.SOCK_STREAM):
            address = str(place[0])
            if not self._permitted(host, address):
                problem = OSError(
                    f"its address {address} is a private one; name {Host(address, host.port)} in options.network, too"
                )
                continue
            try:
                return await asyncio.open_connection(address, host.port)
            except OSError as error:
                problem = OSError(os.strerror(error.errno) if error.errno else str(error))
        raise problem

    def _permitted(self, host: Host, address: str) -> bool:
        found = ip_address(address.partition("%")[0])  # without the zone of a link-local address
        named = Host(str(found), host.port) in self.named or (host.name == "localhost" and found.is_loopback)
        return named or (found.is_global and not found.is_multicast)


async def _head(reader: asyncio.StreamReader) -> tuple[h11.Request, bytes]:
    """Return a request's head, and what came after it.

    Raises:
        Refusal: It is no HTTP.
    """
    parser = h11.Connection(h11.SERVER)
    try:
        while (event := parser.next_event()) is h11.NEED_DATA:
            data = await reader.read(65536)
            if not data:
                raise EOFError
            parser.receive_data(data)
    except h11.RemoteProtocolError as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, f"this is no HTTP request: {error}") from None
    if not isinstance(event, h11.Request):
        raise EOFError
    return event, parser.trailing_data[0]


def _target(request: h11.Request) -> tuple[Host, bytes | None]:
    """Return the host that a request is for, and the head to send there; None for a tunnel.

    Raises:
        Refusal: It names no host.
    """
    text = request.target.decode("ascii", "replace")
    try:
        if request.method == b"CONNECT":
            return read_host(text.lower()), None
        parts = urlsplit(text)
        if parts.scheme != "http":
            raise ValueError
        host = read_host(parts.netloc.lower(), _HTTP)
    except ValueError:
        sentence = "this is a proxy: send CONNECT host:port, or a request for http://host:port/path"
        raise Refusal(HTTPStatus.BAD_REQUEST, sentence) from None
    path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
    lines = [request.method + b" " + path.encode("ascii", "replace") + b" HTTP/1.1"]
    lines += [b"Host: " + parts.netloc.encode()]
    lines += [name + b": " + value for name, value in request.headers if name not in _DROPPED]
    # One request each: the next one could be for another host.
    return host, b"\r\n".join([*lines, b"Connection: close", b"", b""])


def _answer(status: HTTPStatus, sentence: str) -> bytes:
    body = f"{sentence}\n".encode(errors="replace")
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


def _literal(name: str) -> str:
    """Return an address in its usual form; empty for a name."""
    with suppress(ValueError):
        return str(ip_address(name))
    return ""


def _is_loopback(name: str) -> bool:
    literal = _literal(name)
    return bool(literal) and ip_address(literal).is_loopback
