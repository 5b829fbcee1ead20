"""Where programs of the desktop run: never as the supervisor, and seeing nothing but the desktop.

Three boxes with one interface: namespaces of bubblewrap (the local machine), another user (containers and
virtual machines), and none (an X display that is already there, on one's own machine).
"""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from guest import tools
from guest.errors import BadRequest

GUEST = Path(__file__).resolve().parent  # programs of ours that run inside are read from here
_INSIDE_GUEST = "/opt/guest"
_USER, _UID = "user", 1000

# What programs need of /etc and /var, and nothing that tells about the machine or its people.
_SHARED = (
    "alternatives", "fonts", "gtk-2.0", "gtk-3.0", "ImageMagick-6", "ld.so.cache", "ld.so.conf", "ld.so.conf.d",
    "locale.alias", "localtime", "magic", "mime.types", "os-release", "papersize", "python3", "python3.11",
    "python3.12", "python3.13", "ssl/certs", "texmf", "vulkan", "X11", "xdg",
)  # fmt: skip
_KEPT = ("/var/cache/fontconfig", "/var/lib/texmf", "/sys/devices/system/cpu")


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
    """The folders of one desktop; `frames` is for the X server alone."""

    home: Place
    tmp: Place
    runtime: Place
    frames: Place


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


def lay_out(state: Path) -> Places:
    """Return the folders of a desktop below the supervisor's own folder."""
    return Places(
        Place(state / "home", "/home/user"),
        Place(state / "tmp", "/tmp"),  # noqa: S108 - the name inside; each desktop has its own
        Place(state / "run", f"/run/user/{_UID}"),
        Place(state / "frames", "/run/frames"),
    )


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Each program in namespaces of its own: another user, no network, no other processes, few files."""

    state: Path
    places: Places
    name: str = "bwrap"
    user: str = _USER
    guest: str = _INSIDE_GUEST
    confines: bool = True
    readonly: tuple[Place, ...] = ()
    _fixed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._fixed.extend(self._command())

    def wrap(self, argv: Sequence[str], folder: str = ".", binds: Sequence[Place] = ()) -> list[str]:
        """Return the bubblewrap command."""
        bound = [part for place in binds for part in ("--bind", str(place.host), place.inside)]
        start = str(Path(self.places.home.inside, folder))
        return [*self._fixed, *bound, "--chdir", start, "--", *argv]

    def own(self, path: Path) -> None:
        """Nothing to do: inside, the supervisor's user is called by another name."""

    def _command(self) -> list[str]:
        shared = [part for name in _SHARED for part in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")]
        kept = [part for name in _KEPT for part in ("--ro-bind-try", name, name)]
        made = [part for place in self._made() for part in ("--ro-bind", str(place.host), place.inside)]
        ours = (self.places.tmp, self.places.home, self.places.runtime)
        own = [part for place in ours for part in ("--bind", str(place.host), place.inside)]
        return [
            _program("bwrap", "bubblewrap"),
            *("--unshare-user", "--uid", str(_UID), "--gid", str(_UID), "--unshare-pid", "--unshare-net"),
            *("--unshare-ipc", "--unshare-uts", "--hostname", "desktop", "--cap-drop", "ALL"),
            *("--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr", *_roots()),
            *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm"),  # noqa: S108
            *shared, *kept, *made, *own,
        ]  # fmt: skip

    def _made(self) -> list[Place]:
        folder = self.state / "etc"
        folder.mkdir(exist_ok=True)
        contents = {
            "passwd": f"{_USER}:x:{_UID}:{_UID}:User:/home/user:/bin/bash\n",
            "group": f"{_USER}:x:{_UID}:\n",
            "hosts": "127.0.0.1 localhost desktop\n",
            "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
            "machine-id": "0" * 31 + "1\n",
        }
        for name, text in contents.items():
            (folder / name).write_text(text)
        files = [Place(folder / name, f"/etc/{name}") for name in contents]
        return [*files, Place(GUEST, self.guest), *self.readonly]


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
            *(_program("setpriv", "util-linux"), f"--reuid={self.user}", f"--regid={self.user}"),
            *("--clear-groups", "--no-new-privs", "--inh-caps=-all", "--pdeathsig=KILL"),
            *(_program("env", "coreutils"), "--chdir", str(Path(self.places.home.inside, folder)), *argv),
        ]

    def own(self, path: Path) -> None:
        """Change the owner, of links themselves and never of what they point to."""
        record = pwd.getpwnam(self.user)
        for one in (path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())):
            os.chown(one, record.pw_uid, record.pw_gid, follow_symlinks=False)


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
        return [_program("env", "coreutils"), "--chdir", start, *argv]

    def own(self, path: Path) -> None:
        """Nothing to do: there is one user."""


def make_box(confine: str, state: Path) -> Box:
    """Return the box that a word of the command line names: bwrap, user:NAME or none.

    Raises:
        BadRequest: The word is unknown, or the user does not exist.
    """
    kind, _, user = confine.partition(":")
    places = lay_out(state)
    if confine == "bwrap":
        return Bubblewrap(state, places, readonly=(Place(tools.make_tools(state), tools.INSIDE),))
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
    home, tmp = Path(record.pw_dir), Path("/tmp")  # noqa: S108 - the machine belongs to the desktop
    real = Places(
        Place(home, str(home)), Place(tmp, str(tmp)), *(_same(places).runtime, _same(places).frames)
    )
    return OtherUser(user, real)


def _same(places: Places) -> Places:
    def as_it_is(place: Place) -> Place:
        return Place(place.host, str(place.host))

    own_tmp = Place(Path("/tmp"), "/tmp")  # noqa: S108
    return Places(as_it_is(places.home), own_tmp, as_it_is(places.runtime), as_it_is(places.frames))


def _program(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise BadRequest(f"{name} is not installed; type: apt-get install {package}")
    return path


def _roots() -> list[str]:
    """Return what makes /bin, /lib and the like those of /usr, as they are on a merged system."""
    found: list[str] = []
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(name):
            found += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            found += ["--ro-bind", name, name]
    return found
