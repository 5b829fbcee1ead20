"""Folders shared by supervisor and programs, and lookup of system programs."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from guest.errors import BadRequest

GUEST = Path(__file__).resolve().parent
UID = 1000  # of programs in bubblewrap
SOCKETS = "/tmp/.X11-unix"  # noqa: S108 - of X servers, where every client looks
APPLICATIONS = "/opt/cuabench/applications"  # where programs see those that are not Debian's


@dataclass(frozen=True, slots=True)
class Place:
    """A folder shared by supervisor and programs.

    Attributes:
        host: The supervisor's path.
        inside: The programs' path.
        writable: Whether a box that binds it may write to it.
    """

    host: Path
    inside: str
    writable: bool = True


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of one desktop; `frames` is only for the X server, which alone can write to `sockets`.

    `space` contains the writable folders and `logs`; its size may be limited (`mounts.py`).
    """

    home: Place
    tmp: Place
    runtime: Place
    shm: Place
    frames: Place
    sockets: Place
    space: Path


def lay_out(state: Path) -> Places:
    """Return the folders of a desktop below the supervisor's state folder."""
    space = state / "space"
    return Places(
        Place(space / "home", "/home/user"),
        Place(space / "tmp", "/tmp"),  # noqa: S108 - the path inside
        Place(space / "run", f"/run/user/{UID}"),
        Place(space / "shm", "/dev/shm"),  # noqa: S108
        Place(state / "frames", "/run/frames"),
        Place(state / "x11", SOCKETS),
        space,
    )


def applications() -> Path:
    """Return this machine's folder of applications that are not Debian's: an image's, or what an installation made."""
    own = Path(os.environ.get("CUABENCH_APPLICATIONS") or Path.home() / ".cache/cuabench/applications")
    return Path(APPLICATIONS) if Path(APPLICATIONS).is_dir() else own


def program_path(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise BadRequest(f"{name} is not installed; type: apt-get install {package}")
    return path
