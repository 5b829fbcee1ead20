"""Confinement of a desktop's programs.

Three kinds: namespaces of bubblewrap (the local machine), another user (containers and virtual machines), and none (an
existing X display of the user's own machine).
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from guest import home, safe_files, users
from guest.bubblewrap import Bubblewrap
from guest.errors import BadRequest
from guest.places import GUEST, SOCKETS, Place, Places, lay_out, program_path

_USER = "user"


class Box(Protocol):
    """How programs are confined."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def user(self) -> str:
        """The name of the programs' user."""

    @property
    def uid(self) -> int:
        """The number of the programs' user, by which the kernel counts its processes."""

    @property
    def places(self) -> Places:
        """The folders that programs share with the supervisor."""

    @property
    def guest(self) -> str:
        """The path of this package as programs see it."""

    @property
    def confines(self) -> bool:
        """Whether an agent's programs may run in it."""

    def wrap(
        self,
        argv: Sequence[str],
        folder: str = ".",
        binds: Sequence[Place] = (),
        own_processes: bool = True,
    ) -> list[str]:
        """Return the command that runs a program confined; `folder` is relative to HOME.

        Without `own_processes` the program is in the supervisor's process namespace: only for programs of the system.
        """

    def own(self, path: Path) -> None:
        """Change the owner of a file or tree to the programs' user."""

    def empty(self) -> None:
        """Create the programs' folders empty; no programs may be running."""


@dataclass(frozen=True, slots=True)
class OtherUser:
    """Programs run as another user without privileges, on a machine that confines them.

    They end with their parent; detached processes become children of the supervisor.
    """

    user: str
    places: Places
    name: str = "user"
    guest: str = str(GUEST)
    confines: bool = True

    @property
    def uid(self) -> int:
        """The number of the programs' user."""
        return pwd.getpwnam(self.user).pw_uid

    def wrap(
        self,
        argv: Sequence[str],
        folder: str = ".",
        binds: Sequence[Place] = (),
        own_processes: bool = True,
    ) -> list[str]:
        """Return the command that drops the supervisor's privileges first."""
        return [
            *(program_path("setpriv", "util-linux"), f"--reuid={self.user}", f"--regid={self.user}"),
            *("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--pdeathsig=KILL"),
            *(program_path("env", "coreutils"), "--chdir", str(Path(self.places.home.inside, folder)), *argv),
        ]

    def own(self, path: Path) -> None:
        """Change the owner, without following links."""
        safe_files.own(path, self.uid, pwd.getpwnam(self.user).pw_gid)

    def empty(self) -> None:
        """Empty the folders, and remove the user's files from world-writable folders of the machine."""
        _emptied(self.places.home.host, 0o755)
        _emptied(self.places.runtime.host, 0o700)
        for folder in (self.places.tmp.host, *map(Path, _EVERYBODYS)):
            if folder.is_dir():
                home.empty(folder, self.uid)
        for place in (self.places.home, self.places.runtime):
            self.own(place.host)


@dataclass(frozen=True, slots=True)
class Unconfined:
    """Programs run as the user of the guest; agents' programs are not allowed."""

    places: Places
    name: str = "none"
    user: str = _USER
    guest: str = str(GUEST)
    confines: bool = False
    uid: int = field(default_factory=os.getuid)

    def wrap(
        self,
        argv: Sequence[str],
        folder: str = ".",
        binds: Sequence[Place] = (),
        own_processes: bool = True,
    ) -> list[str]:
        """Return the command unchanged, in its folder."""
        start = str(Path(self.places.home.inside, folder))
        return [program_path("env", "coreutils"), "--chdir", start, *argv]

    def own(self, path: Path) -> None:
        """Do nothing: there is one user."""

    def empty(self) -> None:
        """Empty HOME and the runtime folder, but not the shared /tmp."""
        _emptied(self.places.home.host, 0o755)
        _emptied(self.places.runtime.host, 0o700)


_EVERYBODYS = ("/dev/shm", "/dev/mqueue", "/var/tmp", "/run/lock")  # noqa: S108 - of a machine of the desktop's own


def _emptied(folder: Path, mode: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(mode)
    home.empty(folder)


def make_box(confine: str, state: Path) -> Box:
    """Return the confinement for bwrap, user:NAME or none.

    Raises:
        BadRequest: The name is unknown, or the user does not exist.
    """
    kind, _, user = confine.partition(":")
    places = lay_out(state)
    if confine == "bwrap":
        return Bubblewrap(state, places, own_user=_own_user())
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


def _own_user() -> users.User | None:
    """Return a user for the programs of a supervisor of root; None for another supervisor.

    Raises:
        BadRequest: None is free.
    """
    try:
        return users.take() if os.geteuid() == 0 else None
    except OSError as error:
        raise BadRequest(f"{error}; start the guest as an ordinary user") from None


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
        sockets=everybodys(SOCKETS),
    )
