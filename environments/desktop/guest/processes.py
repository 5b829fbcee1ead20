"""Programs of a desktop as processes: what descends from one, and how all of it is ended."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_KILL_SECONDS = 5.0


def adopt_orphans() -> None:
    """Make this process the parent of whatever its programs leave behind, so that it can be ended, too."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> dict[int, list[int]]:
    """Return the children of every process, by process id."""
    found: dict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _parent(entry)) is not None:
            found[parent].append(int(entry.name))
    return found


def descendants(pid: int) -> list[int]:
    """Return all processes below one."""
    by_parent, found = children(), [pid]
    for one in found:
        found.extend(by_parent.get(one, ()))
    return found[1:]


def kill(pids: list[int]) -> None:
    """Kill processes at once; those already gone do not matter."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill a program with everything below it, and wait until all of it is gone.

    SIGKILL, since an application may take seconds over SIGTERM or ask whether to save. The process itself comes
    last: bubblewrap's outer process ends by itself once its namespace is empty, and only then is HOME ours.
    """
    kill(descendants(process.pid))
    try:
        await asyncio.wait_for(process.wait(), 0.05 if process.returncode is None else None)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        kill(descendants(process.pid))
        await asyncio.wait_for(process.wait(), _KILL_SECONDS)


async def end_orphans(known: set[int]) -> None:
    """Kill what was left to this process by programs that have ended: its children that are not `known`."""
    while left := [pid for pid in children().get(os.getpid(), ()) if pid not in known]:
        for pid in left:
            kill([pid, *descendants(pid)])
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        await asyncio.sleep(0.002)


def _parent(entry: Path) -> int | None:
    try:
        status = (entry / "stat").read_text()
    except OSError:  # it has just ended
        return None
    state, parent = status.rpartition(")")[2].split()[:2]  # a program's name may hold spaces and brackets
    return None if state in "ZX" else int(parent)
