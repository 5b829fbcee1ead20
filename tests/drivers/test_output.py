"""What programs print is kept in bounded memory; a container's guest gets a socket, and no folder to write to."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from pytest_cuabench.drivers import output
from pytest_cuabench.drivers.desktop import handover
from pytest_cuabench.drivers.output import Output
from pytest_cuabench.task.library import ENVIRONMENTS


def printed(code: str) -> Output:
    """Return what a program printed."""
    found = Output()
    with found.pipe() as pipe:
        program = subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe)
    assert program.wait() == 0
    return found


def test_only_the_end_is_kept() -> None:
    """A program prints as much as it likes without a reader in this loop; the last lines are kept, long ones cut."""
    code = "import os\nfor n in range(300): os.write(1, b'x' * 99_999 + b'\\n')\nos.write(2, b'\\n\\xff last \\n\\n')"
    found = printed(code)
    kept = asyncio.run(found.tail())
    assert len(kept) == output._KEPT
    lines = asyncio.run(found.lines())
    assert lines[-1] == "\ufffd last"
    assert {len(line) for line in lines[:-1]} == {output._LONGEST}
    assert asyncio.run(found.last_line()) == "\ufffd last"


def test_nothing_was_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a program, or with one that goes on in silence, there is an empty line."""
    monkeypatch.setattr(output, "_REST", 0.05)
    assert asyncio.run(Output().last_line()) == ""
    found = Output()
    with found.pipe():
        assert asyncio.run(found.last_line()) == ""


ASKS = """
import sys
from pathlib import Path
from guest.server import _received
with _received(Path(sys.argv[1])) as listening:
    with listening.accept()[0] as connection:
        connection.sendall(b"here")
"""


def test_a_socket_is_given_away() -> None:
    """Who asks gets the listening socket, and nobody else has it: when it ends, nothing listens any more."""
    pytest.importorskip("uvicorn")
    with tempfile.TemporaryDirectory(prefix="cua-given-") as name:
        folder = Path(name)
        handover.offer(folder, lambda: True)
        folder.chmod(0o500)  # nothing need be written to it
        path = os.pathsep.join([str(ENVIRONMENTS / "desktop"), *sys.path])
        with (
            subprocess.Popen(
                [sys.executable, "-c", ASKS, str(folder / handover.ASK)], env={"PYTHONPATH": path}
            ),
            socket.socket(socket.AF_UNIX) as client,
        ):
            client.connect(str(folder / handover.CONTROL))
            assert client.recv(9) == b"here"
        for each in (handover.ASK, handover.CONTROL):
            with socket.socket(socket.AF_UNIX) as client, pytest.raises(ConnectionRefusedError):
                client.connect(str(folder / each))
        folder.chmod(0o700)


def test_nobody_asks() -> None:
    """When nobody is expected any more, nothing listens, and nothing is left that waits."""
    with tempfile.TemporaryDirectory(prefix="cua-given-") as name:
        handover.offer(Path(name), lambda: False)
        for thread in threading.enumerate():
            if thread.name == "cuabench-handover":
                thread.join(10)
        with socket.socket(socket.AF_UNIX) as client, pytest.raises(ConnectionRefusedError):
            client.connect(str(Path(name) / handover.CONTROL))
