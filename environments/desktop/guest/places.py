"""Folders that supervisor and programs share, and how to find a program of the system."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from guest.errors import BadRequest

GUEST = Path(__file__).resolve().parent
UID = 1000  # of the programs in a box of bubblewrap


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that supervisor and programs share.

    Attributes:
        host: Where the supervisor sees it.
        inside: Where programs see it.
    """

    host: Path
    inside: str


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one desktop; `frames` is for the X server alone.

    `space` holds those that programs write to, and `logs`; a supervisor may have bounded it (`space.py`).
    """

    home: Place
    tmp: Place
    runtime: Place
    shm: Place
    frames: Place
    space: Path


def lay_out(state: Path) -> Places:
    """Return the folders of a desktop below the supervisor's own folder."""
    space = state / "space"
    return Places(
        Place(space / "home", "/home/user"),
        Place(space / "tmp", "/tmp"),  # noqa: S108 - the name inside; each desktop has its own
        Place(space / "run", f"/run/user/{UID}"),
        Place(space / "shm", "/dev/shm"),  # noqa: S108
        Place(state / "frames", "/run/frames"),
        space,
    )


def program_path(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise BadRequest(f"{name} is not installed; type: apt-get install {package}")
    return path
