"""The SSH door: commands of a program run in the guest, each as one step.

A command is a `run_code` action with Bash; its output and exit code come back. There is no terminal, no standard input
and no file transfer beside it, so nothing reaches the guest that the record does not tell. Needs the extra `ssh`.
"""

from __future__ import annotations

import asyncio
import secrets
import socket as sockets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.program.endpoints.exchange import Exchange, TooManyCalls
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import RunCode
from pytest_cuabench.task.usage import Usage

_PORT = 2222
_CLIENTS = 16
_INPUT = 0.2  # seconds in which a client's standard input would begin
_LOGIN = 20.0  # seconds
_REFUSED = 255  # the exit code of ssh itself
_KEY = "ssh-ed25519"
_CONFIG = """\
Host guest 127.0.0.1
    HostName 127.0.0.1
    Port {port}
    User agent
    IdentityFile ~/.ssh/id_ed25519
    IdentitiesOnly yes
"""


class SshEndpoint:
    """The server of one episode, with keys of its own; see `OwnEndpoint`."""

    socket = "ssh.sock"
    port = _PORT

    def __init__(self, exchange: Exchange, token: str, counts: Callable[[], bool]) -> None:
        self.exchange, self.token, self.counts = exchange, token, counts
        self.connections = 0
        self.key = asyncssh.generate_private_key(_KEY)
        self._host = asyncssh.generate_private_key(_KEY)
        self._running = 0
        self._left = asyncio.Event()
        self._left.set()

    def files(self) -> Mapping[str, str]:
        """Return what `ssh` reads in the program's home, so that `ssh guest COMMAND` works."""
        host = self._host.export_public_key().decode()
        return {
            ".ssh/config": _CONFIG.format(port=_PORT),
            ".ssh/id_ed25519": self.key.export_private_key().decode(),
            ".ssh/known_hosts": f"[127.0.0.1]:{_PORT} {host}",
        }

    @asynccontextmanager
    async def opened(self, folder: Path) -> AsyncIterator[None]:
        """See `OwnEndpoint.opened`."""
        path = folder / self.socket
        with sockets.socket(sockets.AF_UNIX) as listening:
            listening.bind(str(path))
            path.chmod(0o666)  # its folder is private to the session and the box
            server = await asyncssh.listen(
                sock=listening,
                config=None,
                server_factory=lambda: _Server(self),
                server_host_keys=[self._host],
                process_factory=self._run,
                encoding="utf-8",
                errors="replace",
                allow_pty=False,
                line_editor=False,
                agent_forwarding=False,
                gss_host=None,
                login_timeout=_LOGIN,
            )
            try:
                yield
            finally:
                server.close()

    async def idle(self) -> None:
        """See `OwnEndpoint.idle`."""
        await self._left.wait()

    def joined(self, number: int, running: int = 0) -> None:
        """Count connections and commands that come (1) and go (-1)."""
        self.connections += number
        self._running += running
        if self.connections or self._running:
            self._left.clear()
        else:
            self._left.set()

    async def _run(self, process: asyncssh.SSHServerProcess[str]) -> None:
        self.joined(0, 1)
        try:
            out, err, code = await self._result(process)
            process.stdout.write(out)
            process.stderr.write(err)
            process.exit(code)
        finally:
            self.joined(0, -1)

    async def _result(self, process: asyncssh.SSHServerProcess[str]) -> tuple[str, str, int]:
        if (problem := await self._problem(process)) is not None:
            return "", f"{problem}\n", _REFUSED
        try:
            action = RunCode(process.command or "", "bash")
            seen = await self.exchange.act(Decision((action,), usage=Usage(cost=None), raw={"door": "ssh"}))
        except ActionError as error:
            return "", f"{error}\n", _REFUSED
        except TooManyCalls:
            return "", "too many commands wait; run one after the other\n", _REFUSED
        if seen is None or not seen.results:
            return "", "the episode has ended\n", _REFUSED
        result = seen.results[-1]
        if result.ran is None:
            return (
                result.text or "",
                f"{result.error}\n" if result.error else "",
                _REFUSED if result.error else 0,
            )
        code = result.ran.code
        # A negative code is a signal, which a shell tells as 128 and its number.
        return result.ran.out, result.ran.err, code if code >= 0 else 128 - code

    async def _problem(self, process: asyncssh.SSHServerProcess[str]) -> str | None:
        """Return why a request cannot be carried out; None if it can."""
        if not self.counts():
            return "this episode accepts no more requests"
        if process.command is None or process.subsystem is not None:
            return (
                "there is no interactive shell and no file transfer here; give a command: ssh guest 'ls -l'"
            )
        if "code" not in self.exchange.briefing.capabilities:
            return "run_code is not available here: this suite is played by the GUI alone"
        try:
            given = await asyncio.wait_for(process.stdin.read(1), _INPUT)
        except TimeoutError:
            given = ""
        return "standard input does not reach the guest; write the text into the command" if given else None


class _Server(asyncssh.SSHServer):
    """One connection: the token as password, or the key in the program's home."""

    def __init__(self, door: SshEndpoint) -> None:
        self._door = door

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        allowed = self._door.counts() and self._door.connections < _CLIENTS
        self._door.joined(1)  # also if it is cut off: `connection_lost` counts it back
        if not allowed:
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.joined(-1)

    def auth_completed(self) -> None:
        self._door.exchange.calls += 1

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return secrets.compare_digest(password.encode(), self._door.token.encode())

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return key == self._door.key.convert_to_public()
