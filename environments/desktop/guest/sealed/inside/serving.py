"""Serves the requests of the guest inside a program, over a Unix socket; it needs nothing but the standard library.

Requests and replies are authenticated with a token that later programs cannot read, because its file is removed before
the window opens. So no other program can send requests or forge replies.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

_MOST = 1_048_576  # bytes of a request
_REQUEST_SECONDS = 0.5  # timeout of a request, since connections are served one by one

Reply = dict[str, Any]
InThread = Callable[[Callable[[], None]], object]
"""Has a function called in the window's thread, and returns at once."""


def take_token(file: str) -> bytes:
    """Read the token and remove its file."""
    with open(file, "rb") as opened:
        token = opened.read()
    os.unlink(file)
    return token


def start(address: str, token: bytes, api: object, in_thread: InThread) -> None:
    """Serve the methods of `api` from now on, each called in the window's thread."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(4)
    threading.Thread(target=_serve, args=(listener, token, api, in_thread), daemon=True).start()


def _serve(listener: socket.socket, token: bytes, api: object, in_thread: InThread) -> None:
    """Serve requests one by one as long as the program runs."""

    def seal(content: bytes) -> bytes:
        return hmac.new(token, content, hashlib.sha256).hexdigest().encode()

    while True:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as stream:
            connection.settimeout(_REQUEST_SECONDS)
            try:
                proof, line = stream.readline(_MOST).strip(), stream.readline(_MOST).strip()
                if not hmac.compare_digest(proof, seal(line)):
                    continue  # no reply without the token
                request = json.loads(line)
                body = json.dumps(_answer(request, api, in_thread)).encode()
                connection.sendall(seal(request["nonce"].encode() + body) + b"\n" + body)
            except OSError:
                continue  # the client is gone or silent


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
