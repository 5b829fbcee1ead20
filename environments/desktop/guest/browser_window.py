"""Runs inside the box: a browser with a relay to the one address that it may reach.

`browser_window.py PORT SOCKET PROGRAM ARGUMENT...` relays PORT of the box's own loopback to SOCKET, starts the program,
and exits with it. A box has no other network.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

CHUNK = 65_536


async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy data in one direction until its end."""
    with suppress(OSError):
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()
        target.write_eof()


async def main(port: int, socket: str, command: list[str]) -> int:
    """Serve the port until the program ends, and return its code."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            there, back = await asyncio.open_unix_connection(socket)
            await asyncio.gather(pass_on(reader, back), pass_on(there, writer))
            back.close()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port):
        program = await asyncio.create_subprocess_exec(*command)
        return await program.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])))
