"""Run inside of the box: forward a port of its loopback to the door, and run the program.

Reads its orders from standard input as JSON, so that no token or key is on a command line. Standard library only; one
thread, so that a program that uses up its processes can still call the door.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress


async def forward(port: int, door: str) -> None:
    """Pass on each connection to a port of the box to a Unix socket of the door."""

    running = set()  # asyncio holds a task weakly once its client has gone

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.add(task := asyncio.current_task())
        with suppress(asyncio.CancelledError):  # the program has ended
            far_reader, far_writer = await asyncio.open_unix_connection(door)
            await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer), return_exceptions=True)
            for each in (writer, far_writer):
                each.close()
        running.discard(task)

    await asyncio.start_server(connected, "127.0.0.1", port)


async def copy(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    copied: Callable[[int], None] = lambda count: None,
) -> None:
    """Pass on bytes until one side ends; `copied` is called with the number of each piece."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
        copied(len(data))
    if writer.can_write_eof():
        writer.write_eof()


async def ended(program: "subprocess.Popen[bytes]") -> int:
    """Wait for the program and return its exit code as a shell tells it."""
    over = asyncio.Event()
    watched = os.pidfd_open(program.pid)
    asyncio.get_running_loop().add_reader(watched, over.set)
    await over.wait()
    code = program.wait()
    return code if code >= 0 else 128 - code


async def main() -> int:
    """Run the program, and return its exit code."""
    orders = json.load(sys.stdin)
    for name, text in orders["write"].items():
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    for name, most in orders["limits"].items():
        resource.setrlimit(getattr(resource, name), (most, most))
    for door, port in orders["doors"].items():
        await forward(port, door)
    try:
        program = subprocess.Popen(orders["command"], env=orders["environment"], stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError as error:
        sys.exit(f"cannot start {orders['command'][0]!r}: {error.strerror}")
    return await ended(program)


if __name__ == "__main__":
    os._exit(asyncio.run(main()))
