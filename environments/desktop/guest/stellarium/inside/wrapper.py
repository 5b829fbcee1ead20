"""Starts Stellarium unmodified inside the box, and passes sealed requests on to its plugin for remote control.

Run as `python3 wrapper.py SOCKET TOKEN_FILE`. The plugin serves a port, which in a box of its own nothing else can
reach. Elsewhere it asks for a password, which only this program knows: the file of settings loses it once Stellarium
has read it. Requests and replies are authenticated with a token whose file is removed before Stellarium starts.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlencode

_MOST = 65_536  # bytes of a request
_REQUEST_SECONDS = 0.5  # timeout of a request, since connections are served one by one
_SETTINGS = os.path.expanduser("~/.stellarium/config.ini")
_PLACEHOLDER = "password = -"

Reply = dict[str, Any]


class Remote:
    """The plugin, with its password for as long as this program runs."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._password = secrets.token_hex(16)
        self._forgotten = False

    def admit(self) -> None:
        """Write the password where Stellarium reads it when it starts."""
        _replace(_PLACEHOLDER, f"password = {self._password}")

    def calls(self, calls: list[tuple[str, Reply | None]], seconds: float) -> list[Any]:
        """Return the answers to calls, each a path and what is posted, in their order."""
        answers = [self._call(path, data, seconds) for path, data in calls]
        if not self._forgotten:
            _replace(self._password, "-")
            self._forgotten = True
        return answers

    def _call(self, path: str, data: Reply | None, seconds: float) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=seconds)
        proof = base64.b64encode(f":{self._password}".encode()).decode()
        headers = {
            "Authorization": f"Basic {proof}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Connection": "close",
        }
        try:
            body = None if data is None else urlencode(data)
            connection.request("GET" if data is None else "POST", f"/api/{path}", body, headers)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
        finally:
            connection.close()
        if response.status != 200:
            return {"error": f"{path}: {response.status} {text[:200]}"}
        try:
            return json.loads(text)
        except ValueError:
            return text


def _replace(old: str, new: str) -> None:
    with open(_SETTINGS, encoding="utf-8") as file:
        text = file.read()
    with open(_SETTINGS, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def serve(listener: socket.socket, token: bytes, remote: Remote) -> None:
    """Serve requests one by one as long as the program exists."""

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
                connection.settimeout(request["seconds"])
                body = json.dumps(_answer(request, remote)).encode()
                connection.sendall(seal(request["nonce"].encode() + body) + b"\n" + body)
            except OSError:
                continue  # the client is gone or silent


def _answer(request: Reply, remote: Remote) -> Reply:
    end = time.monotonic() + request["seconds"]
    try:
        return {"answers": remote.calls(request["with"]["calls"], max(0.1, end - time.monotonic()))}
    except (OSError, HTTPException) as error:
        return {"busy": f"{type(error).__name__}: {error}"}


def main(address: str, token_file: str, port: str) -> None:
    """Start the program and the server thread."""
    with open(token_file, "rb") as file:
        token = file.read()
    os.unlink(token_file)
    remote = Remote(int(port))
    remote.admit()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(4)
    threading.Thread(target=serve, args=(listener, token, remote), daemon=True).start()
    sys.exit(subprocess.call(["/usr/bin/stellarium", "--full-screen=no"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
