"""A user's own web application as a world: started for each worker, or used where it runs already.

The agent has the browser, which may reach the application's own origin only. The world is reset and its state is read
by a command, an HTTP call or the application's SQLite database.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_cuabench.drivers import until_eof, world_messages
from pytest_cuabench.drivers.chromium.app_database import copy_database, read_rows
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.drivers.worlds import World, WorldSpec, clean_environment, find_world
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.evidence import Collections, State, Write, difference
from pytest_cuabench.task.redact import masked
from pytest_cuabench.task.toml import read_strict, read_toml
from pytest_cuabench.task.web_app import VARIABLE, AppFile, ResetTable, StateTable, WebApp, filled
from pytest_cuabench.task.worlds import FILE, world_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

_CALL_SECONDS = 30.0
_POLL = 0.05  # seconds between two requests for the start page


@dataclass(frozen=True, slots=True)
class AppSpec:
    """A web application, and the folder that its commands run in."""

    name: str
    app: WebApp
    folder: Path

    @property
    def host(self) -> str:
        """The application's host name."""
        return urlsplit(self.app.url.replace("{port}", "0")).hostname or ""


def find_web_world(name: str, beside: Path, declared: WebApp | None = None) -> WorldSpec | AppSpec:
    """Return a suite's world: its application from `suite.toml`, or the world of an `environment.toml`.

    Raises:
        SettingError: No world has this name, or its file is malformed.
    """
    if declared is not None:
        return AppSpec(name, declared, beside)
    folder = world_folder(name, beside)
    if "url" in read_toml(folder / FILE):
        return AppSpec(name, read_strict(folder / FILE, AppFile), folder)
    return find_world(name, beside)


def refuse_sharing(spec: WorldSpec | AppSpec, workers: int) -> None:
    """Check that a running application is not shared by several workers.

    Raises:
        SettingError: There are several workers, and the application is not started for each of them.
    """
    if isinstance(spec, AppSpec) and spec.app.start is None and workers > 1:
        raise SettingError(
            f"the world {spec.name} is one running application at {spec.app.url}, which {workers} workers would "
            "change at once; leave -n out, or give it start, so that each worker starts its own"
        )


