"""The server behind `cuabench watch`: what it tells, serves, refuses and passes on."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import httpx
import live_run
import pytest
import sample_run

from pytest_cuabench.commands.cli import main
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.watch.following import Following
from pytest_cuabench.reporting.watch.server import Hub, application, listen

PORT, TOKEN = 4711, "the-token"
SITE = f"http://127.0.0.1:{PORT}"
KEY = "trajectories/desk/task0-intent/1"


@pytest.fixture
def playing(tmp_path: Path) -> Run:
    """A run of three instances that is played now."""
    return live_run.begin(Run(tmp_path / "now"), 3)


@pytest.fixture
def following(playing: Run) -> Following:
    """What follows this run."""
    return Following(lambda: playing)


def call(
    following: Following, *requests: tuple[str, str, Any], read_only: bool = False, **headers: str
) -> Any:
    """Send requests, each of method, path and body, with the cookie; return the last response."""
    hub = Hub(following)
    app = application(hub, PORT, TOKEN, read_only=read_only)
    usual = {"cookie": f"cuabench-watch-{PORT}={TOKEN}", "origin": SITE}

    async def calling() -> httpx.Response:
        await hub.look()
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=SITE, headers=usual | headers) as client:
            for method, path, body in requests:
                response = await client.request(method, path, json=body)
        return response

    return asyncio.run(calling())


def get(following: Following, path: str, **headers: str) -> httpx.Response:
    """Return the response to one request."""
    response: httpx.Response = call(following, ("GET", path, None), **headers)
    return response


def tile(following: Following, key: str = KEY) -> dict[str, Any]:
    """Return what the page knows of an episode after one more look."""
    following.look()
    return following.tiles[key].shown


# What is told


def test_episode_in_progress(playing: Run, following: Following) -> None:
    """A tile has the goal, the last thought and action, steps, money, state and the newest screen."""
    live_run.episode(playing, 0, steps=2)
    shown = tile(following)
    assert (shown["instance"], shown["state"], shown["steps"]) == ("desk/task0-intent", "deciding", 2)
    assert (shown["action"], shown["cost"], shown["max_steps"]) == ("type “Maria Gonzalez”", 0.02, 30)
    assert shown["thought"] == "The form is open; field 2 comes next."
    assert shown["shot"] == f"{KEY}/step-002.png"
    assert shown["goal"] == sample_run.GOAL


def test_only_changes_are_sent(playing: Run, following: Following) -> None:
    """After a look only the episodes that changed are sent; without news nothing is."""
    first = live_run.episode(playing, 0)
    live_run.episode(playing, 1)
    assert following.look()
    seen = following.looks
    assert len(following.changes(0)["tiles"]) == 2
    assert not following.look()
    live_run.step(first, 2)
    assert following.look()
    assert [shown["key"] for shown in following.changes(seen)["tiles"]] == [KEY]


def test_lines_cut_short_are_read_when_complete(playing: Run, following: Following) -> None:
    """A line that is being written is left until its end is there."""
    live_run.episode(playing, 0, steps=1)
    (file,) = live.files_of(playing.folder)
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    assert tile(following)["steps"] == 1
    before = following.tiles[KEY].shown["shot"]
    file.write_bytes(whole)
    assert tile(following)["shot"] != before


def test_figures(playing: Run, following: Following) -> None:
    """The figures are those of the last attempts, with Wilson's interval, all money, and the time left."""
    live_run.end(live_run.episode(playing, 0))
    live_run.end(live_run.episode(playing, 1), "failure")
    live_run.episode(playing, 2)
    following.look()
    figures = following.changes(0)["figures"]
    assert (figures["planned"], figures["done"], figures["running"]) == (3, 2, 1)
    assert figures["outcomes"] == {"success": 1, "failure": 1}
    assert (figures["rate"]["k"], figures["rate"]["n"]) == (1, 2)
    assert figures["cost"] == pytest.approx(2 * 0.0412 + 0.02)


def test_states_of_a_run(playing: Run, following: Following) -> None:
    """A run is playing, was killed, or has ended."""
    assert following.look()
    assert following.changes(0)["run"]["state"] == "playing"
    session = playing.folder / live.FOLDER / "session.json"
    dead = os.spawnlp(os.P_NOWAIT, "true", "true")
    os.waitpid(dead, 0)
    session.write_text(json.dumps({"pid": dead, "started": 0}))
    assert following.look()
    assert following.changes(0)["run"]["state"] == "killed"
    live.close_session(playing.folder)
    assert following.look()
    assert following.changes(0)["run"]["state"] == "ended"


