"""A user's own web application: started, reset and read by ways that the agent does not have."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.own_app.app_access import AppAccess, AppSpec
from pytest_cuabench.drivers.chromium.own_app.web_app import AppWorld, find_web_world, refuse_sharing
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.toml import fit_strict
from pytest_cuabench.task.web_app import WebApp

SERVER = """
import http.server, json, sqlite3, sys
port, file = sys.argv[1:]
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        secret = self.headers.get("Authorization") == "Bearer hidden-4711"
        self.send_response(200 if secret or self.path == "/" else 403)
        self.end_headers()
        with sqlite3.connect(file) as database:
            rows = database.execute("SELECT id, title FROM todos").fetchall()
        self.wfile.write(json.dumps({"todos": {str(id): {"title": title} for id, title in rows}}).encode())
    def do_POST(self):
        with sqlite3.connect(file) as database:
            database.execute("DELETE FROM todos" if self.path == "/reset" else "INSERT INTO todos(title) VALUES ('x')")
        self.send_response(204)
        self.end_headers()
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
"""
PREPARE = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute("CREATE TABLE todos(id INTEGER PRIMARY KEY, title TEXT)")
    database.execute("INSERT INTO todos(title) VALUES ('Milk')")
"""
QUERIES = {"todos": "SELECT id, title FROM todos"}
STARTED: dict[str, Any] = {
    "url": "http://127.0.0.1:{port}/",
    "prepare": ["{python}", "prepare.py", "{data}/todo.db"],
    "start": ["{python}", "server.py", "{port}", "{data}/todo.db"],
    "reset": {"database": "{data}/todo.db"},
    "state": {"database": "{data}/todo.db", "queries": QUERIES},
}
MILK = {"todos": {"1": {"id": 1, "title": "Milk"}}}


def spec_of(folder: Path, data: dict[str, Any]) -> AppSpec:
    """Return a specification whose programs are written."""
    (folder / "server.py").write_text(SERVER)
    (folder / "prepare.py").write_text(PREPARE)
    return AppSpec("todo", fit_strict(data, WebApp, "environment.toml"), folder)


async def post(origin: str, path: str = "/") -> None:
    """Write as a user of the application does."""
    import httpx2

    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.post(origin + path)).status_code == 204


def test_started_reset_and_read(tmp_path: Path) -> None:
    """The application starts with what `prepare` made; a write is seen; a reset copies the database back."""

    async def play() -> None:
        world = AppWorld(spec_of(tmp_path, STARTED), tmp_path / "scratch")
        try:
            session = await world.open("list", 0)
            before = await session.state()
            await post(session.origin)
            after = await session.state()
            again = await (await world.open("list", 1)).state()
        finally:
            await world.close()
        assert before.collections == again.collections == MILK
        assert [(write.op, write.key) for write in after.journal] == [("insert", "2")]
        assert (before.revision, after.revision) == (0, 1)

    asyncio.run(play())


