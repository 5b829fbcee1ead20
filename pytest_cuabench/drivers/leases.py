"""Who owns which machine and temporary folder of this host, so that nothing outlives its owner unnoticed.

A lease is a file that says what was started (a container, a VM, processes, folders) and by which process; its time of
change is the owner's heartbeat. When an owner is gone, however it ended, the next worker that starts a machine or the
next session ends what it left. What carries no lease of ours is never touched.

    <temporary folder>/cuabench-<uid>/<id>.json     one lease
    <temporary folder>/cuabench-<uid>/<id>.lock     held by the process that is about to end what it names
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil

from pytest_cuabench.errors import EnvironmentFailure

BEAT = 5.0  # seconds between two heartbeats
FOLDER = "folder"  # the kind of lease of a temporary folder (`scratch.py`); the others are drivers
SILENCE = 60.0  # seconds without one after which an owner that cannot be seen from here counts as dead
_ENDING = 5.0  # seconds in which a folder that is still written to is removed
_AGAIN = 0.05  # seconds until it is tried again


@dataclass(frozen=True, slots=True)
class Owner:
    """A process, by what no later process of the same number shares.

    Attributes:
        born: See `born`.
    """

    pid: int
    born: float
    namespace: str

    @classmethod
    def me(cls) -> Owner:
        """Return this process."""
        return cls(os.getpid(), born(psutil.Process()), _namespace())

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Owner:
        """Create an owner from plain data; one that an older version wrote is taken for dead.

        Raises:
            KeyError: A name is missing.
        """
        return cls(data["pid"], data.get("born", 0.0), data["namespace"])

    def lives(self) -> bool | None:
        """Return whether the process still runs; None where it cannot be seen from here, as from a container."""
        if self.namespace != _namespace():
            return None
        try:
            process = psutil.Process(self.pid)
            # A zombie has ended; its parent has not asked for its code yet.
            return born(process) == self.born and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False


def born(process: psutil.Process) -> float:
    """Return when a process started, in seconds since the boot; `create_time` changes when the clock is set.

    Raises:
        psutil.NoSuchProcess: It ended.
    """
    try:
        stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:  # it ended, or this is not Linux
        return process.create_time()
    # After the program's name in parentheses, which may hold any character.
    return int(stat.rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Lease:
    """One machine and its owner.

    Attributes:
        kind: Which driver started it; it knows how to end it. Or `FOLDER`.
        resource: What to find it by.
    """

    id: str
    kind: str
    owner: Owner
    resource: Mapping[str, str] = field(default_factory=dict)


class Leases:
    """The leases of one host and user; every method may be called by several processes at once."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(tempfile.gettempdir()) / f"cuabench-{os.getuid()}"
        self._held: dict[str, Lease] = {}
        self._beating: threading.Thread | None = None
        self._stopped = threading.Event()

    def take(self, kind: str, resource: Mapping[str, str]) -> Lease:
        """Note that this process owns a machine; do so before the machine is started.

        Raises:
            EnvironmentFailure: The folder of leases is not this user's own.
        """
        lease = Lease(secrets.token_hex(6), kind, Owner.me(), dict(resource))
        self._write(lease)
        return lease

    def update(self, lease: Lease, resource: Mapping[str, str]) -> Lease:
        """Note what else to find the machine by."""
        told = replace(lease, resource={**lease.resource, **resource})
        self._write(told)
        return told

    def update_process(self, lease: Lease, pid: int) -> Lease:
        """Note which process the machine is; one that has ended already is not noted."""
        try:
            since = born(psutil.Process(pid))
        except psutil.NoSuchProcess:
            return lease
        return self.update(lease, {"pid": str(pid), "born": repr(since)})

    def release(self, lease: Lease) -> None:
        """Note that the machine is gone."""
        self._held.pop(lease.id, None)
        self._file(lease.id).unlink(missing_ok=True)
        if not self._held:
            self._stopped.set()

    def left_behind(self) -> Iterator[Lease]:
        """Yield the leases of dead owners; each is ours alone while the caller looks at it."""
        for file in sorted(self.folder.glob("*.json")) if self._ours() else ():
            with _alone(file.with_suffix(".lock")) as alone:
                lease = _read(file) if alone else None
                if lease and self._abandoned(lease, file):
                    yield lease

    def reap(self) -> list[str]:
        """End what dead owners left; return one sentence for each thing that could not be ended."""
        problems = []
        for lease in self.left_behind():
            try:
                _reaper(lease.kind)(lease.resource)
            except Exception as error:
                problems.append(f"what a killed session left could not be ended ({lease.kind}): {error}")
            else:
                self._file(lease.id).unlink(missing_ok=True)
        return problems

    async def close(self) -> None:
        """Stop the heartbeat; what is still held is for the next session to end."""
        self._stopped.set()
        if self._beating is not None:
            self._beating.join()
        self._beating = None

    def _abandoned(self, lease: Lease, file: Path) -> bool:
        if lease.id in self._held:
            return False
        lives = lease.owner.lives()
        if lives is None:
            with suppress(FileNotFoundError):
                return time.time() - file.stat().st_mtime > SILENCE
            return False
        return not lives

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _write(self, lease: Lease) -> None:
        self.own_folder()
        file = self._file(lease.id)
        draft = file.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(lease)), encoding="utf-8")
        # Renamed, as other processes read leases at any moment.
        draft.replace(file)
        self._held[lease.id] = lease
        self._beat()

    def own_folder(self) -> Path:
        """Return the folder, made where it is missing.

        Raises:
            EnvironmentFailure: It is not this user's own.
        """
        with suppress(FileExistsError):
            self.folder.mkdir(mode=0o700)
        if not self._ours():
            raise EnvironmentFailure(f"{self.folder} is not a folder of yours alone; remove it and try again")
        return self.folder

    def _ours(self) -> bool:
        """Whether nobody else can write to the folder: what stands in it is going to be ended."""
        with suppress(FileNotFoundError):
            found = self.folder.lstat()
            return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
        return False

    def _beat(self) -> None:
        if self._beating is None or self._stopped.is_set():
            self._stopped = threading.Event()  # a thread that was told to stop may still run
            beats = threading.Thread(
                target=self._beats, args=(self._stopped,), name="cuabench-leases", daemon=True
            )
            self._beating = beats
            beats.start()

    def _beats(self, stopped: threading.Event) -> None:
        while not stopped.wait(BEAT):
            # A copy: this is a thread of its own, and leases come and go meanwhile.
            for name in list(self._held):
                with suppress(FileNotFoundError):
                    os.utime(self._file(name))


