"""World programs: started as processes of their own, spoken to over a Unix socket that no browser can reach.

A world that died is started again when it is next needed; what it held is gone, so the attempt in flight ends
as an environment error and the next one finds a fresh world.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers import world_messages as messages
from pytest_cuabench.drivers.output import Output
from pytest_cuabench.drivers.scratch import Scratch
from pytest_cuabench.drivers.stopping import stop
from pytest_cuabench.errors import EnvironmentFailure, Missing
from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import State, state_from_json
from pytest_cuabench.task.schema import ProgramFile
from pytest_cuabench.task.toml import read_strict
from pytest_cuabench.task.worlds import FILE, world_fixtures, world_folder

if TYPE_CHECKING:
    import httpx2

PROTOCOL = 1
_CALL_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """How a world program is started: `environment.toml` of its folder, and the chosen mode with its detail."""

    name: str
    module: str
    folder: Path
    fixtures: Path
    modes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    mode: str | None = None
    start_seconds: float = 120.0
    late_seconds: float = 0.0
    finish_seconds: float = 10.0

    @property
    def packages(self) -> tuple[Path, ...]:
        """Where the program's Python lies: its own, and what the shipped worlds have in common."""
        return self.folder, library.ENVIRONMENTS / "kit"


def find_world(name: str, beside: Path | None = None) -> WorldSpec:
    """Return the world program of this name.

    Args:
        beside: The folder of the suite that is played in it; without one only installed and shipped worlds are known.

    Raises:
        SettingError: There is none, or its file is malformed.
    """
    folder = world_folder(name, beside)
    program = read_strict(folder / FILE, ProgramFile)
    return WorldSpec(
        name,
        program.module,
        folder,
        world_fixtures(folder),
        program.modes,
        program.requires,
        start_seconds=program.start_seconds,
        late_seconds=program.late_seconds,
        finish_seconds=program.finish_seconds,
    )


