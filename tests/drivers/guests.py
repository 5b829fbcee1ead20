"""Guests that tests start: each a program of its own with a desktop of its own, gone at the end."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

ENVIRONMENT = Path(__file__).parents[2] / "environments" / "desktop"
LABEL = "CUABENCH_DESKTOP"
_NEEDED = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "bwrap": "bubblewrap",
    "dbus-daemon": "dbus-daemon",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "/usr/lib/python3/dist-packages/gi": "python3-gi gir1.2-gtk-3.0",
}


def absent() -> str | None:
    """Return why no desktop can be started here, with the command that changes it."""
    packages = [
        package for name, package in _NEEDED.items() if not (shutil.which(name) or Path(name).exists())
    ]
    return f"no desktop can be started here; type: apt-get install {' '.join(packages)}" if packages else None


needs_desktop = pytest.mark.skipif(absent() is not None, reason=absent() or "")


def environment() -> dict[str, str]:
    """Return what a guest is started with."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {"PYTHONPATH": str(ENVIRONMENT), "PYTHONDONTWRITEBYTECODE": "1"}


class Guest:
    """A running guest and a client that knows its token."""

    def __init__(self, *arguments: str, screen: str = "1280x800", token: str | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cua-"))  # short: socket paths are
        self.state = self.folder / "state"
        listen = ("--listen", f"unix:{self.folder / 'socket'}")
        known: tuple[str, ...] = ()
        if token is not None:
            (self.folder / "token").write_text(token)
            known = ("--token-file", str(self.folder / "token"))
        own = ("--state", str(self.state), "--screen", screen, "--until-eof")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "guest", *listen, *known, *own, *arguments],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            _, error = self.process.communicate(timeout=10)
            raise AssertionError(error)
        self.ready: dict[str, Any] = json.loads(line)
        headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
        transport = httpx.HTTPTransport(uds=str(self.folder / "socket"))
        self.client = httpx.Client(
            transport=transport, base_url="http://guest/cuabench/1", headers=headers, timeout=2400
        )

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Return the JSON of a call that succeeds."""
        reply = self.client.request(method, path, json=body)
        assert reply.is_success, reply.text
        answer: dict[str, Any] = reply.json() if reply.content else {}
        return answer

    def begin(self, application: str = "probe", setup: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Start a session."""
        return self.call("POST", "/session", {"application": application, "setup": list(setup)})

    def act(self, *actions: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Carry out actions, none of which is refused."""
        results: list[dict[str, Any]] = self.call("POST", "/actions", {"actions": list(actions)})["results"]
        assert not [result for result in results if result["error"]], results
        return results

    def collections(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return what is true now."""
        found: dict[str, dict[str, dict[str, Any]]] = self.call("GET", "/session/state")["collections"]
        return found

    def fields(self) -> dict[str, str]:
        """Return what the probe's fields hold."""
        return {name: row["value"] for name, row in self.collections()["fields"].items()}

    def nodes(self) -> list[dict[str, Any]]:
        """Return what is shown."""
        nodes: list[dict[str, Any]] = self.call("GET", "/tree")["nodes"]
        return nodes

    def close(self) -> None:
        """End it, and wait for it."""
        self.client.close()
        if self.process.poll() is None and self.process.stdin is not None:
            self.process.stdin.close()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


def labelled(state: Path) -> list[int]:
    """Return the processes of a desktop, found by its label in their environment."""
    mark = f"{LABEL}={hashlib.sha256(os.fsencode(state)).hexdigest()[:16]}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:  # it has ended, or belongs to somebody else
                continue
    return found
