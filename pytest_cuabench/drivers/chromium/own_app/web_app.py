"""A user's own web application as a world: started for each worker, or used where it runs already.

The agent has the browser, which may reach the application's own origin only. How the world is reset and its state
read is in `app_access.py`.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_cuabench.drivers import until_eof
from pytest_cuabench.drivers.chromium.own_app.app_access import AppAccess, AppSpec
from pytest_cuabench.drivers.chromium.own_app.granted import NOTHING, Granted
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.drivers.output import Output
from pytest_cuabench.drivers.worlds import World, WorldSpec, find_world
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.evidence import State, Write, difference
from pytest_cuabench.task.toml import read_strict, read_toml
from pytest_cuabench.task.web_app import AppFile, WebApp
from pytest_cuabench.task.worlds import FILE, world_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

_FILE = "FILE"  # the mode of a world that takes the path of any file
_POLL = 0.05  # seconds between two requests for the start page


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


def in_mode(spec: WorldSpec | AppSpec, chosen: str | None) -> WorldSpec | AppSpec:
    """Return a world in the mode that `--cua-world` chooses, if it does.

    Raises:
        SettingError: The world has no such mode, or the file that it names is not there.
    """
    if chosen is None:
        return spec
    modes = spec.modes if isinstance(spec, WorldSpec) else ()
    if isinstance(spec, WorldSpec) and _FILE in modes and chosen not in modes:
        if not (file := Path(chosen)).is_file():
            raise SettingError(
                f"--cua-world: the world {spec.name} takes a file, and there is no file {chosen}"
            )
        return replace(spec, mode=str(file.absolute()))
    mode, _, folder = chosen.partition(":")
    wanted = f"{mode}:FOLDER" if folder else mode
    if not isinstance(spec, WorldSpec) or wanted not in modes:
        known = f"it has {', '.join(modes)}" if modes else "it has none"
        raise SettingError(f"--cua-world: the world {spec.name} has no mode {wanted}; {known}")
    return replace(spec, mode=f"{mode}:{Path(folder).absolute()}" if folder else mode)


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

    Attributes:
        unfinished: What the last episode left open; the program is then started again.
        known_drift: The collections, and what happens in them, that showing the start page changes.
    """

    def __init__(self, spec: AppSpec, scratch: Path, port: int = 0) -> None:
        self._spec, self._app = spec, spec.app
        self._scratch = scratch / f"app-{spec.name}"
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self._lock: BaseFileLock | None = None
        self._access = AppAccess(spec, self._scratch / "kept.db")
        self.unfinished: tuple[str, ...] = ()
        self.known_drift: set[tuple[str, str]] = set()

    async def open(self, application: str, seed: int) -> AppSession:
        """Return the application, reset and ready.

        Raises:
            EnvironmentFailure: It cannot be started, or reset.
            SettingError: Another session uses it, or an environment variable is missing.
        """
        reset = self._app.reset
        if self._app.start:
            if self.unfinished or (reset and reset.restart):
                await self.close()  # what it has not done ends with it
                self.unfinished = ()
            await self._ensure_started()
        else:
            self._claim()
            await self._answers()
        self._access.values |= {"application": application, "seed": str(seed)}
        # Before the reset: what is still queued would write into the data of the new episode.
        await self._access.quiet()
        await self._access.reset()
        start_url = self._access.fill(self._app.url)
        parts = urlsplit(start_url)
        at_reset = await self._access.collections()
        origin = f"{parts.scheme}://{parts.netloc}"
        return AppSession(self, self._access, origin, start_url, State(at_reset), self._access.granted())

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
            raise self._access.failure(f"it ended by itself with code {await self._process.wait()}")

    async def close(self) -> None:
        """Stop the application if this worker started it, and release its lock."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            # `until_eof` ends the application when its standard input closes.
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
        self._access.values = {
            "data": str(data),
            "folder": str(self._spec.folder),
            "port": str(self._port or _free_port()),
            "python": sys.executable,
            "application": "",
            "seed": "0",
        }
        if fresh and self._app.prepare:
            try:
                await self._access.run("prepare", self._app.prepare)
            except BaseException:
                shutil.rmtree(data, ignore_errors=True)  # so that the next attempt prepares it again
                raise
        await self._start()
        await self._access.keep()

    async def _start(self) -> None:
        assert self._app.start is not None
        output = Output()
        with output.pipe() as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", until_eof.__file__, *self._access.filled(self._app.start)),
                cwd=self._spec.folder,
                env=self._access.environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            async with asyncio.timeout(self._app.start_seconds):
                while not await self._answers():
                    if self._process.returncode is not None:
                        said = self._access.last_line(await output.tail())
                        raise self._access.failure(f"it did not start: {said}")
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            said = self._access.last_line(await output.tail())
            await self.close()
            raise self._access.failure(
                f"it did not answer within {self._app.start_seconds:g} s: {said}"
            ) from None
        except BaseException:
            await self.close()
            raise

    async def _answers(self) -> bool:
        """Whether the start page is served.

        Raises:
            SettingError: Its certificate is not trusted, or it asks for credentials, and the world declares neither.
        """
        import httpx2

        try:
            async with self._access.client() as client:
                reply = await client.get(self._access.fill(self._app.url))
        except httpx2.HTTPError as error:
            self._access.refuse_certificate(error)
            return False
        self._access.refuse_challenge(reply.status_code, reply.headers.get("www-authenticate", ""))
        return reply.status_code < 500

    def _claim(self) -> None:
        """Lock a running application against other workers and sessions."""
        from filelock import FileLock, Timeout

        if self._lock is not None:
            return
        self._access.values = {"folder": str(self._spec.folder), "python": sys.executable}
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


def web_world(spec: WorldSpec | AppSpec, scratch: Path, port: int = 0) -> World | AppWorld:
    """Return the world of a specification; it starts when a session is first opened."""
    return AppWorld(spec, scratch, port) if isinstance(spec, AppSpec) else World(spec, port)


@dataclass(slots=True)
class AppSession:
    """The application while an episode is played on it.

    An application reports no writes, so each difference between two reads of its state counts as one.

    Attributes:
        at_reset: What was true right after the reset.
    """

    world: AppWorld
    access: AppAccess
    origin: str
    start_url: str
    at_reset: State
    granted: Granted = NOTHING
    described: Mapping[str, Any] = field(default_factory=dict)
    _last: State | None = None

    async def state(self) -> State:
        """See `WorldSession.state`."""
        now = State(await self.access.collections())
        last = self._last or now
        writes = [
            Write(change.collection, change.key, change.op, change.before, change.after)
            for change in difference(last, now)
        ]
        journal = (*last.journal, *writes)
        self._last = State(now.collections, journal, last.revision + len(writes), journaled=True)
        return self._last

    async def drift(self) -> set[tuple[str, str]]:
        """Return in which collections what has happened since the reset: by the start page, or by a late write."""
        now = State(await self.access.collections())
        return {(change.collection, change.op) for change in difference(self.at_reset, now)}

    async def idle(self) -> tuple[str, ...] | None:
        """See `WorldSession.idle`."""
        table = self.access.app.idle
        return await self.access.work(table) if table else None

    async def revision(self) -> int | None:
        """See `WorldSession.revision`."""
        return (await self.state()).revision

    async def close(self) -> None:
        """Leave the application running; the next episode resets it."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
