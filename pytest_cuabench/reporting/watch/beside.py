"""Starts the server beside a session (`--cua-watch`), as a process that ends with it.

The session opens the socket, so that the address is known at once. The token goes through the process's standard
input, whose end tells that the session ended, even if it was killed.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.watch.following import Following
from pytest_cuabench.reporting.watch.server import address, listen, new_token, serving
from pytest_cuabench.task.text import tell

_ENDING = 5.0  # seconds that the server may take to send the end of the run
_LAST = 1.0  # seconds in which pages receive it
_NICE = 10  # the run comes first


class Beside:
    """Plugin of the controller process that starts the server, prints its address, and ends it."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        token, listening = new_token(), listen()
        self._address = address(listening, token)
        with listening:
            number = listening.fileno()
            command = [sys.executable, "-m", __name__, str(run.folder.resolve()), str(number)]
            self._process = subprocess.Popen(  # noqa: S603 - a module of ours
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,  # Ctrl-C ends the session first
                # Where this session finds its modules.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        assert self._process.stdin is not None
        self._process.stdin.write(f"{token}\n".encode())
        self._process.stdin.flush()
        config.add_cleanup(self._end)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Print the address, which `-q` leaves out of the header."""
        terminal: Any = session.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is not None:
            tell(terminal, f"cuabench: watch the run at {self._address}")
            terminal.flush()

    def _end(self) -> None:
        """End the server after it sent the end of the run."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


async def _serve(folder: Path, listening: socket.socket, token: str) -> None:
    async with serving(Following(lambda: Run(folder)), listening, token):
        await asyncio.to_thread(sys.stdin.read)
    await asyncio.sleep(0)


if __name__ == "__main__":
    os.nice(_NICE)
    asyncio.run(
        _serve(Path(sys.argv[1]), socket.socket(fileno=int(sys.argv[2])), sys.stdin.readline().strip())
    )
