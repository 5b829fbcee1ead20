"""Starts Stellarium unmodified inside the box, and passes sealed requests on to its plugin for remote control.

Run as `python3 -I wrapper.py PORT [DAY]`, with its channel as standard input; it needs nothing but the standard library
and `sealed/inside`. Given a day, it stops the clock at that Julian date, as the setup does for the first start. The
plugin serves a port, which in a box of its own nothing else can reach. Elsewhere it asks for a password, which only$
this program knows: the file of settings loses it once Stellarium has read it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[2] / "sealed" / "inside"))

import serving  # type: ignore[import-not-found]

_SECONDS = 8.0  # timeout of a call
_START = 120.0  # seconds for the plugin to answer first
_POLL = 0.1  # seconds
_SETTINGS = os.path.expanduser("~/.stellarium/config.ini")
_PASSWORD = re.compile(r"^password *=.*$", re.MULTILINE)  # only this plugin has one

Reply = dict[str, Any]


class Remote:
    """The plugin, with its password for as long as this program runs; handler of the requests."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._password = secrets.token_hex(16)
        self._forgotten = False

    def _admit(self) -> None:
        """Write the password where Stellarium reads it when it starts."""
        _set_password(self._password)

    def calls(self, calls: list[tuple[str, Reply | None]]) -> Reply:
        """Return the answers to calls, each a path and what is posted, in their order."""
        try:
            answers = [self._call(path, data) for path, data in calls]
        except (OSError, HTTPException) as error:
            return {"busy": f"{type(error).__name__}: {error}"}
        if not self._forgotten:
            _set_password("-")
            self._forgotten = True
        return {"answers": answers}

    def _call(self, path: str, data: Reply | None) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_SECONDS)
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

    def stop_clock(self, day: float) -> None:
        """Stop the clock as soon as the plugin answers."""
        until = time.monotonic() + _START
        while time.monotonic() < until and "busy" in self.calls(
            [("main/time", {"time": day, "timerate": 0})]
        ):
            time.sleep(_POLL)


def _set_password(password: str) -> None:
    with open(_SETTINGS, encoding="utf-8") as file:
        text = file.read()
    with open(_SETTINGS, "w", encoding="utf-8") as file:
        file.write(_PASSWORD.sub(f"password = {password}", text))


def in_a_thread(work: Callable[[], None]) -> None:
    """Have a function called; the plugin has no thread to keep to."""
    threading.Thread(target=work, daemon=True).start()


def main(port: str, day: str | None = None) -> None:
    """Start the server thread and the program."""
    channel, remote = serving.take_channel(), Remote(int(port))
    remote._admit()
    serving.start(channel, remote, in_a_thread)
    if day is not None:
        in_a_thread(lambda: remote.stop_clock(float(day)))
    sys.exit(subprocess.call(["/usr/bin/stellarium", "--full-screen=no"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
