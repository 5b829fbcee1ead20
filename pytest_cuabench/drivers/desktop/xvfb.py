"""A local desktop: the guest as a child process, its programs in sandboxes without network."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import psutil

from pytest_cuabench.drivers.desktop.machine import Address, OwnMachine
from pytest_cuabench.drivers.leases import Lease, Leases, born
from pytest_cuabench.drivers.output import Output
from pytest_cuabench.drivers.stopping import stop
from pytest_cuabench.drivers.worlds import find_world
from pytest_cuabench.errors import EnvironmentFailure, Missing, SettingError
from pytest_cuabench.task.action import Size

PROGRAMS = {  # required program -> its Debian package
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "dbus-daemon": "dbus-daemon",
    "bwrap": "bubblewrap",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}
MODULES = ("starlette", "uvicorn", "xcffib", "dbus_fast", "multipart")
_PREFIX = "cua-desktop-"
_LONGEST = 40


class Xvfb(OwnMachine):
    """The guest as a child process; all of its programs end with it."""

    kind = "xvfb"
    boot = 30.0

    def __init__(
        self, screen: Size, leases: Leases, world: str = "desktop", beside: Path | None = None
    ) -> None:
        self._screen, self._leases, self._spec = screen, leases, find_world(world, beside)
        self._process: asyncio.subprocess.Process | None = None
        self._folder: Path | None = None
        self._lease: Lease | None = None
        self._errors = Output()

    async def alive(self) -> bool:
        """See `Machine.alive`."""
        if self._process is None or self._process.returncode is not None:
            return False
        try:  # asyncio may not have noticed its exit yet
            return psutil.Process(self._process.pid).status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    async def recreate(self) -> Address:
        """See `Machine.recreate`."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()  # it does not answer, so do not wait for a clean exit
        return await super().recreate()

    async def last_output(self) -> str:
        """See `Machine.last_output`."""
        return await self._errors.last_line()

    async def close(self) -> None:
        """See `Machine.close`."""
        if self._process is not None:
            await stop(self._process)
        if self._folder is not None:
            await asyncio.to_thread(_remove, self._folder)
        if self._lease is not None:
            self._leases.release(self._lease)
        self._process = self._folder = self._lease = self._address = None

    @property
    def pid(self) -> int | None:
        """The guest's process id while it runs."""
        return self._process.pid if self._process is not None else None

    async def _start(self) -> Address:
        _require()
        self._folder = folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_short()))
        self._lease = self._leases.take(self.kind, {"folder": str(folder)})
        token = secrets.token_urlsafe(24)
        (folder / "token").touch(mode=0o600)
        (folder / "token").write_text(token, encoding="ascii")
        self._process = await self._spawn(folder)
        self._lease = self._leases.update_process(self._lease, self._process.pid)
        await self._ready()
        return Address("http://desktop", folder / "control", token)

    async def _spawn(self, folder: Path) -> asyncio.subprocess.Process:
        """Start the guest, which exits when its standard input is closed."""
        options = {
            "--listen": f"unix:{folder / 'control'}",
            "--token-file": str(folder / "token"),
            "--state": str(folder / "state"),
            "--screen": str(self._screen),
            "--confine": "bwrap",
        }
        words = [word for pair in options.items() for word in pair]
        self._errors = Output()
        with self._errors.pipe() as errors:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self._spec.module, *words, "--until-eof"),
                cwd=self._spec.folder,
                env=_environment(self._spec.folder),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # Ctrl-C is for pytest; the guest ends when its stdin closes
            )

    async def _ready(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), self.boot)
        except TimeoutError:
            raise EnvironmentFailure(f"the desktop did not start within {self.boot:g} s") from None
        try:
            json.loads(line)
        except ValueError:
            said = await self._errors.last_line() or "it printed nothing"
            raise EnvironmentFailure(f"the desktop did not start: {said}") from None


def reap(resource: Mapping[str, str]) -> None:
    """Kill the guest and remove the folder of a dead worker's lease."""
    with suppress(psutil.NoSuchProcess, KeyError):
        guest = psutil.Process(int(resource["pid"]))
        # Else the number is another process's by now.
        if born(guest) == float(resource["born"]):
            guest.kill()
            guest.wait(5)
    folder = Path(resource["folder"])
    # A damaged or forged lease must not remove another folder.
    if folder.name.startswith(_PREFIX) and folder.is_dir() and not folder.is_symlink():
        _remove(folder)


def _short() -> str:
    """Return a short parent folder for sockets, whose paths are limited to about 100 characters."""
    usual = tempfile.gettempdir()
    return usual if len(usual) < _LONGEST else "/tmp"  # noqa: S108 - mkdtemp makes a private folder in it


def _require() -> None:
    """Check that all programs and packages are installed.

    Raises:
        Missing: They are not; the message has the command to type.
    """
    if not sys.platform.startswith("linux"):
        raise SettingError("desktops of this computer's own need Linux; use --cua-world desktop=docker")
    absent = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if absent:
        raise Missing(
            f"a desktop needs {', '.join(absent)}; type: sudo apt-get install --no-install-recommends "
            + " ".join(absent)
        )
    for name in MODULES:
        if find_spec(name) is None:
            raise Missing.of("a desktop", name, "desktop")


def _environment(folder: Path) -> dict[str, str]:
    """Return the guest's environment variables, without the user's secrets."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
    known = {name: os.environ[name] for name in kept if name in os.environ}
    return known | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def _remove(folder: Path) -> None:
    """Remove a desktop's folder, including what applications made unreadable."""

    def again(function: object, path: str, error: object) -> None:
        with suppress(OSError):
            os.chmod(Path(path).parent, 0o700)
            os.unlink(path) if not os.path.isdir(path) or os.path.islink(path) else os.rmdir(path)

    shutil.rmtree(folder, onerror=again)