@pytest.mark.parametrize("kind", ["command", "url"])
def test_state_as_json(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command prints, or a call with a secret answers, {collection: {id: row}}; a call resets."""
    monkeypatch.setenv("TODO_TOKEN", "hidden-4711")
    secret = {"Authorization": "Bearer ${TODO_TOKEN}"}
    printed = "import json; print(json.dumps({'todos': {'1': {'title': 'from a command'}}}))"
    ways = {
        "command": {"command": ["{python}", "-c", printed]},
        "url": {"url": "http://127.0.0.1:{port}/state", "headers": secret},
    }
    reset = {"url": "http://127.0.0.1:{port}/reset", "headers": secret}

    async def play() -> dict[str, Any]:
        world = AppWorld(
            spec_of(tmp_path, {**STARTED, "reset": reset, "state": ways[kind]}), tmp_path / "scratch"
        )
        try:
            session = await world.open("list", 0)
            await post(session.origin)
            return dict((await session.state()).collections)
        finally:
            await world.close()

    title = "from a command" if kind == "command" else "x"
    assert [row["title"] for row in asyncio.run(play())["todos"].values()] == [title]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"start": ["{python}", "-c", "raise SystemExit('no port left')"]}, "it did not start: no port left"),
        ({"prepare": ["{python}", "-c", "1 / 0"]}, "prepare: .*ended with code 1: ZeroDivisionError"),
        (
            {"state": {"database": "{data}/todo.db", "queries": {"x": "SELECT missing"}}},
            "state: no such column",
        ),
        (
            {"state": {"database": "{data}/todo.db", "queries": {"x": "SELECT 1 UNION ALL SELECT 1"}}},
            "state: queries.x: its first column, 1, is not different in each row",
        ),
        (
            {"state": {"command": ["{python}", "-c", "print([1])"]}},
            "its state command answered with a list; expected an object",
        ),
        (
            {"state": {"command": ["{python}", "-c", "print('{\"todos\": [1]}')"]}},
            "with a list as collections.todos; expected: an object",
        ),
    ],
)
def test_broken_application(tmp_path: Path, changes: dict[str, Any], sentence: str) -> None:
    """What breaks is one sentence that names the world and the way, with the last line of what a program said."""

    async def play() -> None:
        world = AppWorld(spec_of(tmp_path, STARTED | changes), tmp_path / "scratch")
        try:
            await (await world.open("list", 0)).state()
        finally:
            await world.close()

    with pytest.raises(EnvironmentFailure, match=f"^the world todo: .*{sentence}"):
        asyncio.run(play())


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """The application ends with the pipe to it, as when its worker is killed."""

    async def play() -> None:
        world = AppWorld(spec_of(tmp_path, STARTED), tmp_path / "scratch")
        session = await world.open("list", 0)
        assert world._process is not None
        assert world._process.stdin is not None
        world._process.stdin.close()  # as the end of this process would
        async with asyncio.timeout(30):
            await world._process.wait()
        with pytest.raises(OSError, match=r"refused|failed"):
            await asyncio.open_connection("127.0.0.1", int(session.origin.rpartition(":")[2]))
        await world.close()

    asyncio.run(play())


RUNNING: dict[str, Any] = {
    "url": "http://127.0.0.1:8000/",
    "reset": {"database": "todo.db", "from": "first.db"},
    "state": {"database": "todo.db", "queries": QUERIES},
}


def test_running_application(tmp_path: Path) -> None:
    """An application that runs already is reset from a file; a second session is refused while it is in use."""
    for name in ("first.db", "todo.db"):
        exec_prepare(tmp_path / name)
    with sqlite3.connect(tmp_path / "todo.db") as database:
        database.execute("DELETE FROM todos")
    spec = spec_of(tmp_path, {**RUNNING, "url": f"http://127.0.0.1:{8000 + os.getpid() % 1000}/"})

    async def play() -> None:
        world, other = AppWorld(spec, tmp_path / "a"), AppWorld(spec, tmp_path / "b")
        session = await world.open("list", 0)
        assert (await session.state()).collections == MILK
        with pytest.raises(
            SettingError, match=r"the world todo at http.* is in use by another worker or session"
        ):
            await other.open("list", 0)
        await world.close()
        await other.open("list", 0)
        await other.close()

    asyncio.run(play())


def exec_prepare(file: Path) -> None:
    """Make a database with one thing to do."""
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE todos(id INTEGER PRIMARY KEY, title TEXT)")
        database.execute("INSERT INTO todos(title) VALUES ('Milk')")


def test_workers_cannot_share(tmp_path: Path) -> None:
    """One running application is refused to several workers; one that is started for each of them is not."""
    refuse_sharing(spec_of(tmp_path, RUNNING), 1)
    refuse_sharing(spec_of(tmp_path, STARTED), 4)
    with pytest.raises(
        SettingError, match="which 4 workers would change at once; leave -n out, or give it start"
    ):
        refuse_sharing(spec_of(tmp_path, RUNNING), 4)


def test_missing_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that is not in the environment is named, with what to type."""
    monkeypatch.delenv("TODO_TOKEN", raising=False)
    reset = {"url": "http://127.0.0.1:9/reset", "headers": {"X-Token": "${TODO_TOKEN}"}}
    url = f"http://127.0.0.1:{9000 + os.getpid() % 1000}/"
    world = AppWorld(spec_of(tmp_path, {**RUNNING, "url": url, "reset": reset}), tmp_path / "scratch")

    with pytest.raises(SettingError, match=r"TODO_TOKEN .* is not set; type: export TODO_TOKEN="):
        asyncio.run(world.open("list", 0))
    asyncio.run(world.close())


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"url": "http://127.0.0.1:8000/"}, "with start, url must name {port}"),
        ({"start": None, "prepare": None}, "url names {port}, so start is missing"),
        (
            {"start": ["serve", "{prot}"]},
            "start: no value named 'prot'; known: data, folder, port, python; did you",
        ),
        (
            {"state": {"url": "http://127.0.0.1:{port}/state"}},
            "state.url lies where the agent's browser may go",
        ),
        ({"state": {"database": "x.db"}}, "a database needs queries"),
        (
            {"state": {"database": "x.db", "command": ["x"]}},
            "give one of command, url or database, not command and",
        ),
        ({"state": {}}, "give one of command, url or database, not none of them"),
        (
            {"state": {"url": "http://127.0.0.1:9/", "headers": {"Authorization": "Bearer 4711"}}},
            "the header Authorization is a secret; write ${NAME}",
        ),
        ({"reset": {"command": ["x"], "from": "y.db"}}, "from belongs to database"),
        ({"idle": {"database": "x.db"}}, "idle needs a command or a url"),
        ({"idle": {"url": "http://127.0.0.1:{port}/idle"}}, "idle.url lies where the agent's browser may go"),
        (
            {
                "start": None,
                "prepare": None,
                "url": "http://a/",
                "reset": {"command": ["x"], "restart": True},
            },
            "reset.restart belongs to start",
        ),
        ({"reset": {"command": "rm -rf x; true"}}, "reset.command: input should be a valid tuple"),
        ({"url": "http://ada:secret@127.0.0.1:{port}/"}, "url: string should match pattern"),
        (
            {"rest": {}},
            "unknown key rest; known: certificate, credentials, finish_seconds, geolocation, idle,",
        ),
    ],
)
def test_mistakes(tmp_path: Path, changes: dict[str, Any], sentence: str) -> None:
    """Each mistake in the tables is one sentence."""
    data = {name: value for name, value in (STARTED | changes).items() if value is not None}

    with pytest.raises(SettingError) as failure:
        spec_of(tmp_path, data)

    assert sentence in str(failure.value)


