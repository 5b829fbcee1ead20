"""`cuabench serve` as a program."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serving.conftest import NOTE, PLAIN, STOP, keys

from pytest_cuabench.ledger.record import Run

Serve = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def serve(desk: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Start the program in the project of the sample suite, and end it after the test."""
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(PLAIN))
    started = []

    def starting(*options: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "pytest_cuabench.commands.cli", "serve", "suites/sample", *options]
        run = "import sys; from pytest_cuabench.commands.cli import main; sys.exit(main(sys.argv[1:]))"
        command[1:3] = ["-c", run]
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, text=True, cwd=desk.path, **piped))
        return started[-1]

    yield starting
    for process in started:
        process.kill()
        process.communicate()


def test_the_list_needs_no_server(serve: Serve) -> None:
    """`--list` prints the splits and their instances and ends, also without the package `openenv`."""
    told, errors = serve("--list", "-k", "note and step", "--seeds=0-1").communicate(timeout=60)
    assert (told.splitlines()[-2:], errors) == (["train 0  desk/note-step-s1", "test 0  desk/note-step"], "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--at-once", "0"), "--at-once has to be 1 or more"),
        (("--seeds", "x"), "--cua-seeds"),
        (("-k", "note("), "Wrong expression"),
        (("--host", "0.0.0.0"), "add --token-file FILE"),
        (("--idle", "-1"), "must be a number of seconds above 0"),
    ],
)
def test_mistakes_are_one_sentence(serve: Serve, options: tuple[str, ...], words: str) -> None:
    """A mistake in the options ends the program with 2 and says what to type."""
    if "--host" in options:
        pytest.importorskip("openenv", reason="type: pip install 'pytest-cuabench[openenv]'")
    process = serve(*options)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert words in errors
    assert "Traceback" not in errors


@pytest.mark.usefixtures("openenv_package")
def test_a_port_in_use_is_told(serve: Serve) -> None:
    """Where another program listens at the port, the sentence names the option."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        process = serve("--port", str(port))
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert f"cannot listen at 127.0.0.1:{port} (Address already in use); choose another --port" in errors


async def until_refused(env: Any) -> None:
    """Step for as long as the server answers."""
    while True:
        await env.step(keys("tab"))


@pytest.mark.slow
@pytest.mark.usefixtures("openenv_package")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_everything(serve: Serve, desk: pytest.Pytester, number: signal.Signals) -> None:
    """Ctrl-C and SIGTERM end the program in order while a client plays, and the record has its reports."""
    from serving.test_openenv import client
    from websockets.exceptions import ConnectionClosed

    process = serve("--port", "0", "--run", "trained")
    assert process.stdout is not None
    address = re.search(r"http://\S+", process.stdout.readline())
    assert address is not None

    async def work() -> None:
        async with client(address[0]) as env:
            await env.reset(instance=NOTE)
            await env.step(keys("n"))
            assert (await env.step(STOP)).reward == 1.0
        async with client(address[0]) as env:
            await env.reset(instance=NOTE)
            await env.step(keys("tab"))
            os.kill(process.pid, number)
            await until_refused(env)

    with pytest.raises((ConnectionError, RuntimeError, ConnectionClosed)):
        asyncio.run(work())
    assert (process.wait(timeout=60), process.communicate()[1]) == (0, "")
    folder = Path(desk.path / "reports" / "trained")
    assert [each.outcome for each in Run(folder).attempts()] == ["success", "cancelled"]
    assert (folder / "report.html").is_file()
