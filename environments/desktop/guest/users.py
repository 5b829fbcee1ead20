"""Users of boxes: a number for each, so that the kernel counts and separates what belongs to one.

Limits of processes, pipes, watches of files and queued signals count by user, and signals reach one's own. Standard
library only and no other module of this package, because the plugin loads it, too.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import random
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

NUMBERS = range(60_578, 61_184)  # neither logins', nor packages', nor systemd's
_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class User:
    """A number that no other box of this computer has; it is free again when it is released or this process ends.

    Attributes:
        lock: The descriptor of a locked file.
    """

    number: int
    lock: int

    def release(self) -> None:
        """End what still runs as this user, if this process may, and give the number back."""
        if os.geteuid() == 0 and self.number in _busy():
            # The kernel finds them all at once, also those that fork.
            subprocess.run([*become(self.number), "kill", "-KILL", "-1"], timeout=_SECONDS, check=False)  # noqa: S603
        os.close(self.lock)


def take() -> User:
    """Return a user for a box.

    Raises:
        OSError: None is free, or the folder of locks is not this user's own.
    """
    folder = _folder()
    free = sorted({*NUMBERS} & {*_mapped()} - _busy())
    for number in random.sample(free, len(free)):
        lock = os.open(folder / f"user-{number}", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not _known(number):
                return User(number, lock)
        os.close(lock)
    raise OSError("no user is free for another box on this computer")


def become(number: int) -> list[str]:
    """Return the command that runs another as this user, without any rights."""
    return [
        *("setpriv", "--reuid", str(number), "--regid", str(number), "--clear-groups", "--no-new-privs"),
        *("--bounding-set=-all", "--inh-caps=-all"),
    ]


def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"cuabench-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise OSError(f"{folder} is not a folder of yours alone; remove it and try again")
    return folder


def _busy() -> set[int]:
    """Return the users of all processes that can be seen from here."""
    found = set()
    with os.scandir("/proc") as entries:
        for entry in entries:
            if entry.name.isdigit():
                with suppress(OSError):  # it has just exited
                    found.add(entry.stat().st_uid)
    return found


def _mapped() -> Iterator[int]:
    """Yield the numbers that exist here: a container may have fewer than its computer."""
    for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines():
        first, _, count = map(int, line.split())
        yield from range(max(first, NUMBERS.start), min(first + count, NUMBERS.stop))


def _known(number: int) -> bool:
    with suppress(KeyError):
        return bool(pwd.getpwuid(number))
    return False