def test_found_beside_the_suite(tmp_path: Path) -> None:
    """An `environment.toml` with a url is an application; mistakes in it are told with their lines."""
    folder = tmp_path / "environments" / "todo"
    folder.mkdir(parents=True)
    file = folder / "environment.toml"
    file.write_text('url = "http://127.0.0.1:8000/"\nstate = { command = ["true"] }\n')

    spec = find_web_world("todo", tmp_path / "mine")

    assert isinstance(spec, AppSpec)
    assert (spec.folder, spec.host) == (folder, "127.0.0.1")
    file.write_text('url = "ftp://x"\nstart_secs = 3\n\n[state]\ncommand = []\n')
    with pytest.raises(SettingError) as failure:
        find_web_world("todo", tmp_path / "mine")
    said = str(failure.value).splitlines()
    assert [line.removeprefix(f"{file}:").partition(":")[0] for line in said] == ["1", "5", "2"]


def test_python_is_this_one(tmp_path: Path) -> None:
    """`{python}` is the interpreter that runs pytest."""
    access = AppAccess(spec_of(tmp_path, RUNNING), tmp_path / "kept.db")
    access.values = {"python": sys.executable}
    assert access.filled(("{python}", "-V")) == [sys.executable, "-V"]


SUITE = """
name = "mine"
title = "Mine"
paper = "none"
applications = ["desk"]
variants = ["intent"]
budget = { steps = 5, seconds = 60 }

[environment]
driver = "chromium"
world = "todo"
screen = [640, 480]

[environment.app]
url = "http://127.0.0.1:8000/"
state = { command = ["true"] }
"""


@pytest.mark.slow
def test_declared_in_the_suite(pytester: pytest.Pytester) -> None:
    """`[environment.app]` is a world; several workers on an application that runs already are one usage error."""
    theirs = Path(__file__).parents[1] / "packaging" / "todo_bench" / "todo_bench" / "suites" / "todo"
    shutil.copytree(theirs, pytester.path / "mine")
    (pytester.path / "mine" / "suite.toml").write_text(SUITE)

    refused = pytester.runpytest_subprocess("mine", "--agent=noop", "-n2")

    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(
        ["*the world todo is one running application at http://127.0.0.1:8000/, which 2 *"]
    )


def test_quiet_before_a_reset(tmp_path: Path) -> None:
    """A reset waits until the application says that it is quiet; one that never is fails with what it still does."""
    says = "import json, os; print(json.dumps({'idle': not os.path.exists('work'), 'work': ['a job']}))"
    quiet = {"command": ["{python}", "-c", says]}
    reset = {"database": "{data}/todo.db", "quiet": quiet}
    world = AppWorld(spec_of(tmp_path, {**STARTED, "reset": reset, "start_seconds": 5}), tmp_path / "scratch")
    work = tmp_path / "work"

    async def play() -> None:
        try:
            session = await world.open("list", 0)
            assert await session.idle() is None
            work.touch()
            asyncio.get_running_loop().call_later(0.5, work.unlink)
            await world.open("list", 0)
            assert not work.exists()
            work.touch()
            await world.open("list", 0)
        finally:
            await world.close()

    with pytest.raises(EnvironmentFailure, match=r"reset: it is not quiet after 5 s: a job"):
        asyncio.run(play())


def test_started_again_after_what_was_left_open(tmp_path: Path) -> None:
    """The program is started again where an episode left something open, or for each one where it says so."""

    async def starts(changes: dict[str, Any], unfinished: tuple[str, ...], folder: Path) -> int:
        folder.mkdir()
        world = AppWorld(spec_of(folder, {**STARTED, **changes}), folder / "scratch")
        try:
            programs = set()
            for _ in range(2):
                await world.open("list", 0)
                assert world._process is not None
                programs.add(world._process.pid)
                world.unfinished = unfinished
            assert (await (await world.open("list", 0)).state()).collections == MILK
        finally:
            await world.close()
        return len(programs)

    again = {"reset": {"database": "{data}/todo.db", "restart": True}}
    assert asyncio.run(starts({}, (), tmp_path / "a")) == 1
    assert asyncio.run(starts({}, ("POST /save",), tmp_path / "b")) == 2
    assert asyncio.run(starts(again, (), tmp_path / "c")) == 2
