"""The box of a program: bubblewrap, another user, the files that are named and no others, no network.

Where the session runs as root, each box gets a user of its own; otherwise a user namespace. A filter denies system
calls that no program needs. It cannot see the session's processes, files or ports. Its only way out is the door's Unix
socket.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from pytest_cuabench.agents.program.sandbox.files import secret_folders
from pytest_cuabench.drivers.confining import libraries, proc, seccomp, users
from pytest_cuabench.errors import Missing, ProviderFailure

PORT = 8000  # of the box's own loopback
HOME = "/home/agent"
FILES = "/opt/agent"
DOORS = "/run/cuabench"
DOOR = "door.sock"  # the socket that every episode has
_USERS = "passwd"  # in the door's folder: programs such as ssh want to know their user's home
_NOTHING = "nothing"  # there, too: an empty file in the place of secret ones
_OURS = "/opt/cuabench"
INSIDE = f"{_OURS}/inside.py"
_PYTHON = "/opt/python"
_PACKAGE = "pytest_cuabench"
_HERE = Path(__file__).parent
_JUDGE = _HERE.parents[2].resolve()  # this package
_CLIENT = _JUDGE / "serving" / "client.py"
_SHARED = (  # of /etc, without information on the machine or its users
    "alternatives", "ca-certificates.conf", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime",
    "mime.types", "python3", "ssl/certs", "ssl/openssl.cnf",
)  # fmt: skip
_OF_NETWORK = ("hosts", "nsswitch.conf", "resolv.conf", "gai.conf", "services")
_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
_MAPPED = 60_000  # the user that a program without a user of its own sees itself as
_COPIED = 1_000_000  # bytes of a file that each box gets a copy of
_TAIL = 4000  # characters of the program's output that are kept


@dataclass(frozen=True, slots=True)
class Plan:
    """What runs in a box.

    Attributes:
        files: Files and folders, mounted read-only in /opt/agent by their last name.
        write: Texts by file name, written to the program's home.
        network: Whether the program shares this computer's network.
        processes: Maximum number of processes and threads.
        memory: Maximum megabytes of data of one process; None for no limit.
        disk: Megabytes of each of its two writable folders, which are in memory.
        doors: Ports of the box's loopback, by the socket in the door's folder that each leads to.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    files: Sequence[Path] = ()
    write: Mapping[str, str] = field(default_factory=dict)
    network: bool = False
    processes: int = 1000
    memory: int | None = None
    disk: int = 512
    doors: Mapping[str, int] = field(default_factory=lambda: {DOOR: PORT})


def check() -> None:
    """Check that a box can be made.

    Raises:
        Missing: A program is not installed.
    """
    for name, package in (("bwrap", "bubblewrap"), ("setpriv", "util-linux"), ("env", "coreutils")):
        if shutil.which(name) is None:
            raise Missing(
                f"a program as the agent runs in a box and needs {name}; type: apt install {package}"
            )


def has_program(name: str, files: Sequence[Path]) -> bool:
    """Whether a command without a path is found in the box."""
    base = _base()
    folders = [*(() if base is None else (f"{base}/bin",)), *_PATH]
    given = {path.name for path in files}
    return "/" in name or name in given or shutil.which(name, path=":".join(folders)) is not None


