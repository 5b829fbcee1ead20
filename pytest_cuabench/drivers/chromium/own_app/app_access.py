"""How a web application is reset and its state read: by a command, an HTTP call or its SQLite database.

`{fields}` in commands, addresses and paths are filled with the values of the running application.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import ssl
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_cuabench.drivers import world_messages
from pytest_cuabench.drivers.chromium.own_app.app_database import copy_database, read_rows
from pytest_cuabench.drivers.chromium.own_app.granted import Granted
from pytest_cuabench.drivers.idling import until_idle
from pytest_cuabench.drivers.worlds import clean_environment
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.evidence import Collections
from pytest_cuabench.task.redact import masked
from pytest_cuabench.task.web_app import VARIABLE, IdleTable, ResetTable, StateTable, WebApp, filled

if TYPE_CHECKING:
    import httpx2

_CALL_SECONDS = 30.0


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


class AppAccess:
    """Resets an application and reads its state; failures are `EnvironmentFailure`.

    Args:
        kept: Where the application's database is kept as it was at its start, to reset it to that.

    Attributes:
        values: What `{fields}` are filled with.
        environment: The variables of its programs.
        app: What its tables say.
    """

    def __init__(self, spec: AppSpec, kept: Path) -> None:
        self._spec, self.app, self._kept = spec, spec.app, kept
        self._secrets = {name: os.environ[name] for name in spec.app.variables if name in os.environ}
        self.values: dict[str, str] = {}
        self.environment = {**clean_environment(), **self._secrets}

    async def keep(self) -> None:
        """Keep the database of an application that was just started, if a reset goes back to it."""
        reset = self.app.reset
        # Of the first start only: the data outlives a restart, with what agents did to it.
        if reset and reset.database and not reset.source and not self._kept.exists():
            await self._blocking("reset", copy_database, self._path(reset.database), self._kept)

    async def reset(self) -> None:
        """Reset the application, if it declares how."""
        table = self.app.reset
        if table and table.command:
            await self.run("reset", table.command)
        elif table and table.url:
            await self._call("reset", table)
        elif table and table.database:
            source = self._path(table.source) if table.source else self._kept
            await self._blocking("reset", copy_database, source, self._path(table.database))

    async def work(self, table: IdleTable) -> tuple[str, ...]:
        """Return what the application still does; empty if it is idle.

        Raises:
            EnvironmentFailure: It does not say.
        """
        found = await (self.run("idle", table.command) if table.command else self._call("idle", table))
        sender = f"the world {self._spec.name}: its idle {'command' if table.command else 'call'} answered"
        return world_messages.read(
            world_messages.Idle, world_messages.read_object(found, sender), sender
        ).left()

    async def quiet(self) -> None:
        """Wait until nothing of the episode before is open or queued, if the application says so.

        Raises:
            EnvironmentFailure: Something is, after `start_seconds`.
        """
        table, seconds = self.app.quiet, self.app.start_seconds
        if table and (work := await until_idle(lambda: self.work(table), seconds)):
            raise self.failure(f"reset: it is not quiet after {seconds:g} s: {', '.join(work)}")

    async def collections(self) -> Collections:
        """Return what is true in the application.

        Raises:
            EnvironmentFailure: It cannot be read, or has another form than {collection: {id: row}}.
        """
        table = self.app.state
        if table.database is not None:
            rows: Collections = await self._blocking(
                "state", read_rows, self._path(table.database), table.queries
            )
            return rows
        found = await (self.run("state", table.command) if table.command else self._call("state", table))
        sender = f"the world {self._spec.name}: its state {'command' if table.command else 'call'} answered"
        data = {"collections": world_messages.read_object(found, sender), "revision": 0}
        return world_messages.read(world_messages.WorldState, data, sender).collections

    async def run(self, what: str, command: tuple[str, ...]) -> bytes:
        """Run a program to its end and return what it printed."""
        argv = self.filled(command)
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                cwd=self._spec.folder,
                env=self.environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=pipe,
                stderr=pipe,
            )
        except OSError as error:
            raise self.failure(f"{what}: {argv[0]} cannot be run: {error.strerror}") from None
        try:
            async with asyncio.timeout(self.app.start_seconds):
                out, errors = await process.communicate()
        except TimeoutError:
            raise self.failure(f"{what}: {argv[0]} did not end within {self.app.start_seconds:g} s") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode:
            said = self.last_line(errors or out)
            raise self.failure(f"{what}: {argv[0]} ended with code {process.returncode}: {said}")
        return out

    async def _call(self, what: str, table: ResetTable | StateTable | IdleTable) -> bytes:
        import httpx2

        assert table.url is not None
        method = table.method or ("POST" if what == "reset" else "GET")
        headers = {name: _with_variables(value, self._spec.name) for name, value in table.headers.items()}
        url = self.fill(table.url)
        try:
            async with self.client() as client:
                reply = await client.request(method, url, headers=headers)
        except httpx2.HTTPError as error:
            self.refuse_certificate(error)
            raise self.failure(f"{what}: {method} {url} was not answered: {type(error).__name__}") from error
        if not reply.is_success:
            raise self.failure(f"{what}: {method} {url} answered status {reply.status_code}")
        return reply.content

    def client(self) -> httpx2.AsyncClient:
        """Return a client for calls to the application, which trusts its certificate as the world declares.

        Raises:
            SettingError: The declared certificate cannot be read.
        """
        import httpx2

        verify: ssl.SSLContext | bool = not self.app.insecure
        if self.app.certificate:
            file = self._path(self.app.certificate)
            try:
                verify = ssl.create_default_context(cafile=str(file))
            except OSError as error:  # an SSLError is one, too
                pem = isinstance(error, ssl.SSLError)
                problem = "it holds no certificate in PEM form" if pem else error.strerror
                raise SettingError(f"the world {self._spec.name}: certificate: {file}: {problem}") from None
        # The user's proxies do not apply to the application.
        return httpx2.AsyncClient(timeout=_CALL_SECONDS, trust_env=False, verify=verify)

    def refuse_certificate(self, error: BaseException) -> None:
        """Check that a call did not fail because of the server's certificate.

        Raises:
            SettingError: It did.
        """
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            return
        said = getattr(cause, "verify_message", "") or str(cause)
        raise SettingError(
            f"the world {self._spec.name}: the certificate of {self.fill(self.app.url)} is not trusted ({said}); "
            'to trust it, write certificate = "FILE.pem" into its table, or insecure = true to accept any'
        ) from None

    def refuse_challenge(self, status: int, challenge: str) -> None:
        """Check that the start page does not ask for credentials that the world does not give.

        Raises:
            SettingError: It does.
        """
        if status == 401 and challenge and self.app.credentials is None:
            raise SettingError(
                f"the world {self._spec.name}: {self.fill(self.app.url)} asks for a user name and a password (HTTP "
                f'{challenge.split()[0]}); write credentials = {{ username = "NAME", password = "${{PASSWORD}}" }} '
                "into its table"
            )

    def granted(self) -> Granted:
        """Return what the application is granted in the browser.

        Raises:
            SettingError: An environment variable is missing.
        """
        app, told = self.app, self.app.credentials
        credentials = None
        if told is not None:
            pairs = (("username", told.username), ("password", told.password))
            credentials = {key: _with_variables(value, self._spec.name) for key, value in pairs}
        insecure = app.insecure or app.certificate is not None
        return Granted(insecure, credentials, app.permissions, app.geolocation)

    async def _blocking(self, what: str, function: Any, *arguments: Any) -> Any:
        try:
            return await asyncio.to_thread(function, *arguments)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise self.failure(f"{what}: {error}") from error

    def _path(self, text: str) -> Path:
        return self._spec.folder / self.fill(text)

    def fill(self, text: str) -> str:
        """Return a text with its `{fields}` filled."""
        return filled(text, self.values)

    def filled(self, command: tuple[str, ...]) -> list[str]:
        """Return a command with its `{fields}` filled."""
        return [self.fill(each) for each in command]

    def last_line(self, output: bytes) -> str:
        """Return the last line that a program printed, secrets masked."""
        lines = output.decode(errors="replace").strip().splitlines()
        return (
            masked(lines[-1][:500], filter(None, self._secrets.values())) if lines else "it printed nothing"
        )

    def failure(self, problem: str) -> EnvironmentFailure:
        """Return a failure that names the world."""
        return EnvironmentFailure(f"the world {self._spec.name}: {problem}")


def _with_variables(text: str, world: str) -> str:
    def value(found: Any) -> str:
        name = found[1]
        if not os.environ.get(name):
            raise SettingError(
                f"the world {world} reads {name} from the environment, which is not set; type: export {name}=..."
            )
        return os.environ[name]

    return VARIABLE.sub(value, text)
