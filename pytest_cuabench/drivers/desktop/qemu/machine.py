"""A desktop in a virtual machine with a disk overlay and snapshots.

The image itself is never written to. The guest is reached through one forwarded loopback port, with a token that only
root can read inside; the machine has no network. It ends with this process in any case, by the parent-death signal, and
a lease lets the next session clean up.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from pytest_cuabench.drivers.desktop.images import MachineSpec, machine_spec
from pytest_cuabench.drivers.desktop.machine import Address, OwnMachine
from pytest_cuabench.drivers.desktop.qemu.accelerator import kvm_works
from pytest_cuabench.drivers.desktop.qemu.arguments import (
    MONITOR,
    VNC,
    arguments,
    changing_nodes,
    write_files,
)
from pytest_cuabench.drivers.leases import Lease, Leases, born
from pytest_cuabench.drivers.output import Output
from pytest_cuabench.errors import EnvironmentFailure, Missing, needing
from pytest_cuabench.task.action import Size

if TYPE_CHECKING:
    from pytest_cuabench.drivers.desktop.qemu.monitor import Monitor

PROGRAM = "qemu-system-x86_64"
_PREFIX = "cua-qemu-"
_MOST_KEPT = 12  # snapshots, each of a few hundred MiB
_MONITOR_SECONDS = 30.0
_POLL = 0.02
_MIB = 2**20
_OF_FREE = 0.75  # of the disk space that is free at a machine's start
_KERNEL = re.compile(r"\[ *\d+\.\d+\]")  # the prefix of kernel messages


class Qemu(OwnMachine):
    """One virtual machine of this process."""

    kind = "qemu"

    def __init__(self, screen: Size, leases: Leases, detail: str | None = None) -> None:
        self._screen, self._leases = screen, leases
        self._spec = machine_spec(detail)
        self.boot = self._spec.boot
        self.accelerator: str | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._monitor: Monitor | None = None
        self._folder: Path | None = None
        self._lease: Lease | None = None
        self._console, self._errors = Output(), Output()
        self._full = False
        self._kept: list[str] = []  # names of snapshots: the first one taken, then by least recent use

    async def alive(self) -> bool:
        """See `Machine.alive`; a machine that could not write to its disk stands still, and counts as ended."""
        if self._process is None or self._process.returncode is not None:
            return False
        if self._monitor is None:
            return True
        self._full = await self._monitor.cannot_write()
        return self._monitor.connected and not self._full

    async def last_output(self) -> str:
        """See `Machine.last_output`."""
        if self._full:
            return f"it wrote more to its disk than it may: {self._spec.space} MiB, or most of what was free"
        lines = await self._console.lines()
        told = [
            line for line in lines if not _KERNEL.match(line)
        ] or lines  # prefer the error before the panic
        return await self._errors.last_line() or (told or [""])[-1]

    async def keep(self, name: str) -> None:
        """See `Snapshots.keep`; beyond `_MOST_KEPT` the least recently used is deleted, never the first."""
        monitor = self._connected_guest()
        # QEMU refuses a second snapshot of one name.
        if name in self._kept:
            self._kept.remove(name)
            await monitor.delete(name)
        await monitor.save(name)
        self._kept.append(name)
        if len(self._kept) > _MOST_KEPT:
            await monitor.delete(self._kept.pop(1))

    async def restore(self, name: str) -> bool:
        """See `Snapshots.restore`."""
        if name not in self._kept:
            return False
        await self._connected_guest().load(name)
        if name != self._kept[0]:
            self._kept.append(self._kept.pop(self._kept.index(name)))
        return True

    async def close(self) -> None:
        """See `Machine.close`."""
        if self._monitor is not None:
            await self._monitor.quit()
        if self._process is not None:
            await _end(self._process)
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
        if self._lease is not None:
            self._leases.release(self._lease)
        self._process = self._monitor = self._folder = self._lease = self._address = None
        self._kept, self._full = [], False

    @property
    def pid(self) -> int | None:
        """QEMU's process id while it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def vnc(self) -> Path | None:
        """The Unix socket for VNC viewers, while the machine runs."""
        return self._folder / VNC if self._folder is not None else None

    async def _start(self) -> Address:
        _require()
        # Short and private: socket paths are limited to about 100 characters.
        self._folder = folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lease = self._leases.take(self.kind, {"folder": str(folder)})
        token = secrets.token_urlsafe(24) if self._spec.code else None
        await asyncio.to_thread(write_files, folder, self._spec, token, self._screen)
        self.accelerator = await self._accelerator()
        self._process = await self._spawn(folder, self.accelerator)
        self._lease = self._leases.update_process(self._lease, self._process.pid)
        self._monitor = await self._connected(folder)
        port = await self._monitor.forwarded()
        return Address(f"http://127.0.0.1:{port}", token=token, keeps=False)

    async def _accelerator(self) -> str:
        if self._spec.accelerator != "auto":
            return self._spec.accelerator
        return "kvm" if await kvm_works(PROGRAM, self._spec) else "tcg"

    async def _spawn(self, folder: Path, accelerator: str) -> asyncio.subprocess.Process:
        # The kernel kills the machine when the thread that started it ends.
        bound = (
            ("setpriv", "--pdeathsig=KILL", *_limits(self._spec, folder)) if shutil.which("setpriv") else ()
        )
        self._console, self._errors = Output(), Output()
        with self._console.pipe() as console, self._errors.pipe() as errors:
            return await asyncio.create_subprocess_exec(
                *(*bound, PROGRAM, *arguments(self._spec, folder, accelerator, self._screen)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=console,
                stderr=errors,
                start_new_session=True,  # Ctrl-C is for pytest
            )

    async def _connected(self, folder: Path) -> Monitor:
        from pytest_cuabench.drivers.desktop.qemu.monitor import Monitor

        clock = asyncio.get_running_loop().time
        until = clock() + _MONITOR_SECONDS
        while await self.alive() and clock() < until:
            with suppress(OSError):
                return await Monitor.connect(folder / MONITOR, changing_nodes(folder))
            await asyncio.sleep(_POLL)
        said = await self.last_output() or "it printed nothing"
        raise EnvironmentFailure(f"the virtual machine did not start: {said}")

    def _connected_guest(self) -> Monitor:
        if self._monitor is None:
            raise EnvironmentFailure("no virtual machine runs")
        return self._monitor


def reap(resource: Mapping[str, str]) -> None:
    """Kill the machine and remove the folder of a dead worker's lease."""
    with suppress(psutil.NoSuchProcess, KeyError):
        machine = psutil.Process(int(resource["pid"]))
        # Else the number is another process's by now.
        if born(machine) == float(resource["born"]):
            machine.kill()
            machine.wait(5)
    folder = Path(resource["folder"])
    if folder.name.startswith(_PREFIX) and folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)


def _limits(spec: MachineSpec, folder: Path) -> tuple[str, ...]:
    """Return what bounds the disk space of a machine: more cannot be written."""
    # The limit is for each file; the disk's overlay holds the snapshots as well.
    most = min(spec.space * _MIB, int(shutil.disk_usage(folder).free * _OF_FREE))
    return ("prlimit", f"--fsize={most}", "--core=0")


def _require() -> None:
    """Check that the programs and the package are installed.

    Raises:
        Missing: They are not; the message has the command to type.
    """
    programs = {PROGRAM: "qemu-system-x86", "qemu-img": "qemu-utils"}
    if absent := [package for program, package in programs.items() if shutil.which(program) is None]:
        raise Missing(
            f"a desktop in a virtual machine needs {' and '.join(absent)}; "
            f"type: sudo apt-get install --no-install-recommends {' '.join(absent)}"
        )
    with needing("qemu", "a desktop in a virtual machine"):
        import qemu.qmp  # noqa: F401


async def _end(process: asyncio.subprocess.Process) -> None:
    try:
        await asyncio.wait_for(process.wait(), 2)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