class Box:
    """A running program.

    Attributes:
        exited: Done when the program has ended; its result is the exit code.
    """

    exited: asyncio.Task[int]

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        hidden: Sequence[str],
        remove: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._process = process
        self._remove = remove
        self._hidden = hidden
        self._output: deque[bytes] = deque(maxlen=8)
        self._reading = asyncio.create_task(self._read())
        self.exited = asyncio.create_task(self._wait())

    @classmethod
    async def started(cls, plan: Plan, door: Path, user: int, hidden: Sequence[str] = ()) -> Box:
        """Start the program.

        Args:
            door: The folder on this computer that holds the sockets of `plan.doors`.
            user: The program's, as `own_user` gives it.
            hidden: Texts that are removed from the program's output.

        Raises:
            ProviderFailure: The box cannot be made.
        """
        (door / _USERS).write_text(f"agent:x:{user}:{user}::{HOME}:/bin/sh\n", encoding="ascii")
        (door / _NOTHING).touch()
        words = arguments(plan, door)  # programs can read a command line, not this
        with _passed(b"".join(os.fsencode(word) + b"\0" for word in words)) as mounts:
            command = ("bwrap", "--args", str(mounts), "--", *_entry(user))
            return await cls.launched(command, orders(plan), hidden, pass_fds=(mounts,))

    @classmethod
    async def launched(
        cls,
        command: Sequence[str],
        orders: Mapping[str, Any],
        hidden: Sequence[str],
        remove: Callable[[], Awaitable[None]] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> Box:
        """Run a command that makes a box and runs `inside.py` in it with these orders.

        Args:
            remove: Removes a box that does not end with the command.

        Raises:
            ProviderFailure: The command cannot be run.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                cwd="/",
                # Nothing else of the environment, which may hold keys.
                env={
                    name: os.environ[name]
                    for name in ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONFIG")
                    if name in os.environ
                },
                start_new_session=True,  # so that `stop` can kill the whole group
                pass_fds=pass_fds,
            )
        except OSError as error:
            raise ProviderFailure(f"cannot start the program's box: {error}") from error
        assert process.stdin is not None
        with suppress(ConnectionError):  # the output says why
            process.stdin.write(json.dumps(orders).encode())
            await process.stdin.drain()
            process.stdin.close()
        return cls(process, hidden, remove)

    def tail(self) -> str:
        """Return the end of the program's output, without secrets."""
        text = b"".join(self._output)[-_TAIL:].decode(errors="replace").strip()
        for secret in self._hidden:
            text = text.replace(secret, "***")
        return text

    async def stop(self, grace: float) -> None:
        """Let the program end by itself for some seconds, then kill it with all processes that it started."""
        await asyncio.wait({self.exited}, timeout=grace)
        if self._remove is not None:
            await self._remove()
        elif not self.exited.done():
            with suppress(psutil.Error):
                for first in psutil.Process(self._process.pid).children():
                    first.kill()  # the namespace's first process, with which all others end; bubblewrap reaps it
            await asyncio.wait({self.exited}, timeout=2)
        if not self.exited.done():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await asyncio.wait({self.exited}, timeout=2)
        self._reading.cancel()

    async def _wait(self) -> int:
        code = await self._process.wait()
        await asyncio.wait({self._reading}, timeout=1)  # a process that stays may hold the pipe open
        return code

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while data := await self._process.stdout.read(4096):
            self._output.append(data)


def arguments(plan: Plan, door: Path) -> list[str]:
    """Return bubblewrap's arguments."""
    size = str(plan.disk * 1_000_000)
    root = os.geteuid() == 0
    words = [
        # IPC: boxes could else meet in shared memory and message queues of System V.
        *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
        *(() if plan.network else ("--unshare-net",)),
        *(() if root else ("--unshare-user", "--disable-userns", "--uid", str(_MAPPED), "--gid", str(_MAPPED))),
        # A new session: with this one's terminal the program could type into it.
        *("--hostname", "box", "--die-with-parent", "--new-session", "--clearenv"),
        *(part for name in ("etc", "etc/ssl", "opt") for part in ("--perms", "0755", "--dir", f"/{name}")),
        *("--ro-bind", "/usr", "/usr"),
        *_roots(), *_python(), *_masks(),
        *(part for name in _shared(plan) for part in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")),
        *("--proc", "/proc", *_hidden_proc(door), "--dev", "/dev"),
        *("--size", size, "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108 - the box's own
        *("--perms", "0755", "--dir", "/home", "--size", size, "--perms", "0777", "--tmpfs", HOME),
        *("--perms", "0755", "--dir", "/run", "--perms", "0755", "--dir", DOORS),
        # A socket can be connected to where it cannot be written to; without root its owner is the program, too.
        *(part for name in plan.doors for part in ("--ro-bind", str(door / name), f"{DOORS}/{name}")),
        *("--ro-bind", str(door / _USERS), "/etc/passwd"),
        *("--perms", "0755", "--dir", _OURS, "--perms", "0755", "--dir", f"{_OURS}/{_PACKAGE}"),
        *("--perms", "0755", "--dir", FILES),
        *(part for path, inside in shown(plan, door) for part in ("--ro-bind", str(path), inside)),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--cap-drop", "ALL"),
    ]  # fmt: skip
    if root:
        words += [part for each in ("UID", "GID", "PCAP") for part in ("--cap-add", f"CAP_SET{each}")]
    return words


def _entry(user: int) -> list[str]:
    """Return the command that is run in the box: `inside.py` as the box's user."""
    become = users.become(user) if os.geteuid() == 0 else ()
    return [*become, "env", f"--chdir={HOME}", *_interpreter(), "-I", INSIDE]


@contextmanager
def own_user(image: str | None = None) -> Iterator[int]:
    """Hold the number of a user that no other box of this computer has; without root a user namespace maps one.

    Raises:
        ProviderFailure: None is free.
    """
    if os.geteuid() != 0 and image is None:
        yield _MAPPED
        return
    try:
        user = users.take()
    except OSError as error:
        raise ProviderFailure(f"cannot start the program's box: {error}") from error
    try:
        yield user.number
    finally:
        user.release()


@contextmanager
def _passed(content: bytes) -> Iterator[int]:
    """Open a file in memory that a program inherits."""
    number = os.memfd_create("box")
    try:
        os.write(number, content)
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)


def shown(plan: Plan, door: Path) -> Iterator[tuple[Path, str]]:
    """Yield what a box shows read-only, and where; files are copies of its own, whose locks and paths tell nothing."""
    yield _copied(_CLIENT, door), f"{_OURS}/{_PACKAGE}/client.py"
    yield _copied(_HERE / "inside.py", door), INSIDE
    yield _copied(_HERE / "stdio.py", door), f"{_OURS}/stdio.py"
    yield _copied(Path(seccomp.__file__ or ""), door), f"{_OURS}/seccomp.py"
    yield from ((_copied(path, door), f"{FILES}/{path.name}") for path in plan.files)


def _copied(path: Path, door: Path) -> Path:
    if not path.is_file() or path.stat().st_size > _COPIED:
        return path
    folder = Path(tempfile.mkdtemp(prefix="shown-", dir=door))
    return Path(shutil.copy(path, folder / path.name))


def _hidden_proc(door: Path) -> Iterator[str]:
    for path in proc.secret():
        yield from ("--tmpfs", str(path)) if path.is_dir() else ("--ro-bind", str(door / _NOTHING), str(path))


def orders(plan: Plan) -> dict[str, Any]:
    """Return what `inside.py` reads from its standard input."""
    limits = {"RLIMIT_NPROC": plan.processes, "RLIMIT_CORE": 0}
    if plan.memory:
        limits["RLIMIT_DATA"] = plan.memory * 1_000_000
    path = ":".join((FILES, f"{_PYTHON}/bin", *_PATH))
    given = {"HOME": HOME, "PATH": path, "PYTHONPATH": _OURS, "LANG": "C.UTF-8", "TMPDIR": "/tmp"}  # noqa: S108
    if (base := _base()) and any(base.glob("lib/libpython*.so*")):
        given["LD_LIBRARY_PATH"] = (
            f"{_PYTHON}/lib"  # this Python finds its own library by a path of this computer
        )
    return {
        "command": list(plan.command),
        "environment": {**given, **plan.environment},
        "write": dict(plan.write),
        "limits": limits,
        "alone": plan.network,  # without a network of its own it must be kept from abstract sockets
        "doors": {f"{DOORS}/{name}": port for name, port in plan.doors.items()},
    }


def _shared(plan: Plan) -> tuple[str, ...]:
    return (*_SHARED, *_OF_NETWORK) if plan.network else _SHARED


def _roots() -> Iterator[str]:
    for name in ("bin", "lib", "lib32", "lib64", "sbin"):
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))


def _base() -> Path | None:
    """Return the folder of this session's Python, where it is not the system's."""
    base = Path(sys.base_prefix).resolve()
    return None if base == Path("/usr") else base


def _python() -> tuple[str, ...]:
    return ("--ro-bind", str(base), _PYTHON) if (base := _base()) else ()


def _interpreter() -> tuple[str, ...]:
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return (f"{_PYTHON}/bin/{name}",) if _base() else (f"/usr/bin/{name}",)


def _masks() -> Iterator[str]:
    """Hide this package, suites, checkouts and the session's folder where they lie within what is mounted."""
    mounted = {Path("/usr"): "/usr", **({base: _PYTHON} if (base := _base()) else {})}
    for root, inside in mounted.items():
        found = {path for path in {*libraries.secret(root), *secret_folders()} if root in path.parents}
        for path in sorted(found):
            if not any(other in path.parents for other in found):
                yield from ("--perms", "0755", "--tmpfs", str(Path(inside, path.relative_to(root))))
