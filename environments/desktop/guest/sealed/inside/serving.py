"""Serves the requests of the guest inside a program; it needs nothing but the standard library.

Requests come over the standard input, which is one end of a pair of sockets: no other program can reach it. Code of
others in this very process could, so `watch` (`own_code.py`) has the channel say so before it runs.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

_PR_SET_DUMPABLE = 4
_turn = threading.RLock()  # lines do not mix

Reply = dict[str, Any]
InThread = Callable[[Callable[[], None]], object]
"""Has a function called in the window's thread, and returns at once."""


def take_channel() -> socket.socket:
    """Return the channel, which programs that are started from here do not inherit, nor can they look in here."""
    channel = socket.socket(fileno=os.dup(0))
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return channel


def start(channel: socket.socket, api: object, in_thread: InThread) -> None:
    """Serve the methods of `api` from now on, each called in the window's thread."""
    threading.Thread(target=_serve, args=(channel, api, in_thread), daemon=True).start()


def tell(channel: socket.socket, message: Reply) -> None:
    """Send one line."""
    line = json.dumps(message).encode() + b"\n"
    with _turn:
        channel.sendall(line)


def _serve(channel: socket.socket, api: object, in_thread: InThread) -> None:
    """Serve requests one by one as long as the program runs."""
    with channel.makefile("rb") as lines:
        for line in lines:
            request = json.loads(line)
            tell(channel, {"number": request["number"], "answer": _answer(request, api, in_thread)})


def _answer(request: Reply, api: object, in_thread: InThread) -> Reply:
    name = request["ask"]
    if name.startswith("_") or not callable(getattr(api, name, None)):
        return {"error": f"the window cannot be asked for {name!r}"}
    method: Callable[..., Reply] = getattr(api, name)
    done = threading.Event()
    found: Reply = {}

    def work() -> None:
        try:
            found.update(method(**request.get("with", {})))
        except Exception as error:
            found["error"] = f"{type(error).__name__}: {error}"
        finally:
            done.set()

    in_thread(work)
    if not done.wait(request["seconds"]):
        return {"busy": f"the window did not answer within {request['seconds']:g} s"}
    return found