class World:
    """One running world program of this worker; on any free port unless one is given."""

    def __init__(self, spec: WorldSpec, port: int = 0) -> None:
        self._spec = spec
        self._port = port
        self._process: asyncio.subprocess.Process | None = None
        self._client: httpx2.AsyncClient | None = None
        self._scratch: Scratch | None = None
        self._starting = asyncio.Lock()  # episodes that begin at the same time share one program
        # Kept, so that not every test that is skipped starts the world to learn why.
        self._lacks: str | None = None

    async def open(self, application: str, seed: int) -> WorldSession:
        """Create a session of an application.

        Raises:
            EnvironmentFailure: The world cannot be started, or refuses.
        """
        await self._ensure()
        made = await self.call("POST", "/sessions", {"application": application, "seed": seed})
        return self._session(made, "POST /sessions")

    async def lacking(self) -> str | None:
        """Start the world; return which software is not installed for it, and what to type; None if all is."""
        if self._lacks is None:
            try:
                await self._ensure()
            except Missing as missing:
                self._lacks = str(missing)
            except EnvironmentFailure:
                pass  # told by the attempt, which is then repeated
        return self._lacks

    async def applications(self) -> list[str]:
        """Return what the world serves.

        Raises:
            EnvironmentFailure: The world cannot be started.
        """
        await self._ensure()
        told = await self.call("GET", "/health")
        return list(messages.read(messages.Health, told, self._said("GET /health")).applications)

    async def ended(self) -> None:
        """Wait for the program to end by itself, which it should not.

        Raises:
            EnvironmentFailure: It did.
        """
        if self._process is not None:
            code = await self._process.wait()
            raise EnvironmentFailure(f"the world {self._spec.name} ended by itself with code {code}")

    async def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one control request and return its JSON.

        Raises:
            EnvironmentFailure: The world does not answer, or answers with an error.
        """
        reply = await self._reply(method, path, json=body)
        if reply.status_code >= 400:
            raise EnvironmentFailure(f"the world {self._spec.name}: {method} {path}: {_reason(reply)}")
        return messages.read_object(reply.content, self._said(f"{method} {path}")) if reply.content else {}

    async def report(self, session: str, said: str) -> bool:
        """Pass on what a page of a session reported; return whether it was a report that the world knows.

        Raises:
            EnvironmentFailure: The world does not answer.
        """
        # A text of JavaScript may hold half a surrogate pair.
        body = said.encode(errors="surrogatepass")
        return (await self._reply("POST", f"/sessions/{session}/report", content=body)).status_code < 400

    async def _reply(self, method: str, path: str, **body: Any) -> httpx2.Response:
        import httpx2

        if self._client is None:
            raise EnvironmentFailure(f"the world {self._spec.name} is not running")
        try:
            return await self._client.request(method, path, **body)
        except httpx2.HTTPError as error:
            raise EnvironmentFailure(
                f"the world {self._spec.name} does not answer {method} {path}: {type(error).__name__}"
            ) from error

    def _said(self, request: str) -> str:
        return f"the world {self._spec.name} answered {request}"

    def _session(self, made: dict[str, Any], request: str) -> WorldSession:
        opened = messages.read(messages.Opened, made, self._said(request))
        hosts, tunnel = tuple(opened.hosts), opened.tunnel
        return WorldSession(
            self, opened.id, opened.origin, opened.start_url, made, hosts, tunnel, opened.probe
        )

    async def copy(self, session: str) -> WorldSession:
        """Open a second session with the data of a session, logins included, at another origin.

        Raises:
            EnvironmentFailure: The world does not answer, or cannot copy sessions.
        """
        path = f"/sessions/{session}/copy"
        return self._session(await self.call("POST", path), f"POST {path}")

    async def state(self, session: str, known: State | None) -> tuple[State, int]:
        """Return what is true in a session, and how many of its pages failed inside.

        Args:
            known: The last state that was read; the world need not send it again.

        Raises:
            EnvironmentFailure: The world does not answer, or its answer is no state.
        """
        path = f"/sessions/{session}/state" + (f"?unless={known.revision}" if known else "")
        data = await self.call("GET", path)
        said = self._said(f"GET {path}")
        if known is not None and data.get("unchanged"):
            return known, messages.read(messages.Unchanged, data, said).failures
        told = messages.read(messages.WorldState, data, said)
        return state_from_json(data), told.failures

    async def idle(self, session: str) -> tuple[str, ...]:
        """Return what the world still does for a session.

        Raises:
            EnvironmentFailure: The world does not answer, or its answer is another one.
        """
        path = f"/sessions/{session}/idle"
        return messages.read(messages.Idle, await self.call("GET", path), self._said(f"GET {path}")).left()

    async def close(self) -> None:
        """Stop the program and remove its socket."""
        if self._client is not None:
            await self._client.aclose()
        if self._process is not None:
            await stop(self._process)
        if self._scratch is not None:
            self._scratch.remove()
        self._client = self._process = self._scratch = None

    @property
    def pid(self) -> int | None:
        """The program's process id while it runs."""
        return self._process.pid if self._process is not None else None

    async def _ensure(self) -> None:
        async with self._starting:
            if self._client is None or self._process is None or self._process.returncode is not None:
                await self.close()  # a start that was cancelled left a process without a client
                await self._start()

    async def _start(self) -> None:
        import httpx2

        if lacking := [one for one in self._spec.requires if not library.installed(one)]:
            needed = " ".join(f"'{one}'" for one in lacking)
            raise Missing(f"the world {self._spec.name} needs more packages; type: pip install {needed}")
        self._scratch = Scratch("cua-")
        socket = self._scratch.path / "control"
        errors = Output()
        with errors.pipe() as stderr:
            self._process = await asyncio.create_subprocess_exec(
                *(
                    sys.executable,
                    "-m",
                    self._spec.module,
                    "--listen",
                    f"127.0.0.1:{self._port}",
                    "--control",
                    str(socket),
                ),
                *("--fixtures", str(self._spec.fixtures), "--until-eof"),
                *(("--mode", self._spec.mode) if self._spec.mode else ()),
                cwd=self._spec.folder,
                env={**clean_environment(), "PYTHONPATH": os.pathsep.join(map(str, self._spec.packages))},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,  # Ctrl-C is for pytest; the world ends when its stdin closes
            )
        await self._ready(errors)
        transport = httpx2.AsyncHTTPTransport(uds=str(socket))
        self._client = httpx2.AsyncClient(
            transport=transport, base_url="http://world", timeout=_CALL_SECONDS, trust_env=False
        )

    async def _ready(self, errors: Output) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        line = b""
        with suppress(TimeoutError):
            line = await asyncio.wait_for(self._process.stdout.readline(), self._spec.start_seconds)
        try:
            if not line.strip():
                last = await errors.last_line() or "it printed nothing"
                raise EnvironmentFailure(f"the world {self._spec.name} did not start: {last}")
            told = f"the world {self._spec.name} printed its first line"
            said = messages.read_object(line, told)
            if isinstance(missing := said.get("missing"), str):
                raise Missing(missing)
            ready = messages.read(messages.Ready, said, told)
            if ready.protocol != PROTOCOL:
                raise EnvironmentFailure(
                    f"the world {self._spec.name} speaks protocol {ready.protocol}, not {PROTOCOL}"
                )
        except (EnvironmentFailure, Missing):
            await stop(self._process)
            raise


