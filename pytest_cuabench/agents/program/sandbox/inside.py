"""Run inside of the box: forward a port of its loopback to the door, and run the program.

Reads its orders from standard input as JSON, so that no token or key is on a command line. Standard library only; one
thread, so that a program that uses up its processes can still call the door.
"""

import asyncio
import ctypes
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446  # system calls, of the same number on every architecture
_ABSTRACT_SOCKETS = 1  # LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, since Linux 6.12
_LAST = 1.0  # seconds for what the program has sent, unless processes that it left keep the connection


async def forward(port: int, door: str, sending: "set[asyncio.Task[None]]") -> None:
    """Pass on each connection to a port of the box to a Unix socket of the door; `sending` are those still open."""

    running = set()  # asyncio holds a task weakly once its client has gone

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        running.add(task := asyncio.current_task())
        with suppress(asyncio.CancelledError):  # the program has ended
            far_reader, far_writer = await asyncio.open_unix_connection(door)
            to_door = asyncio.create_task(copy(reader, far_writer))
            sending.add(to_door)
            to_door.add_done_callback(sending.discard)
            await asyncio.gather(to_door, copy(far_reader, writer), return_exceptions=True)
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
    watched = os.pidfd_open(program.pid)  # before Python 3.12 asyncio takes a thread to wait for a process
    asyncio.get_running_loop().add_reader(watched, over.set)
    await over.wait()
    code = program.wait()
    return code if code >= 0 else 128 - code


def keep_from_sockets() -> None:
    """Deny connections to abstract Unix sockets of others, which a shared network shows; older kernels cannot."""
    rules = (ctypes.c_uint64 * 3)(0, 0, _ABSTRACT_SOCKETS)
    call = ctypes.CDLL(None).syscall
    made = call(_LANDLOCK_CREATE, rules, ctypes.c_size_t(ctypes.sizeof(rules)), 0)
    if made >= 0:
        call(_LANDLOCK_RESTRICT, made, 0)
        os.close(made)


def keep_from_calls() -> None:
    """Deny system calls that no program needs, here and in all that is started."""
    sys.path.insert(0, os.path.dirname(__file__))  # which -I leaves out
    try:
        import_module("seccomp").restrict()  # beside this file
    except OSError as error:
        sys.exit(f"this system cannot have a box: {error}")


def _private(name: str, flags: int) -> int:
    """Open a file for this user only, as ssh wants it for keys."""
    return os.open(name, flags, 0o600)


async def main() -> int:
    """Run the program, and return its exit code."""
    orders = json.load(sys.stdin)
    for name, text in orders["write"].items():
        os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
        with open(name, "w", encoding="utf-8", opener=_private) as file:
            file.write(text)
    for name, most in orders["limits"].items():
        resource.setrlimit(getattr(resource, name), (most, most))
    if orders["alone"]:
        keep_from_sockets()
    keep_from_calls()
    sending: set[asyncio.Task[None]] = set()
    for door, port in orders["doors"].items():
        await forward(port, door, sending)
    try:
        program = subprocess.Popen(orders["command"], env=orders["environment"], stdin=subprocess.DEVNULL)  # noqa: S603
    except OSError as error:
        sys.exit(f"cannot start {orders['command'][0]!r}: {error.strerror}")
    code = await ended(program)
    await asyncio.sleep(0.01)  # a connection that has just come is one of them
    if sending:
        await asyncio.wait(sending, timeout=_LAST)  # what the program sent before its end
    return code


if __name__ == "__main__":
    os._exit(asyncio.run(main()))
