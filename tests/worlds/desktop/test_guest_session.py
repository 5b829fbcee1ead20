"""A desktop starts, comes back to its beginning by layers, mends itself, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from drivers.guests import Guest, environment, labelled, needs_desktop

pytestmark = needs_desktop
CLICK = {"kind": "click", "x": 500, "y": 155}


@pytest.fixture
def guest() -> Iterator[Guest]:
    """A guest that the test may break."""
    guest = Guest()
    yield guest
    guest.close()


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def program(state: Path, name: str) -> list[int]:
    """Return the processes of a desktop that run a program, those in its box."""

    def called(pid: int) -> str:
        try:
            return Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:  # it has just ended
            return ""

    return [pid for pid in labelled(state) if called(pid) == name]


@pytest.mark.slow
def test_layers(desktop: Guest) -> None:
    """Nothing is done when nothing happened; a deed or another setup restores HOME; all begin alike."""
    first = desktop.begin()
    assert desktop.begin()["layer"] == "clean"
    desktop.act(CLICK, {"kind": "type", "text": "words"})
    again = desktop.begin()
    assert again["layer"] == "desktop"
    assert again["fingerprint"] == first["fingerprint"]
    write = {"do": "write", "path": "Documents/a.txt", "text": "é"}
    other = desktop.begin(setup=[write])
    assert other["layer"] == "desktop"
    assert other["fingerprint"] != first["fingerprint"]
    assert desktop.collections()["files"]["Documents/a.txt"]["text"] == "é"
    assert desktop.begin()["layer"] == "desktop"
    assert desktop.collections()["files"] == {}


def test_ended_and_begun(desktop: Guest) -> None:
    """A session that was ended is told as none, and the next begins with a new desktop."""
    desktop.begin()
    desktop.call("DELETE", "/session")
    assert desktop.call("GET", "/health")["session"] is None
    reply = desktop.client.get("/session/state")
    assert (reply.status_code, reply.json()) == (
        409,
        {"error": "no session runs on this desktop; POST session starts one"},
    )
    assert desktop.begin()["layer"] == "desktop"
    assert desktop.call("GET", "/health")["session"] == "probe"


@pytest.mark.slow
def test_ended_programs_are_released(guest: Guest) -> None:
    """The number of ended processes that keep their ids does not grow with the number of resets."""

    def ended() -> int:
        guest.client.post("http://guest/execute", json={"command": ["true"]}).raise_for_status()
        assert guest.begin()["layer"] == "desktop"
        children = psutil.Process(guest.process.pid).children()
        return sum(child.status() == psutil.STATUS_ZOMBIE for child in children)

    guest.begin()
    ended()
    assert max(ended() for _ in range(6)) <= 2  # one may be just ending


def test_the_revision_grows(desktop: Guest) -> None:
    """The revision grows with a change of what is true, and only then."""
    desktop.begin()
    before = desktop.call("GET", "/session/revision")["revision"]
    assert desktop.call("GET", "/session/revision")["revision"] == before
    desktop.act(CLICK)
    assert desktop.call("GET", "/session/revision")["revision"] > before


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"application": "nope"}, "no application is named 'nope'"),
        (
            {"application": "probe", "setup": [{"do": "dance"}]},
            "'dance' is unknown here; known: folder, keep, put, write",
        ),
        (
            {"application": "probe", "setup": [{"do": "write", "path": "x"}]},
            "write needs exactly: path, text",
        ),
        ({"application": "probe", "setup": [{"do": "folder", "path": "../x"}]}, "must lie below HOME"),
        ({"application": "probe", "setup": [{"do": "folder", "path": 3}]}, "path is 3"),
        ({"application": "probe", "setup": "x"}, "setup must be a list"),
        ([], "must be a JSON object"),
    ],
)
def test_what_cannot_be_begun(body: Any, said: str, desktop: Guest) -> None:
    """A request that makes no sense is answered by one sentence."""
    reply = desktop.client.post("/session", json=body)
    assert reply.status_code == 400
    assert said in reply.json()["error"]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"kind": "dance"}, "whose kind is one of"),
        ({"kind": "click", "x": 5000, "y": 1}, "x is 5000, but must be a pixel from 0 to 1279"),
        ({"kind": "click", "x": 1, "y": 1, "button": "nose"}, "unknown mouse button 'nose'"),
        ({"kind": "key", "keys": ["hyper"]}, "unknown key 'hyper'"),
        ({"kind": "type", "text": "a\x07"}, "no key writes the character U+0007"),
        ({"kind": "wait", "seconds": 1e9}, "must be 0 to 60"),
        ({"kind": "drag", "path": [[1, 1], [1, 9000]]}, "y is 9000"),
        ({"kind": "click", "z": 1}, "malformed action"),
    ],
)
@pytest.mark.slow
def test_wrong_actions_are_told(action: dict[str, Any], said: str, desktop: Guest) -> None:
    """What is wrong with an action is its result; the actions after it are not done."""
    desktop.begin()
    results = desktop.call("POST", "/actions", {"actions": [action, CLICK]})["results"]
    assert said in results[0]["error"]
    assert "not done" in results[1]["error"]


@pytest.mark.slow
def test_a_killed_x_server(guest: Guest) -> None:
    """A dead X server is told by every call as trouble of the desktop, and mended by the next session."""
    guest.begin()
    [server] = program(guest.state, "Xvfb")
    os.kill(server, signal.SIGKILL)
    wait_until(lambda: not program(guest.state, "Xvfb"))
    for method, path, body in (
        ("POST", "/actions", {"actions": [CLICK]}),
        ("GET", "/screenshot", None),
        ("GET", "/tree", None),
    ):
        reply = guest.client.request(method, path, json=body)
        assert reply.status_code == 503, (path, reply.text)
        assert "X server of this desktop" in reply.json()["error"]
    left = guest.call("GET", "/session/state")
    assert "X server of this desktop" in left["trouble"]
    assert {"events", "fields", "files"} <= set(left["collections"])
    assert guest.begin()["layer"] == "desktop"
    guest.act(CLICK, {"kind": "type", "text": "again"})
    assert guest.fields()["line"] == "again"


@pytest.mark.slow
@pytest.mark.parametrize("which", [0, -1], ids=["session", "accessibility"])
def test_a_killed_message_bus(which: int, guest: Guest) -> None:
    """A dead message bus is told, and mended by the next session, though the application does not mind."""
    guest.begin()
    os.kill(sorted(program(guest.state, "dbus-daemon"))[which], signal.SIGKILL)
    wait_until(lambda: guest.client.get("/tree").status_code == 503)
    assert guest.begin()["layer"] == "desktop"
    assert guest.nodes()


def test_a_killed_supervisor_leaves_nothing(guest: Guest) -> None:
    """What a desktop started is gone when its supervisor is killed."""
    guest.begin()
    assert len(labelled(guest.state)) > 5
    guest.process.kill()
    guest.process.wait(10)
    wait_until(lambda: not labelled(guest.state))


@pytest.mark.slow
@pytest.mark.parametrize("end", ["terminated", "closed"])
def test_an_ended_supervisor_leaves_nothing(end: str, guest: Guest) -> None:
    """SIGTERM and the end of standard input end a desktop wholly, its socket included."""
    guest.begin()
    if end == "terminated":
        guest.process.terminate()
    else:
        assert guest.process.stdin is not None
        guest.process.stdin.close()
    assert guest.process.wait(20) == 0
    assert not labelled(guest.state)
    assert not (guest.folder / "socket").exists()


@pytest.mark.slow
def test_side_by_side() -> None:
    """Desktops that run at the same time type, click and read their own, and only that."""
    guests = [Guest() for _ in range(2)]
    try:
        for guest in guests:
            guest.begin()
        for number, guest in enumerate(guests):
            guest.act(CLICK, {"kind": "type", "text": f"desk {number} é"})
        assert [guest.fields()["line"] for guest in guests] == ["desk 0 é", "desk 1 é"]
        assert [len(program(guest.state, "Xvfb")) for guest in guests] == [1, 1]
        guests[0].close()
        guests[1].act({"kind": "type", "text": "!"})
        assert guests[1].fields()["line"] == "desk 1 é!"
    finally:
        for guest in guests:
            guest.close()


def test_the_token() -> None:
    """Without the token nothing is answered, not even health; with it everything is."""
    guest = Guest(token="a long secret")
    try:
        assert guest.call("GET", "/health")["protocol"] == 1
        for headers in ({"Authorization": ""}, {"Authorization": "Bearer a long secre"}):
            for path in ("/health", "http://guest/screenshot", "http://guest/nothing"):
                reply = guest.client.get(path, headers=headers)
                assert reply.status_code == 401
                assert "wants its token" in reply.json()["error"]
    finally:
        guest.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--listen", "127.0.0.1:0"], "a port needs --token-file"),
        (["--listen", "unix:s", "--confine", "magic"], "must be bwrap, user:NAME or none"),
        (["--listen", "unix:s", "--confine", "user:nobody-here"], "useradd -m nobody-here"),
        (["--listen", "unix:s", "--confine", "none"], "go together"),
        (["--listen", "unix:s", "--confine", "none", "--display", ":9876"], "no X server answers as ':9876'"),
        (["--listen", "unix:s", "--token-file", "/dev/null"], "is empty"),
        (["--listen", "unix:/nowhere/at/all/s"], "No such file"),
    ],
)
def test_a_start_that_cannot_work(arguments: list[str], said: str, tmp_path: Path) -> None:
    """A start that cannot work ends with one line that says why and what to type."""
    with tempfile.TemporaryDirectory(prefix="cua-") as state:  # short: socket paths are
        command = [sys.executable, "-m", "guest", *arguments, "--state", state]
        ended = subprocess.run(
            command, env=environment(), cwd=tmp_path, capture_output=True, text=True, timeout=30
        )
    assert ended.returncode == 1
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1
