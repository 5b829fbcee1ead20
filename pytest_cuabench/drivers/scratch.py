"""Temporary folders that do not outlive their owner: if it is killed, the next session removes them by their leases."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from functools import cache
from pathlib import Path
from shlex import quote

from pytest_cuabench.drivers.leases import FOLDER, Lease, Leases
from pytest_cuabench.errors import SettingError


class Scratch:
    """A private temporary folder of this process.

    Attributes:
        path: A short path: those of sockets are limited to about 100 characters.
    """

    def __init__(self, prefix: str) -> None:
        temporary = Path(tempfile.gettempdir())
        self.path = temporary / f"{prefix}{secrets.token_hex(4)}"
        self._leases = _leases(temporary)
        # Before the folder: a process that is killed in between leaves nothing that nobody removes.
        self._lease: Lease | None = self._leases.take(FOLDER, {"folder": str(self.path)})
        self.path.mkdir(mode=0o700)

    def remove(self) -> None:
        """Remove the folder; may be called twice."""
        lease, self._lease = self._lease, None
        if lease is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            self._leases.release(lease)


@cache
def _leases(temporary: Path) -> Leases:
    """Return this process's leases on folders; a user may change TMPDIR."""
    return Leases()


def check_temporary() -> None:
    """Check that programs which are started find their temporary folder; Python itself would take another one.

    Raises:
        SettingError: TMPDIR names no folder.
    """
    named = os.environ.get("TMPDIR")
    if named and not Path(named).is_dir():
        raise SettingError(
            f"TMPDIR names {named}, which is no folder; type: mkdir -p {quote(named)}, or: unset TMPDIR"
        )
