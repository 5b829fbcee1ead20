from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process

import pytest

from pytest_cuabench.drivers import stopping

pytestmark = pytest.mark.asyncio
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"
)


async def start(code: str) -> Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdin=PIPE, stdout=PIPE)


async def test_a_program_that_ended_by_itself_keeps_no_pipe():
    """An open pipe would be closed by the garbage collector, after its loop."""
    process = await start("pass")
    await process.wait()
    await stopping.stop(process)
    assert process.stdin.is_closing()
    assert process.stdout.at_eof()


async def test_a_program_that_does_not_listen_is_killed(monkeypatch):
    """SIGTERM comes first, and SIGKILL after a while."""
    monkeypatch.setattr(stopping, "_POLITE", 0.1)
    process = await start(STUBBORN)
    await process.stdout.readline()
    await stopping.stop(process)
    assert process.returncode == -9


async def test_a_program_that_left_one_behind_keeps_no_pipe():
    """What it started holds its output open; the pipes are closed on our side."""
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(20)'])"
    process = await start(f"{code}; print(flush=True)")
    await process.stdout.readline()
    await stopping.stop(process)
    assert process.stdin.is_closing()
    assert process._transport.is_closing()