def _read(file: Path) -> Lease | None:
    """Return a lease; None where the file is gone by now, or is none of ours."""
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return Lease(**{**data, "owner": Owner(**data["owner"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


@contextmanager
def _alone(file: Path) -> Iterator[bool]:
    """Hold a lock for as long as the block runs; False where another process holds it."""
    from filelock import FileLock, Timeout

    lock = FileLock(file)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        yield False
        return
    try:
        yield True
    finally:
        # While it is locked: afterwards it could be the lock of another process.
        file.unlink(missing_ok=True)
        lock.release()


def _reaper(kind: str) -> Callable[[Mapping[str, str]], None]:
    if kind == FOLDER:
        return _remove_folder
    from pytest_cuabench.drivers.registry import installed_driver

    return installed_driver(kind).reap


def _remove_folder(resource: Mapping[str, str]) -> None:
    """Remove a temporary folder; the browser that uses it may just be ending."""
    folder = Path(resource["folder"])
    if not folder.name.startswith("cua") or folder.is_symlink():
        raise ValueError(f"{folder} is not a temporary folder of this plugin")
    end = time.monotonic() + _ENDING
    while folder.exists() and time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(_AGAIN if folder.exists() else 0)
    if folder.exists():
        shutil.rmtree(folder)


def _namespace() -> str:
    """Return which processes can be seen from here: the boot, and the space of process numbers."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    return "unknown"
