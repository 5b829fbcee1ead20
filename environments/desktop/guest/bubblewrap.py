"""Confinement on the local machine: namespaces created by bubblewrap."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_paths

from guest import home, tools
from guest.errors import BadRequest
from guest.places import APPLICATIONS, GUEST, UID, Place, Places, applications, program_path

_INSIDE_GUEST = "/opt/guest"
_PROGRAMS = (
    "browser_window.py",
    "grass/inside",
    "openbox.xml",
    "probe_window.py",
    "pymol/inside",
    "sealed/inside",
    "stellarium/inside",
)  # that run inside
_USER = "user"
_OLDEST = (0, 8)  # the first bubblewrap with --disable-userns

# What programs need of /etc and /var, without information on the machine or its users.
_SHARED = (
    "alternatives", "fonts", "gtk-2.0", "gtk-3.0", "ImageMagick-6", "ld.so.cache", "ld.so.conf", "ld.so.conf.d",
    "libreoffice", "locale.alias", "localtime", "magic", "mime.types", "os-release", "papersize", "python3",
    "ocamlfind.conf", "python3.11", "python3.12", "python3.13", "ssl/certs", "texmf", "vulkan", "X11", "xdg",
)  # fmt: skip
_KEPT = ("/var/cache/fontconfig", "/var/lib/texmf", "/var/lib/libreoffice", "/sys/devices/system/cpu")
# Folders of /usr that may hold a checkout or installation that is not part of the system.
_FOREIGN = ("local", "src")
_JUDGE = "pytest_cuabench"  # hidden from agents wherever it is installed, because it has checks and solutions
# Arguments with host paths are passed by a file, since programs can read command lines in /proc.
_START = 'bwrap=$1 file=$2; shift 2; exec "$bwrap" --args 3 "$@" 3<"$file"'
_SEALED = ("--remount-ro", "/dev", "--remount-ro", "/")  # after all mounts


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Runs each program in its own namespaces: another user, no network, no other processes, few files.

    It cannot create namespaces, can write only to the folders of `places`, and sees nothing of the machine but the
    system's own programs.
    """

    state: Path
    places: Places
    name: str = "bwrap"
    user: str = _USER
    guest: str = _INSIDE_GUEST
    confines: bool = True
    _fixed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        arguments = self.given / "arguments"
        self.given.mkdir(parents=True, exist_ok=True)
        arguments.write_bytes(b"".join(os.fsencode(word) + b"\0" for word in self._arguments()))
        bwrap = program_path("bwrap", "bubblewrap")
        self._fixed.extend((program_path("sh", "dash"), "-c", _START, "sh", bwrap, str(arguments)))

    @property
    def given(self) -> Path:
        """The folder of read-only files for programs."""
        return self.state / "given"

    def wrap(self, argv: Sequence[str], folder: str = ".", binds: Sequence[Place] = ()) -> list[str]:
        """Return the bubblewrap command."""
        bound = [part for place in binds for part in ("--bind", str(place.host), place.inside)]
        start = str(Path(self.places.home.inside, folder))
        return [*self._fixed, *bound, *_SEALED, "--chdir", start, "--", *argv]

    def own(self, path: Path) -> None:
        """Do nothing: the supervisor's user is mapped to the programs' user."""

    def empty(self) -> None:
        """Replace the folders, so that neither contents nor attributes remain."""
        self.places.space.mkdir(exist_ok=True)
        home.empty(self.places.space)
        for place, mode in ((self.places.home, 0o755), (self.places.tmp, 0o1777), (self.places.shm, 0o1777)):
            place.host.mkdir()
            place.host.chmod(mode)
        self.places.runtime.host.mkdir(mode=0o700)

    def _arguments(self) -> list[str]:
        """Return the arguments common to all programs."""
        _require_bubblewrap()
        shared = [part for name in _SHARED for part in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")]
        kept = [part for name in _KEPT for part in ("--ro-bind-try", name, name)]
        made = [part for place in self._made() for part in ("--ro-bind", str(place.host), place.inside)]
        extra = ("--ro-bind-try", str(applications()), APPLICATIONS)
        ours = (self.places.tmp, self.places.home, self.places.runtime, self.places.shm)
        own = [part for place in ours for part in ("--bind", str(place.host), place.inside)]
        sockets = self.places.sockets
        sockets.host.mkdir(exist_ok=True)
        own += ["--ro-bind", str(sockets.host), sockets.inside]
        return [
            *("--unshare-user", "--disable-userns", "--uid", str(UID), "--gid", str(UID)),
            *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *("--hostname", "desktop", "--cap-drop", "ALL", "--die-with-parent", "--new-session"),
            *("--ro-bind", "/usr", "/usr", *roots(), *self._hidden(), "--proc", "/proc", "--dev", "/dev"),
            *shared, *kept, *extra, *made, *own,
        ]  # fmt: skip

    def _hidden(self) -> Iterator[str]:
        empty = self.given / "empty"
        empty.mkdir(exist_ok=True)
        for path in foreign(Path("/usr")):
            yield from ("--ro-bind", str(empty), str(path))

    def _made(self) -> list[Place]:
        """Create the files that replace the machine's own."""
        folder = self.given / "etc"
        folder.mkdir(exist_ok=True)
        contents = {
            "passwd": f"{_USER}:x:{UID}:{UID}:User:/home/user:/bin/bash\n",
            "group": f"{_USER}:x:{UID}:\n",
            "hosts": "127.0.0.1 localhost desktop\n",
            "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
            "machine-id": "0" * 31 + "1\n",
        }
        for name, text in contents.items():
            (folder / name).write_text(text)
        files = [Place(folder / name, f"/etc/{name}") for name in contents]
        programs = _copied(_PROGRAMS, self.given / "guest")
        return [
            *files, Place(programs, self.guest), Place(tools.make_tools(self.given), tools.INSIDE)
        ]  # fmt: skip


def _copied(names: Sequence[str], target: Path) -> Path:
    """Copy scripts of this package, so that the rest and its location stay hidden."""
    shutil.rmtree(target, ignore_errors=True)
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (GUEST / name).is_dir():
            shutil.copytree(GUEST / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(GUEST / name, target / name)
    return target


def foreign(system: Path) -> list[Path]:
    """Return the folders of /usr that are not part of the system, without nested ones."""
    found = {system / name for name in _FOREIGN}
    packages = [*system.glob("lib/python3*/*-packages"), *system.glob("lib/pypy3*/*-packages")]
    found |= {path for folder in packages for path in folder.glob(f"{_JUDGE}*")}
    spec = find_spec(_JUDGE)
    ours = [GUEST.parent, *map(Path, (spec and spec.submodule_search_locations) or ())]
    if (checkout := GUEST.parents[2]).joinpath("pyproject.toml").is_file():
        ours.append(checkout)
    if Path(sys.prefix) != system:  # a virtual environment
        ours += [Path(sys.prefix), Path(get_paths()["purelib"])]
    found |= {path.resolve() for path in ours} - {system, *packages}
    below = [path for path in found if system in path.parents and path.is_dir()]
    return sorted(path for path in below if not any(other in path.parents for other in below))


def _require_bubblewrap() -> None:
    """Check that bubblewrap is installed and new enough.

    Raises:
        BadRequest: It is not.
    """
    done = subprocess.run([program_path("bwrap", "bubblewrap"), "--version"], capture_output=True, text=True)  # noqa: S603
    version = re.search(r"bubblewrap (\d+)\.(\d+)", done.stdout)
    if version and (int(version[1]), int(version[2])) < _OLDEST:
        raise BadRequest(
            f"{version[0]} cannot keep programs from making namespaces; install {'.'.join(map(str, _OLDEST))} or "
            "later, or play in a container: --cua-world desktop=docker"
        )


def roots() -> list[str]:
    """Return the arguments that make /bin, /lib etc. links to /usr, as on a merged system."""
    found: list[str] = []
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(name):
            found += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            found += ["--ro-bind", name, name]
    return found