def test_waits_for_the_run(tmp_path: Path) -> None:
    """Before the run exists the page says that it waits for it."""
    found: list[Run] = []
    following = Following(lambda: found[0] if found else None)
    assert not following.look()
    assert following.changes(0)["run"] == {"name": None, "state": "waiting"}
    found.append(live_run.begin(Run(tmp_path / "later")))
    assert following.look()
    assert following.changes(0)["run"]["name"] == "later"


def test_finished_run(run: Run) -> None:
    """A finished run shows every attempt of its ledger, with the steps of its record."""
    following = Following(lambda: run)
    following.look()
    attempts = list(run.attempts())
    assert len(following.tiles) == len(attempts)
    shown = next(attempt for attempt in attempts if attempt.trajectory and attempt.outcome == "success")
    assert len(following.frames(shown.trajectory or "")) == shown.steps + 1


def test_attempt_whose_process_died(playing: Run, following: Following) -> None:
    """A lost attempt, which has no trajectory in the ledger, ends the tile of its instance."""
    live_run.episode(playing, 0)
    following.look()
    playing.append(sample_run.attempt("desk", "task0", "environment_error", trajectory=None))
    assert tile(following)["outcome"] == "environment_error"
    assert len(following.tiles) == 1


def test_steps_of_an_episode_in_progress(playing: Run, following: Following) -> None:
    """The history of an episode in progress has its pictures, marks, thoughts and actions."""
    live_run.episode(playing, 0, steps=3)
    frames = call(following, ("GET", f"/steps?key={KEY}", None)).json()["frames"]
    assert [frame["shot"] for frame in frames] == [f"step-{number:03d}.png" for number in range(3)]
    assert frames[0]["actions"] == ["click (230, 148)"]
    assert frames[0]["marks"] == [["ring", [[230, 148]]]]


# What is served


def test_token_becomes_a_cookie(following: Following) -> None:
    """The first request keeps the token in a cookie, so that it leaves the address."""
    response = get(following, f"/?token={TOKEN}", cookie="")
    assert (response.status_code, response.headers["location"]) == (303, "/")
    cookie = response.headers["set-cookie"]
    assert cookie.startswith(f"cuabench-watch-{PORT}={TOKEN};")
    assert "HttpOnly" in cookie
    assert get(following, "/").status_code == 200


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {"cookie": ""}),
        ("/?token=wrong", {}),
        ("/", {"cookie": f"cuabench-watch-{PORT}=wrong"}),
        ("/", {"cookie": f"cuabench-watch-{PORT + 1}={TOKEN}"}),
        ("/events", {"cookie": ""}),
        (f"/picture/{KEY}/step-000.png", {"cookie": ""}),
        ("/", {"host": f"evil.example:{PORT}"}),
        ("/", {"host": "127.0.0.1"}),
    ],
)
def test_refused_requests(following: Following, path: str, headers: dict[str, str]) -> None:
    """Without the token, and under another host name, nothing is served."""
    response = get(following, path, **headers)
    assert response.status_code == 403
    assert response.text.startswith("open the address that cuabench printed")


def test_headers(following: Following) -> None:
    """Every response has a content security policy that allows the page's own files only."""
    headers = get(following, "/").headers
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_picture(playing: Run, following: Following) -> None:
    """A picture is served as it was recorded, and never asked for again."""
    live_run.episode(playing, 0)
    response = get(following, f"/picture/{KEY}/step-000.png")
    assert response.content == sample_run.picture(0)
    assert "immutable" in response.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "run.json",
        "ledger.jsonl",
        f"{KEY}/steps.jsonl",
        "trajectories/../run.json",
        "%2e%2e/other.png",
        "link.png",
        "%00",
    ],
)
def test_other_files_are_not_served(playing: Run, following: Following, path: str) -> None:
    """Only pictures within the trajectories are served, neither records nor what a link leads to."""
    recorder = live_run.episode(playing, 0)
    (playing.folder.parent / "other.png").write_bytes(b"secret")
    (recorder.folder / "link.png").symlink_to(playing.folder.parent / "other.png")
    where = f"{KEY}/{path}" if path == "link.png" else path
    assert get(following, f"/picture/{where}").status_code == 404


