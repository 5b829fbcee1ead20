"""Who writes to a run: one session at a time. A lock ends with the process that holds it, however that ends."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_cuabench.errors import SettingError
from pytest_cuabench.lines import recording

if TYPE_CHECKING:
    from filelock import BaseFileLock

FILE = ".lock"
# Workers whose session was killed notice it, end their episode and are gone after 15 seconds at the latest.
_PATIENCE = 30.0


def lead(folder: Path, patience: float = _PATIENCE) -> BaseFileLock:
    """Take a run for this session, when no other session and no worker of a killed one writes to it any more.

    Raises:
        SettingError: Another session writes to it.
        RecordFailure: The folder cannot be written to.
    """
    lock = _take(folder / FILE, 0)
    try:
        for file in folder.glob(f"{FILE}-*"):
            _take(file, patience).release()
            file.unlink(missing_ok=True)
    except BaseException:
        lock.release()
        raise
    return lock


def join(folder: Path, worker: str) -> BaseFileLock:
    """Say that this worker writes to a run."""
    return _take(folder / f"{FILE}-{worker}", 0)


def leave(folder: Path, lock: BaseFileLock) -> None:
    """Give a run free again; what no worker holds any more is removed."""
    for file in folder.glob(f"{FILE}-*"):
        with suppress(SettingError, OSError):
            _take(file, 0).release()
            file.unlink(missing_ok=True)
    lock.release()


def _take(file: Path, patience: float) -> BaseFileLock:
    from filelock import FileLock, Timeout

    lock = FileLock(file, timeout=patience, thread_local=False)
    with recording(file):
        try:
            lock.acquire()
        except Timeout:  # an OSError, but none that keeps anybody from writing
            raise SettingError(
                f"{file.parent} is being written to by another session; wait for its end, or choose another run"
            ) from None
    return lock
