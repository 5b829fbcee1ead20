"""A relay from a Unix socket to one local port, the only address that a confined browser may reach."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

_CHUNK = 65_536


class Relay:
    """Serves a socket file and forwards connections to one loopback port."""

    def __init__(self, socket: Path, port: int) -> None:
        self.socket = socket
        self.port = port
        self._server: asyncio.Server | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start serving; an existing socket file is replaced."""
        self.socket.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, str(self.socket))
        self.socket.chmod(0o666)

    async def close(self) -> None:
        """Stop serving and close all connections."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._running:
            task.cancel()
        self.socket.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            with suppress(OSError):
                there = await asyncio.open_connection("127.0.0.1", self.port)
                await _both_ways((reader, writer), there)
        finally:
            self._running.discard(task)
            writer.close()


_End = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _both_ways(here: _End, there: _End) -> None:
    """Copy data in both directions until both ends are closed."""
    try:
        async with asyncio.TaskGroup() as passing:
            passing.create_task(_pass_on(here[0], there[1]))
            passing.create_task(_pass_on(there[0], here[1]))
    finally:
        there[1].close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(_CHUNK):
            target.write(data)
            await target.drain()
        target.write_eof()
