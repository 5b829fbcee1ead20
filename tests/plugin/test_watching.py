"""`--cua-watch`: a session serves its page, obeys it, and ends it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from pytest_cuabench.ledger import live

pytestmark = pytest.mark.slow

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
PLAYER = """
import asyncio

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.task.action import Move
from pytest_cuabench.testing import ScriptedAgent


class Endless(ScriptedAgent):
    def __init__(self):
        super().__init__((Move(1, 1),))

    async def decide(self, observation):
        await asyncio.sleep(0.05)
        return await super().decide(observation)
"""


class Session:
    """A session in a process of its own, and a client of its page."""

    def __init__(self, sample: pytest.Pytester, *options: str) -> None:
        (sample.path / "endless.py").write_text(PLAYER)
        command = [sys.executable, "-m", "pytest", *OTHERS, "suites/sample", "--agent=endless:Endless"]
        self.process = subprocess.Popen(
            [*command, "--cua-watch", "--cua-max-steps=100000", "--cua-run=now", *options],
            cwd=sample.path,
            env={**os.environ, "PYTHONPATH": str(sample.path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, "")
        self.address = next(filter(None, (re.search(r"http://\S+", line) for line in lines)))[0]
        self.page = httpx.Client(
            base_url=self.address.partition("/?")[0], headers={"origin": self.address.partition("/?")[0]}
        )
        assert self.page.get(self.address, follow_redirects=True).status_code == 200

    def tiles(self, enough: Callable[[dict[str, dict[str, Any]]], bool]) -> dict[str, dict[str, Any]]:
        """Return the tiles by key as soon as they are as wanted."""
        found: dict[str, dict[str, Any]] = {}
        deadline = time.monotonic() + 60
        with self.page.stream("GET", "/events", timeout=60) as events:
            for line in events.iter_lines():
                if line.startswith("data: "):
                    found |= {tile["key"]: tile for tile in json.loads(line[6:]).get("tiles", ())}
                if enough(found):
                    return found
                assert time.monotonic() < deadline, found
        raise AssertionError(found)

    def command(self, command: str, attempt: str | None = None, **more: Any) -> None:
        """Do what the page's buttons do."""
        answer = self.page.post("/command", json={"command": command, "attempt": attempt, **more})
        assert answer.status_code == 200, answer.text

    def end(self) -> str:
        """Wait for the session's end, and return what it printed."""
        return self.process.communicate(timeout=90)[0]


@pytest.fixture
def start(desk: pytest.Pytester) -> Iterator[Callable[..., Session]]:
    """Start sessions; those that are left are killed."""
    started: list[Session] = []

    def starting(*options: str) -> Session:
        started.append(Session(desk, *options))
        return started[-1]

    yield starting
    for session in started:
        session.page.close()
        if session.process.poll() is None:
            os.killpg(session.process.pid, signal.SIGKILL)
            session.process.wait()
        session.process.stdout.close()  # type: ignore[union-attr]


def gone(session: Session) -> bool:
    """Whether nothing listens at the page's address."""
    with socket.socket() as trying:
        return trying.connect_ex((session.page.base_url.host, session.page.base_url.port)) != 0


def playing(tiles: dict[str, dict[str, Any]]) -> list[str]:
    """Return the keys of episodes that have made steps."""
    return [key for key, tile in tiles.items() if tile["state"] != "ended" and tile["steps"]]


@pytest.mark.parametrize("options", [("--cua-at-once=2",), ("-n2",)], ids=["at-once", "xdist"])
def test_person_in_the_page(start: Any, the_run: Any, played: Any, options: tuple[str, ...]) -> None:
    """Episodes are paused, one is aborted, and the run is: each is recorded, and the server ends with the session."""
    session = start(*options)
    first, second = playing(session.tiles(lambda tiles: len(playing(tiles)) == 2))
    session.command("pause")
    session.tiles(lambda tiles: all(tiles.get(key, {}).get("state") == "paused" for key in (first, second)))
    session.command("abort", first)
    session.tiles(lambda tiles: tiles.get(first, {}).get("outcome") == "cancelled")
    session.command("abort")
    text = session.end()
    assert "the run was aborted by a person; to resume the run, add --cua-resume=now" in text.replace(
        "\n", " "
    )
    assert session.process.returncode == 2
    attempts = {attempt.trajectory: attempt for found in played().values() for attempt in found}
    assert {attempt.outcome for attempt in attempts.values()} == {"cancelled"}
    assert attempts[first].error == "aborted by a person"
    assert attempts[second].error == "the run was aborted by a person"
    assert [pause.seconds > 0 for pause in attempts[second].intervention.pauses] == [True]
    assert not (the_run().folder / live.FOLDER).exists()
    assert gone(session)


def test_killed_session(start: Any, the_run: Any) -> None:
    """The server of a session that is killed ends, too."""
    session = start("-k", "note-intent")
    session.tiles(lambda tiles: bool(playing(tiles)))
    os.kill(session.process.pid, signal.SIGKILL)
    session.process.wait()
    deadline = time.monotonic() + 30
    while not gone(session):
        assert time.monotonic() < deadline, "the server goes on"
        time.sleep(0.1)
    assert live.session_of(the_run().folder)["alive"] is False  # type: ignore[index]


@pytest.mark.parametrize("options", [(), ("--cua-at-once=2",), ("-n2",)], ids=["one", "at-once", "xdist"])
def test_take_over(
    desk: pytest.Pytester, start: Any, played: Any, the_run: Any, options: tuple[str, ...]
) -> None:
    """A person takes over, acts in the real browser and ends the episode: an ungraded outcome that pytest names."""
    session = start("--cua-take-over", "-k", "note-intent", "--junitxml=junit.xml", *options)
    (key,) = playing(session.tiles(lambda tiles: bool(playing(tiles))))
    session.command("take", key)
    taken = session.tiles(lambda tiles: tiles[key]["state"] == "taken")[key]
    assert session.page.get(f"/picture/{taken['shot']}").content.startswith(b"\x89PNG")
    session.command("act", key, action={"kind": "click", "x": 40, "y": 40})
    session.tiles(lambda tiles: tiles[key]["shot"].endswith("human-001.png"))
    session.command("end", key)
    text = session.end()
    assert session.process.returncode == 1, text
    assert "a person took over (human steps: 1)" in text
    ((attempt,),) = played().values()
    assert (attempt.outcome, attempt.intervention.human_help, attempt.intervention.human_steps) == (
        "human_help",
        True,
        1,
    )
    junit = (desk.path / "junit.xml").read_text()
    assert 'name="cua_human_steps" value="1"' in junit
    assert "a person took over" in (the_run().folder / "report.html").read_text()
