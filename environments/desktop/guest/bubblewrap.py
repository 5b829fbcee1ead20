"""Confinement on the local machine: namespaces created by bubblewrap."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sysconfig import get_paths

from guest import home, libraries, proc, safe_files, seccomp, tools, users
from guest.control_group import MOST_TASKS
from guest.errors import BadRequest
from guest.places import APPLICATIONS, GUEST, UID, Place, Places, applications, program_path

_INSIDE_GUEST = "/opt/guest"
_PROGRAMS = (
    "browser_window.py",
    "grass/inside",
    "openbox.xml",
    "own-bus.conf",
    "probe_window.py",
    "pymol/inside",
    "sealed/inside",
    "services",
    "session-bus.conf",
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
# Arguments with host paths are passed by a file, since programs can read command lines in /proc.
# Pipes become the programs' user's, who could not open /dev/stdin and the like otherwise.
_START = (
    "bwrap=$1 file=$2 filter=$3 user=$4 own=; shift 4; for n in ${user:+0 1 2}; do "
    'if [ -p /dev/fd/$n ]; then own="$own /dev/fd/$n"; fi; done; [ -z "$own" ] || /bin/chown "$user" $own; '
    f'[ -z "$user" ] || ulimit -u {MOST_TASKS} 2>/dev/null || ulimit -p {MOST_TASKS}; ulimit -c 0; '
    'exec "$bwrap" --args 3 --seccomp 4 "$@" 3<"$file" 4<"$filter"'
)
_SEALED = ("--remount-ro", "/dev", "--remount-ro", "/")  # after all mounts


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Runs each program in its own namespaces: another user, no network, no other processes, few files.

    It cannot create namespaces, can write only to the folders of `places`, and sees nothing of the machine but the
    system's own programs. With a supervisor of root, all programs of the desktop run as a user that no other has
    (`users.py`); otherwise a user namespace hides that they run as the supervisor's.
    """

    state: Path
    places: Places
    name: str = "bwrap"
    user: str = _USER
    guest: str = _INSIDE_GUEST
    confines: bool = True
    own_user: users.User | None = None
    _fixed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        arguments, filtered = self.given / "arguments", self.given / "filter"
        self.given.mkdir(parents=True, exist_ok=True)
        arguments.write_bytes(b"".join(os.fsencode(word) + b"\0" for word in self._arguments()))
        filtered.write_bytes(seccomp.program())
        start = program_path("sh", "dash"), "-c", _START, "sh", program_path("bwrap", "bubblewrap")
        user = str(self.uid) if self.own_user else ""
        self._fixed.extend((*start, str(arguments), str(filtered), user))

    @property
    def uid(self) -> int:
        """The number of the programs' user."""
        return self.own_user.number if self.own_user else UID

    @property
    def given(self) -> Path:
        """The folder of read-only files for programs."""
        return self.state / "given"

    def wrap(
        self,
        argv: Sequence[str],
        folder: str = ".",
        binds: Sequence[Place] = (),
        own_processes: bool = True,
    ) -> list[str]:
        """Return the bubblewrap command."""
        bound = [
            part
            for place in binds
            for part in ("--bind" if place.writable else "--ro-bind", str(place.host), place.inside)
        ]
        start = str(Path(self.places.home.inside, folder))
        # Only in its namespace are an ordinary user's other programs not counted.
        first = users.become(self.uid) if self.own_user else ("prlimit", f"--nproc={MOST_TASKS}")
        apart = ("--unshare-pid",) if own_processes else ()
        return [*self._fixed, *apart, *bound, *_SEALED, "--", *first, "env", "--chdir", start, *argv]

    def own(self, path: Path) -> None:
        """Change the owner, without following links; without root the supervisor's user is the programs'."""
        if self.own_user:
            safe_files.own(path, self.uid)

    def empty(self) -> None:
        """Replace the folders, so that neither contents nor attributes remain."""
        self.places.space.mkdir(exist_ok=True)
        home.empty(self.places.space)
        for place, mode in ((self.places.home, 0o755), (self.places.tmp, 0o1777), (self.places.shm, 0o1777)):
            place.host.mkdir()
            place.host.chmod(mode)
        self.places.runtime.host.mkdir(mode=0o700)
        self.own(self.places.space)

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
        mapped = ("--unshare-user", "--disable-userns", "--uid", str(UID), "--gid", str(UID))
        become = [part for each in ("UID", "GID", "PCAP") for part in ("--cap-add", f"CAP_SET{each}")]
        return [
            *(() if self.own_user else mapped),
            *("--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *("--hostname", "desktop", "--cap-drop", "ALL", "--die-with-parent", "--new-session"),
            *(become if self.own_user else ()),
            *("--ro-bind", "/usr", "/usr", *roots(), *self._hidden(), "--proc", "/proc", *self._hidden_proc()),
            *("--dev", "/dev"),
            *_open_folders([*shared, *kept, *extra, *made, *own]), *shared, *kept, *extra, *made, *own,
        ]  # fmt: skip

    def _hidden(self) -> Iterator[str]:
        empty = self.given / "empty"
        empty.mkdir(exist_ok=True)
        for path in foreign(Path("/usr")):
            yield from ("--ro-bind", str(empty), str(path))

    def _hidden_proc(self) -> Iterator[str]:
        nothing = self.given / "nothing"
        nothing.touch()
        for path in proc.secret():
            yield from ("--ro-bind", str(self.given / "empty" if path.is_dir() else nothing), str(path))

    def _made(self) -> list[Place]:
        """Create the files that replace the machine's own."""
        folder = self.given / "etc"
        folder.mkdir(exist_ok=True)
        contents = {
            "passwd": f"root:x:0:0::/:/bin/false\n{_USER}:x:{self.uid}:{self.uid}:User:/home/user:/bin/bash\n",
            "group": f"{_USER}:x:{self.uid}:\n",
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
    packages = system.glob("lib/py*3*/*-packages")
    ours = [GUEST.parent, *libraries.secret(system)]
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


def _open_folders(binds: Sequence[str]) -> Iterator[str]:
    """Yield the arguments that make the folders above what is bound, which others than root are to enter."""
    above = {str(path) for inside in binds[2::3] for path in Path(inside).parents[:-1]}
    for path in sorted(above - {"/tmp", "/dev"}):  # noqa: S108 - made by themselves
        yield from ("--perms", "0755", "--dir", path)


def roots() -> list[str]:
    """Return the arguments that make /bin, /lib etc. links to /usr, as on a merged system."""
    found: list[str] = []
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(name):
            found += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            found += ["--ro-bind", name, name]
    return found