# Commands


def commanded(run: Run) -> list[tuple[str, str | None]]:
    """Return what was commanded."""
    file = run.folder / live.FOLDER / "commands.jsonl"
    lines = file.read_text().splitlines() if file.exists() else ()
    return [(line["command"], line["attempt"]) for line in map(json.loads, lines)]


@pytest.mark.parametrize("key", [KEY, None])
@pytest.mark.parametrize("command", ["pause", "resume", "abort"])
def test_commands(playing: Run, following: Following, command: str, key: str | None) -> None:
    """A command of the page reaches the episode's own reader."""
    recorder = live_run.episode(playing, 0)
    assert call(following, ("POST", "/command", {"command": command, "attempt": key})).status_code == 200
    assert commanded(playing) == [(command, key)]
    recorder.commands.look()
    assert recorder.commands.paused == (command == "pause")
    assert recorder.commands.aborted == ("" if command != "abort" else "attempt" if key else "run")


@pytest.mark.parametrize(
    ("body", "status", "more"),
    [
        ({"command": "delete", "attempt": None}, 400, {}),
        ({"command": "pause", "attempt": "trajectories/other/1"}, 400, {}),
        ({"command": "pause"}, 400, {}),
        (["pause"], 400, {}),
        ({"command": ["pause"], "attempt": None}, 400, {}),
        ({"command": "pause", "attempt": None}, 403, {"origin": "http://evil.example"}),
        ({"command": "pause", "attempt": None}, 403, {"cookie": ""}),
        ({"command": "pause", "attempt": None}, 403, {"read_only": True}),
    ],
)
def test_refused_commands(
    playing: Run, following: Following, body: Any, status: int, more: dict[str, Any]
) -> None:
    """Malformed commands, those of other sites, and all of a page that is read-only are refused."""
    live_run.episode(playing, 0)
    assert call(following, ("POST", "/command", body), **more).status_code == status
    assert commanded(playing) == []


def test_bodies_of_commands(playing: Run, following: Following) -> None:
    """A body that is too large or nested too deeply is refused, and nothing breaks."""
    app = application(Hub(following), PORT, TOKEN)
    headers = {"cookie": f"cuabench-watch-{PORT}={TOKEN}", "origin": SITE}

    async def statuses(*bodies: bytes) -> list[int]:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=SITE, headers=headers
        ) as client:
            return [(await client.post("/command", content=body)).status_code for body in bodies]

    bodies = (b"[" * 100_000, b'{"a":' * 500 + b"1" + b"}" * 500, b" " * 200_000, b"\xff", b"")
    assert asyncio.run(statuses(*bodies)) == [400, 400, 413, 400, 400]
    assert commanded(playing) == []


def test_a_proxy_in_front(playing: Run, following: Following) -> None:
    """A proxy's name is refused unless it is allowed; then commands may come from its site, also by TLS."""
    live_run.episode(playing, 0)
    body = {"command": "pause", "attempt": None}

    async def status(allowed: tuple[str, ...], site: str) -> int:
        hub = Hub(following)
        await hub.look()
        app = application(hub, PORT, TOKEN, allowed=allowed)
        headers = {"cookie": f"cuabench-watch-{PORT}={TOKEN}", "origin": site}
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=site, headers=headers
        ) as client:
            return (await client.post("/command", json=body)).status_code

    assert asyncio.run(status((), "https://watch.example")) == 403
    assert asyncio.run(status(("other.example",), "https://watch.example")) == 403
    assert asyncio.run(status(("watch.example",), "https://watch.example")) == 200


def test_command_without_a_session(run: Run) -> None:
    """A finished run takes no commands."""
    response = call(Following(lambda: run), ("POST", "/command", {"command": "pause", "attempt": None}))
    assert (response.status_code, response.json()["problem"]) == (409, "no session plays this run")


# Starting


def test_port_in_use() -> None:
    """A port that is in use gives one sentence with what to type."""
    with listen() as first:
        port = first.getsockname()[1]
        with pytest.raises(SettingError, match=f"cannot listen on port {port} of 127.0.0.1: Address already"):
            listen(port)


def test_unknown_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that does not exist gives one sentence, and names the option that waits for it."""
    assert main(["watch", "nowhere", "--reports", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("cuabench watch: no run named 'nowhere'")
    assert error.rstrip().endswith("--wait waits for one")
