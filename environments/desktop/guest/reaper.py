"""Runs one program, and kills all of its remaining descendants.

`python -m guest.reaper GATE PROGRAM ARGUMENT...` runs between the supervisor and an agent's program. Orphans become
its children; SIGTERM kills all of them. GATE is the file of a control group to enter, or `-`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from guest import processes

_SECONDS = 5.0


class _Terminated(Exception):
    """Raised on SIGTERM."""


def main(gate: str, *argv: str) -> int:
    """Run the program and return its exit code as a shell does."""
    processes.adopt_orphans()
    signal.signal(signal.SIGTERM, _end)
    code = 128 + signal.SIGKILL
    try:
        program = _started(gate, argv)
        code = program.wait()
    except _Terminated:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end_all()
    return code if code >= 0 else 128 - code


def _started(gate: str, argv: tuple[str, ...]) -> subprocess.Popen[bytes]:
    if gate != "-":
        Path(gate).write_text(str(os.getpid()))
    return subprocess.Popen(argv)  # noqa: S603 - the box's own command, never a shell


def _end(number: int, frame: FrameType | None) -> None:
    raise _Terminated


def _end_all() -> None:
    """Kill all descendants, including new ones."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and (left := processes.descendants(os.getpid())):
        processes.kill(left)
        _collect()
        time.sleep(0.001)
    _collect()


def _collect() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
