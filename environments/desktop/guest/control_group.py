"""Control groups: limits on the number of processes that hold even for root.

RLIMIT_NPROC does not apply to root, and polling is too slow against a fork bomb. Where no group can be created, as for
ordinary users, the programs' own user and its RLIMIT_NPROC bound them.
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
MOST_TASKS = 2000  # of one desktop; a large application has a few hundred
_numbers = count()


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """A group of processes and their descendants with a limit on tasks."""

    folder: Path

    @property
    def gate(self) -> Path:
        """The file to which a process writes its id to enter."""
        return self.folder / "cgroup.procs"

    def remove(self) -> None:
        """Remove the group; if it is not empty, the next supervisor does."""
        with suppress(OSError):
            self.folder.rmdir()


def make_control_group(most: int) -> ControlGroup | None:
    """Create a group for at most `most` tasks; None if that is not possible."""
    for parent in _parents():
        folder = parent / f"{_LABEL}-{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
            (folder / "pids.max").write_text(str(most))
        except OSError:
            with suppress(OSError):
                folder.rmdir()
            continue
        return ControlGroup(folder)
    return None


def enter(most: int) -> ControlGroup | None:
    """Move this process, and so its children, into a new group; remove groups of dead supervisors."""
    for parent in _parents():
        for left in parent.glob(f"{_LABEL}-*-*"):
            if not Path("/proc", left.name.split("-")[1]).exists():
                ControlGroup(left).remove()
    fence = make_control_group(most)
    if fence is None:
        return None
    try:
        fence.gate.write_text(str(os.getpid()))
    except OSError:  # groups can be created here, but not entered
        fence.remove()
        return None
    return fence


def _parents() -> Iterator[Path]:
    """Yield the groups below which a group can be created: beside our own."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers in ("pids", ""):
            own = Path(path.lstrip("/"))
            own = own.parent if own.name.startswith(f"{_LABEL}-") else own
            roots = _ROOTS[:1] if controllers else _ROOTS[1:]
            yield from (root / own for root in roots if (root / own / "cgroup.procs").exists())
