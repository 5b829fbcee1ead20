"""A limit on processes that the kernel keeps even for root: a control group.

RLIMIT_NPROC does not bind a supervisor that is root, nor what it runs in user namespaces, and a program that forks
without end starves whoever only watches it. Where no group can be made, as for ordinary users, RLIMIT_NPROC binds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

_ROOTS = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
_LABEL = "cuabench"
_numbers = count()


@dataclass(frozen=True, slots=True)
class Fence:
    """A group of processes; what enters it, and all that is born in it, are at most so many tasks."""

    folder: Path

    @property
    def gate(self) -> Path:
        """The file to which a process writes its number to enter."""
        return self.folder / "cgroup.procs"

    def remove(self) -> None:
        """Remove the group, which must be empty; one that is not is left to the next supervisor."""
        with suppress(OSError):
            self.folder.rmdir()


def make_fence(most: int) -> Fence | None:
    """Return a new group for at most so many tasks, None where none can be made."""
    for parent in _parents():
        folder = parent / f"{_LABEL}-{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
            (folder / "pids.max").write_text(str(most))
        except OSError:
            with suppress(OSError):
                folder.rmdir()
            continue
        return Fence(folder)
    return None


def enter(most: int) -> Fence | None:
    """Put this process, and so all that it will start, into a new group; remove what dead supervisors left."""
    for parent in _parents():
        for left in parent.glob(f"{_LABEL}-*-*"):
            if not Path("/proc", left.name.split("-")[1]).exists():
                Fence(left).remove()
    fence = make_fence(most)
    if fence is None:
        return None
    try:
        fence.gate.write_text(str(os.getpid()))
    except OSError:  # groups may be made here, but not be moved to
        fence.remove()
        return None
    return fence


def _parents() -> Iterator[Path]:
    """Yield the groups below which groups that count tasks may be made: beside the one that we were started in."""
    told = Path("/proc/self/cgroup").read_text().splitlines()
    for line in told:
        _, controllers, path = line.split(":", 2)
        if controllers in ("pids", ""):
            own = Path(path.lstrip("/"))
            own = own.parent if own.name.startswith(f"{_LABEL}-") else own
            roots = _ROOTS[:1] if controllers else _ROOTS[1:]
            yield from (root / own for root in roots if (root / own / "cgroup.procs").exists())
