"""Locks on a run's folder: one session writes at a time. A lock is released when its process ends."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.jsonl import recording

if TYPE_CHECKING:
    from filelock import BaseFileLock

FILE = ".lock"
# Workers of a killed session notice it, end their episode and exit within 15 seconds.
_PATIENCE = 30.0


def lead(folder: Path, patience: float = _PATIENCE) -> BaseFileLock:
    """Lock a run for this session, after waiting for the workers of a killed session.

    Raises:
        SettingError: Another session writes to the run.
        RecordFailure: The folder cannot be written to.
    """
    # The system frees a dead session's own lock at once, so only its workers are waited for.
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
    """Lock a run for this worker."""
    return _take(folder / f"{FILE}-{worker}", 0)


def leave(folder: Path, lock: BaseFileLock) -> None:
    """Release a run, and remove lock files that no worker holds."""
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
        except Timeout:  # an OSError that does not prevent writing
            raise SettingError(
                f"another session is writing to {file.parent}; wait until it ends, or use another run"
            ) from None
    return lock
