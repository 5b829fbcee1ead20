"""Gives a container's guest its listening socket, so that it can write nothing to the folder that both see.

The socket is made here; the guest asks for it at a second one, and then nobody else has it.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

CONTROL, ASK = "control", "ask"  # names of the sockets
_BACKLOG = 128
_POLL = 0.2


def offer(folder: Path, expected: Callable[[], bool]) -> None:
    """Make both sockets in a folder, and give the first one to who asks, for as long as somebody is expected to."""
    control, ask = (_listening(folder / name) for name in (CONTROL, ASK))
    threading.Thread(
        target=_give, args=(control, ask, expected), name="cuabench-handover", daemon=True
    ).start()


def _listening(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(path))
    made.listen(_BACKLOG)
    return made


def _give(control: socket.socket, ask: socket.socket, expected: Callable[[], bool]) -> None:
    with control, ask:
        # Else the thread would outlive a container that ends before it asks.
        ask.settimeout(_POLL)
        while expected():
            with suppress(TimeoutError):
                # The first one only: later requests come from programs of the agent.
                guest, _ = ask.accept()
                with guest, suppress(OSError):
                    socket.send_fds(guest, [b"."], [control.fileno()])
                return
