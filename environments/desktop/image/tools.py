"""Runs the programs that images are built with; what they say goes to a log, and its last line into the sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_PACKAGES = {  # program -> the Debian package that has it
    "mmdebstrap": "mmdebstrap",
    "docker": "docker.io",
    "mke2fs": "e2fsprogs",
    "fakeroot": "fakeroot",
    "tar": "tar",
}


class BuildError(Exception):
    """An image cannot be built; the sentence says what to type."""


def run(argv: Sequence[str | Path], log: Path, env: dict[str, str] | None = None) -> None:
    """Run a program to its end.

    Raises:
        BuildError: It is not installed, or failed.
    """
    program = str(argv[0])
    if shutil.which(program) is None:
        package = _PACKAGES.get(program, program)
        raise BuildError(f"{program} is not installed; type: apt-get install {package}")
    with log.open("ab") as output:
        done = subprocess.run(  # noqa: S603 - fixed programs, and no shell
            [str(part) for part in argv],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **(env or {})},
            check=False,
        )
    if done.returncode != 0:
        raise BuildError(f"{program} failed: {_complaint(log)}; the whole story is in {log}")


def as_owner() -> tuple[str, ...]:
    """Return what makes a program see files as root's, where we are not root: images keep their owners."""
    return () if os.geteuid() == 0 else ("fakeroot",)


def _complaint(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "ERROR", "error"))]
    return errors[0] if errors else (lines or ["it said nothing"])[-1]
