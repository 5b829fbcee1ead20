"""Another computer: a Python that sees an empty folder in place of the reports; else a reason to skip."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def other_computer(project: Path) -> Iterator[str]:
    """Copy a project to another computer, and run execnet's socket server there; the value is xdist's `--tx`."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("a computer with other files needs more; type: apt-get install bubblewrap")
    other = project.parent / f"{project.name}-elsewhere"
    shutil.copytree(project, other, ignore=shutil.ignore_patterns("reports"), dirs_exist_ok=True)
    (project / "reports").mkdir(exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    alone = (bwrap, "--dev-bind", "/", "/", "--tmpfs", str(project / "reports"), "--die-with-parent")
    with (other / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*alone, sys.executable, "-m", "execnet.script.socketserver", f"127.0.0.1:{port}"],
            cwd=other,
            env={**os.environ, "PYTHONPATH": str(other)},
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(port, server)
        yield f"socket=127.0.0.1:{port}//chdir={other}"
    finally:
        server.kill()
        server.wait()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if server.poll() is not None:
            pytest.skip("bubblewrap cannot make a mount namespace here")
        time.sleep(0.05)
    raise AssertionError("the socket server did not start")
