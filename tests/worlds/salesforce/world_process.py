"""Starts the org's program as a process of its own; tests speak to it the way tools and browsers do.

with running(tmp_path / "control") as world:
    with world.open(seed=1) as session:
        session.api.get("/services/data/v62.0/query", params={"q": "SELECT Id FROM Account"})
        browser.goto(session.front_door("/lightning/page/home"))
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAM = REPOSITORY / "environments" / "salesforce"
KIT = REPOSITORY / "environments" / "kit"
FIXTURES = REPOSITORY / "fixtures" / "salesforce"


@dataclass
class OrgSession:
    """One org: what control says of it, and a client that carries the administrator's access token.

    Attributes:
        described: The session's description: `origin`, `org_id`, `username`, `access_token`, ...
        api: Client of the interfaces for tools, at a host of its own as tools use it.
    """

    world: OrgWorld
    described: dict[str, Any]
    api: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        token = self.described["access_token"]
        self.api = httpx.Client(
            base_url=self.world.url, headers={"authorization": f"Bearer {token}"}, timeout=60, verify=False
        )

    @property
    def path(self) -> str:
        """Where control has this session."""
        return f"/sessions/{self.described['id']}"

    def state(self) -> dict[str, Any]:
        """Return everything that a checker may look at."""
        return self.world.control.get(f"{self.path}/state").json()

    def rows(self, object: str) -> dict[str, dict[str, Any]]:
        """Return the records of an object by id."""
        return self.state()["collections"].get(object, {})

    def requests(self) -> list[dict[str, Any]]:
        """Return what browsers asked for."""
        return self.world.control.get(f"{self.path}/requests").json()["requests"]

    def calls(self) -> list[dict[str, Any]]:
        """Return what tools asked for."""
        return self.world.control.get(f"{self.path}/calls").json()["calls"]

    def front_door(self, path: str = "/lightning/page/home", user: str = "") -> str:
        """Return an address that signs a browser in once, as the administrator or as the user of a username."""
        wanted = {"path": path, **({"user": user} if user else {})}
        answer = self.world.control.post(f"{self.path}/front-door", json=wanted)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["url"])

    def browser(self) -> httpx.Client:
        """Return a browser without a screen at the session's own origin; it is not signed in."""
        origin = self.described["origin"]
        headers = {"host": origin.removeprefix("http://"), "origin": origin}
        return httpx.Client(base_url=self.world.url, headers=headers, timeout=60, verify=False)

    def close(self) -> None:
        """End the session."""
        self.api.close()
        self.world.control.delete(self.path)

    def __enter__(self) -> OrgSession:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


@dataclass
class OrgWorld:
    """A running program."""

    process: subprocess.Popen[str]
    ready: dict[str, Any]
    control: httpx.Client

    @property
    def url(self) -> str:
        """Where tools reach it."""
        return f"http://{self.ready['listen']}"

    def open(self, seed: int = 0) -> OrgSession:
        """Open a session."""
        answer = self.control.post("/sessions", json={"application": "salesforce", "seed": seed})
        assert answer.status_code == 201, answer.text
        return OrgSession(self, answer.json())


@contextlib.contextmanager
def running(socket: Path, fixtures: Path = FIXTURES) -> Iterator[OrgWorld]:
    """Run the program until the block ends; a path of a Unix socket may have about 100 characters."""
    with _process(socket, fixtures) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdin is not None
        first = process.stdout.readline()
        assert first, process.stderr.read()
        transport = httpx.HTTPTransport(uds=str(socket))
        with httpx.Client(transport=transport, base_url="http://control", timeout=60) as control:
            yield OrgWorld(process, json.loads(first), control)
        process.stdin.close()
        assert process.wait(20) == 0, process.stderr.read()


def _process(socket: Path, fixtures: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "salesforce_org", "--listen", "127.0.0.1:0", "--control", str(socket)]
    return subprocess.Popen(
        [*command, "--fixtures", str(fixtures), "--until-eof"],
        cwd=PROGRAM,
        env=os.environ | {"PYTHONPATH": f"{PROGRAM}{os.pathsep}{KIT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