@dataclass(slots=True)
class WorldSession:
    """One isolated copy of an application, with its own origin.

    Attributes:
        described: All that the world said of it, keys for tools included.
        hosts: Further hosts of its pages, over TLS.
        tunnel: Address of the listener that answers for all its hosts; None if they have addresses of their own.
        probe: What runs in its pages to report what they show, see `Reports`; empty without one.
    """

    world: World
    id: str
    origin: str
    start_url: str
    described: Mapping[str, Any] = field(default_factory=dict, repr=False)
    hosts: tuple[str, ...] = ()
    tunnel: str | None = None
    probe: str = field(default="", repr=False)
    _last: State | None = None

    async def state(self) -> State:
        """Return what is true in the session; the whole journal included.

        Raises:
            EnvironmentFailure: The world does not answer, or one of its pages failed inside.
        """
        self._last, failures = await self.world.state(self.id, self._last)
        if failures:
            problem = f"the world's application failed inside on {failures} of its pages"
            raise EnvironmentFailure(problem, self._last)
        return self._last

    async def report(self, said: str) -> bool:
        """See `World.report`."""
        return await self.world.report(self.id, said)

    async def copy(self) -> WorldSession:
        """Open a second session with the same data, logins included, at another origin.

        Raises:
            EnvironmentFailure: The world does not answer, or cannot copy sessions.
        """
        return await self.world.copy(self.id)

    async def revision(self) -> int:
        """Return the number of the last write."""
        return (await self.state()).revision

    async def idle(self) -> tuple[str, ...] | None:
        """Return what the world still does for the session; None where it does not tell."""
        return await self.world.idle(self.id) if self.described.get("idle") else None

    async def close(self) -> None:
        """Delete the session; a world that is gone has already forgotten it."""
        with suppress(EnvironmentFailure):
            await self.world.call("DELETE", f"/sessions/{self.id}")


def clean_environment() -> dict[str, str]:
    """Give a world what a program needs, and none of the user's keys."""
    user = ("PATH", "HOME", "XDG_CACHE_HOME", "LANG", "LC_ALL")
    kept = (*user, "TMPDIR", "SYSTEMROOT", "PYTHONDONTWRITEBYTECODE")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _reason(reply: httpx2.Response) -> str:
    try:
        return str(reply.json()["error"])
    except (json.JSONDecodeError, KeyError, TypeError):
        return f"status {reply.status_code}"
