"""Where programs of the desktop run: never as the supervisor, and seeing nothing but the desktop.

Three boxes with one interface: namespaces of bubblewrap (the local machine), another user (containers and
virtual machines), and none (an X display that is already there, on one's own machine).
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from guest import home
from guest.bubblewrap import Bubblewrap
from guest.errors import BadRequest
from guest.places import GUEST, Place, Places, lay_out, program_path

_USER = "user"


class Box(Protocol):
    """How programs are confined."""

    @property
    def name(self) -> str:
        """As on the command line."""

    @property
    def user(self) -> str:
        """The name that programs run under."""

    @property
    def places(self) -> Places:
        """The folders that programs share with the supervisor."""

    @property
    def guest(self) -> str:
        """Where programs see this package."""

    @property
    def confines(self) -> bool:
        """Whether a program of an agent may run in it."""

    def wrap(self, argv: Sequence[str], folder: str = ".", binds: Sequence[Place] = ()) -> list[str]:
        """Return the command that runs a program inside; `folder` is relative to HOME."""

    def own(self, path: Path) -> None:
        """Give a file or a tree that the supervisor made to the user of the programs."""

    def empty(self) -> None:
        """Make the folders that programs write to, with nothing in them; none of its programs may run."""


@dataclass(frozen=True, slots=True)
class OtherUser:
    """Programs run as another user without a way to more rights, inside a machine that confines them.

    They are ended with their parent; what leaves its session is found as a child of the supervisor.
    """

    user: str
    places: Places
    name: str = "user"
    guest: str = str(GUEST)
    confines: bool = True

    def wrap(self, argv: Sequence[str], folder: str = ".", binds: Sequence[Place] = ()) -> list[str]:
        """Return the command that gives up the supervisor's rights first."""
        return [
            *(program_path("setpriv", "util-linux"), f"--reuid={self.user}", f"--regid={self.user}"),
            *("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--pdeathsig=KILL"),
            *(program_path("env", "coreutils"), "--chdir", str(Path(self.places.home.inside, folder)), *argv),
        ]

    def own(self, path: Path) -> None:
        """Change the owner, of links themselves and never of what they point to."""
        record = pwd.getpwnam(self.user)
        for one in (path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())):
            os.chown(one, record.pw_uid, record.pw_gid, follow_symlinks=False)

    def empty(self) -> None:
        """Empty the folders, and those of the machine that everybody may write to, of what is the user's."""
        record = pwd.getpwnam(self.user)
        _emptied(self.places.home.host, 0o755)
        _emptied(self.places.runtime.host, 0o700)
        for folder in (self.places.tmp.host, *map(Path, _EVERYBODYS)):
            if folder.is_dir():
                home.empty(folder, record.pw_uid)
        for place in (self.places.home, self.places.runtime):
            self.own(place.host)


@dataclass(frozen=True, slots=True)
class Unconfined:
    """Programs run as the person who started the guest; none written by an agent is run."""

    places: Places
    name: str = "none"
    user: str = _USER
    guest: str = str(GUEST)
    confines: bool = False

    def wrap(self, argv: Sequence[str], folder: str = ".", binds: Sequence[Place] = ()) -> list[str]:
        """Return the command as it stands, in its folder."""
        start = str(Path(self.places.home.inside, folder))
        return [program_path("env", "coreutils"), "--chdir", start, *argv]

    def own(self, path: Path) -> None:
        """Nothing to do: there is one user."""

    def empty(self) -> None:
        """Empty HOME and the runtime folder; /tmp is everybody's."""
        _emptied(self.places.home.host, 0o755)
        _emptied(self.places.runtime.host, 0o700)


_EVERYBODYS = ("/dev/shm", "/dev/mqueue", "/var/tmp", "/run/lock")  # noqa: S108 - of a machine of the desktop's own


def _emptied(folder: Path, mode: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(mode)
    home.empty(folder)


def make_box(confine: str, state: Path) -> Box:
    """Return the box that a word of the command line names: bwrap, user:NAME or none.

    Raises:
        BadRequest: The word is unknown, or the user does not exist.
    """
    kind, _, user = confine.partition(":")
    places = lay_out(state)
    if confine == "bwrap":
        return Bubblewrap(state, places)
    if confine == "none":
        return Unconfined(_same(places))
    if kind != "user" or not user:
        raise BadRequest(f"--confine is {confine!r}, but must be bwrap, user:NAME or none")
    try:
        record = pwd.getpwnam(user)
    except KeyError:
        raise BadRequest(
            f"--confine {confine}: this machine has no user {user!r}; useradd -m {user}"
        ) from None
    folder, same = Path(record.pw_dir), _same(places)
    return OtherUser(user, replace(same, home=Place(folder, str(folder))))


def _same(places: Places) -> Places:
    def as_it_is(place: Place) -> Place:
        return Place(place.host, str(place.host))

    def everybodys(path: str) -> Place:
        return Place(Path(path), path)

    return replace(
        places,
        home=as_it_is(places.home),
        runtime=as_it_is(places.runtime),
        frames=as_it_is(places.frames),
        tmp=everybodys("/tmp"),  # noqa: S108
        shm=everybodys("/dev/shm"),  # noqa: S108
    )