class AppWorld:
    """The application of one worker.

    Args:
        scratch: A private folder of the worker.
        port: The port of a started application; 0 for any free one.
    """

    def __init__(self, spec: AppSpec, scratch: Path, port: int = 0) -> None:
        self._spec, self._app = spec, spec.app
        self._scratch = scratch / f"app-{spec.name}"
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self._lock: BaseFileLock | None = None
        self._values: dict[str, str] = {}
        self._secrets = {name: os.environ[name] for name in spec.app.variables if name in os.environ}

    async def open(self, application: str, seed: int) -> AppSession:
        """Return the application, reset and ready.

        Raises:
            EnvironmentFailure: It cannot be started, or reset.
            SettingError: Another session uses it, or an environment variable is missing.
        """
        if self._app.start:
            await self._ensure_started()
        else:
            self._claim()
        self._values |= {"application": application, "seed": str(seed)}
        if self._app.reset:
            await self._reset(self._app.reset)
        start_url = filled(self._app.url, self._values)
        parts = urlsplit(start_url)
        return AppSession(self, f"{parts.scheme}://{parts.netloc}", start_url)

    async def collections(self) -> Collections:
        """Read the application's state.

        Raises:
            EnvironmentFailure: It cannot be read, or has another form than {collection: {id: row}}.
        """
        table = self._app.state
        if table.database is not None:
            rows: Collections = await self._blocking(
                "state", read_rows, self._path(table.database), table.queries
            )
            return rows
        found = await (self._run("state", table.command) if table.command else self._call("state", table))
        sender = f"the world {self._spec.name}: its state {'command' if table.command else 'call'} answered"
        data = {"collections": world_messages.read_object(found, sender), "revision": 0}
        return world_messages.read(world_messages.WorldState, data, sender).collections

    async def applications(self) -> list[str]:
        """Return the one application."""
        return [self._spec.name]

    async def ended(self) -> None:
        """Wait until the application's process exits.

        Raises:
            EnvironmentFailure: Always, when it has exited.
        """
        if self._process is None:
            await asyncio.Event().wait()
        else:
            raise self._failure(f"it ended by itself with code {await self._process.wait()}")

    async def close(self) -> None:
        """Stop the application if this worker started it, and release its lock."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            await process.wait()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # Starting

    async def _ensure_started(self) -> None:
        if self._process is not None and self._process.returncode is None:
            return
        await self.close()
        data = self._scratch / "data"
        fresh = not data.is_dir()
        data.mkdir(parents=True, exist_ok=True)
        self._values = {
            "data": str(data),
            "folder": str(self._spec.folder),
            "port": str(self._port or _free_port()),
            "python": sys.executable,
            "application": "",
            "seed": "0",
        }
        if fresh and self._app.prepare:
            try:
                await self._run("prepare", self._app.prepare)
            except BaseException:
                shutil.rmtree(data, ignore_errors=True)  # so that the next attempt prepares it again
                raise
        await self._start()
        reset = self._app.reset
        if reset and reset.database and not reset.source and not self._initial_copy.exists():
            await self._blocking("reset", copy_database, self._path(reset.database), self._initial_copy)

    async def _start(self) -> None:
        assert self._app.start is not None
        output = self._scratch / "output"
        with output.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", until_eof.__file__, *self._filled(self._app.start)),
                cwd=self._spec.folder,
                env={**clean_environment(), **self._secrets},
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            async with asyncio.timeout(self._app.start_seconds):
                while not await self._answers():
                    if self._process.returncode is not None:
                        raise self._failure(f"it did not start: {self._last_line(output.read_bytes())}")
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            problem = f"it did not answer within {self._app.start_seconds:g} s: {self._last_line(output.read_bytes())}"
            await self.close()
            raise self._failure(problem) from None
        except BaseException:
            await self.close()
            raise

    async def _answers(self) -> bool:
        import httpx2

        try:
            async with httpx2.AsyncClient(timeout=_CALL_SECONDS, trust_env=False) as client:
                return (await client.get(filled(self._app.url, self._values))).status_code < 500
        except httpx2.HTTPError:
            return False

    def _claim(self) -> None:
        """Lock a running application against other workers and sessions."""
        from filelock import FileLock, Timeout

        if self._lock is not None:
            return
        self._values = {"folder": str(self._spec.folder), "python": sys.executable}
        parts = urlsplit(self._app.url)
        name = sha256(f"{parts.scheme}://{parts.netloc}".encode()).hexdigest()[:16]
        folder = Leases().own_folder()
        lock = FileLock(folder / f"app-{name}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise SettingError(
                f"the world {self._spec.name} at {self._app.url} is in use by another worker or session; wait for its "
                "end, or give it start, so that each worker starts its own"
            ) from None
        self._lock = lock

    # Commands, calls and database

    async def _reset(self, table: ResetTable) -> None:
        if table.command:
            await self._run("reset", table.command)
        elif table.url:
            await self._call("reset", table)
        elif table.database:
            source = self._spec.folder / self._fill(table.source) if table.source else self._initial_copy
            await self._blocking("reset", copy_database, source, self._path(table.database))

    async def _run(self, what: str, command: tuple[str, ...]) -> bytes:
        """Run a program to its end and return what it printed."""
        argv = self._filled(command)
        environment = {**clean_environment(), **self._secrets}
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                cwd=self._spec.folder,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=pipe,
                stderr=pipe,
            )
        except OSError as error:
            raise self._failure(f"{what}: {argv[0]} cannot be run: {error.strerror}") from None
        try:
            async with asyncio.timeout(self._app.start_seconds):
                out, errors = await process.communicate()
        except TimeoutError:
            raise self._failure(
                f"{what}: {argv[0]} did not end within {self._app.start_seconds:g} s"
            ) from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode:
            said = self._last_line(errors or out)
            raise self._failure(f"{what}: {argv[0]} ended with code {process.returncode}: {said}")
        return out

    async def _call(self, what: str, table: ResetTable | StateTable) -> bytes:
        import httpx2

        assert table.url is not None
        method = table.method or ("POST" if what == "reset" else "GET")
        headers = {name: _with_variables(value, self._spec.name) for name, value in table.headers.items()}
        url = self._fill(table.url)
        try:
            async with httpx2.AsyncClient(timeout=_CALL_SECONDS, trust_env=False) as client:
                reply = await client.request(method, url, headers=headers)
        except httpx2.HTTPError as error:
            raise self._failure(f"{what}: {method} {url} was not answered: {type(error).__name__}") from error
        if not reply.is_success:
            raise self._failure(f"{what}: {method} {url} answered status {reply.status_code}")
        return reply.content

    async def _blocking(self, what: str, function: Any, *arguments: Any) -> Any:
        try:
            return await asyncio.to_thread(function, *arguments)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise self._failure(f"{what}: {error}") from error

    @property
    def _initial_copy(self) -> Path:
        return self._scratch / "kept.db"

    def _path(self, text: str) -> Path:
        return self._spec.folder / self._fill(text)

    def _fill(self, text: str) -> str:
        return filled(text, self._values)

    def _filled(self, command: tuple[str, ...]) -> list[str]:
        return [self._fill(each) for each in command]

    def _last_line(self, output: bytes) -> str:
        lines = output.decode(errors="replace").strip().splitlines()
        return masked(lines[-1][:500], filter(None, self._secrets.values())) if lines else "it said nothing"

    def _failure(self, problem: str) -> EnvironmentFailure:
        return EnvironmentFailure(f"the world {self._spec.name}: {problem}")


def web_world(spec: WorldSpec | AppSpec, scratch: Path, port: int = 0) -> World | AppWorld:
    """Return the world of a specification; it starts when a session is first opened."""
    return AppWorld(spec, scratch, port) if isinstance(spec, AppSpec) else World(spec, port)


@dataclass(slots=True)
class AppSession:
    """The application while an episode is played on it.

    An application reports no writes, so each difference between two reads of its state counts as one.
    """

    world: AppWorld
    origin: str
    start_url: str
    described: Mapping[str, Any] = field(default_factory=dict)
    _last: State | None = None

    async def state(self) -> State:
        """See `WorldSession.state`."""
        now = State(await self.world.collections())
        last = self._last or now
        writes = [
            Write(change.collection, change.key, change.op, change.before, change.after)
            for change in difference(last, now)
        ]
        self._last = State(now.collections, (*last.journal, *writes), last.revision + len(writes))
        return self._last

    async def revision(self) -> int | None:
        """See `WorldSession.revision`."""
        return (await self.state()).revision

    async def close(self) -> None:
        """Leave the application running; the next episode resets it."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _with_variables(text: str, world: str) -> str:
    def value(found: Any) -> str:
        name = found[1]
        if not os.environ.get(name):
            raise SettingError(
                f"the world {world} reads {name} from the environment, which is not set; type: export {name}=..."
            )
        return os.environ[name]

    return VARIABLE.sub(value, text)
