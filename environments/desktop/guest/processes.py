"""Processes of a desktop: finding and killing process trees."""

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
    """Make this process the reaper of orphans of its programs."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> dict[int, list[int]]:
    """Return the children of every process, by process id."""
    found: dict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _parent(entry)) is not None:
            found[parent].append(int(entry.name))
    return found


def descendants(pid: int) -> list[int]:
    """Return all descendants of a process."""
    by_parent, found = children(), [pid]
    for one in found:
        found.extend(by_parent.get(one, ()))
    return found[1:]


def first_in_namespace(pid: int) -> int | None:
    """Return the program that bubblewrap, as this process, runs in a process namespace; None if it has not started.

    The first process of the namespace is bubblewrap's own and the second the program: none gets its number again before
    the program has ended, and then all of them end.
    """
    depth = len(_numbers(pid)) + 1
    found = {one: _numbers(one) for one in descendants(pid)}
    return next((one for one, numbers in found.items() if len(numbers) == depth and numbers[-1] == 2), None)


def processor_seconds(pids: list[int]) -> float:
    """Return the processor time that processes have used; ended ones count as none."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):  # it has just exited
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def zombies() -> list[int]:
    """Return the children of this process that have ended and were not awaited."""
    entries = (entry for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [int(entry.name) for entry in entries if _stat(entry) == ("Z", os.getpid())]


def reap(pids: list[int]) -> None:
    """Release ended children, which keep their process ids until then; ones that were awaited meanwhile are ignored."""
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def kill(pids: list[int]) -> None:
    """Kill processes; missing ones are ignored."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill a program with its descendants, and wait for their end.

    Uses SIGKILL, because an application may take seconds for SIGTERM or ask whether to save. The process itself is
    last: bubblewrap's outer process exits when its namespace is empty, and only then is HOME unused.
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
    """Kill adopted orphans: children of this process that are not `known`."""
    while left := [pid for pid in children().get(os.getpid(), ()) if pid not in known]:
        for pid in left:
            kill([pid, *descendants(pid)])
            reap([pid])
        await asyncio.sleep(0.002)


def _parent(entry: Path) -> int | None:
    state, parent = _stat(entry)
    return None if state in "ZX" else parent


def _numbers(pid: int) -> list[int]:
    """Return the numbers of a process, in this process namespace and those below it; empty if it has ended."""
    with suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(errors="replace")
        line = next((line for line in status.splitlines() if line.startswith("NSpid:")), "")
        return [int(word) for word in line.split()[1:]]
    return []


def _stat(entry: Path) -> tuple[str, int]:
    """Return a process's state and parent."""
    try:
        status = (entry / "stat").read_text()
    except OSError:  # it has just exited
        return "X", 0
    state, parent = status.rpartition(")")[2].split()[:2]  # a program's name may contain spaces and brackets
    return state, int(parent)
