"""The interface of machines that run a desktop: local processes, a container, a VM, or a remote address."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Address:
    """Where a guest listens.

    Attributes:
        url: The base URL, such as `http://host:5000`; with a socket the host is arbitrary.
        socket: The Unix socket to use instead of the network.
        token: The guest's bearer token, if any.
        keeps: Whether connections are kept alive; not for a machine that restores snapshots, which lose younger
            connections.
    """

    url: str
    socket: Path | None = None
    token: str | None = field(default=None, repr=False)
    keeps: bool = True

    def __str__(self) -> str:
        return str(self.socket or self.url)


class Machine(Protocol):
    """One machine with one desktop; it belongs to one worker at a time.

    A machine takes a lease (`leases.py`) before it starts anything that could outlive this process, and releases it
    afterwards. The module's `reap(resource)` removes what a dead worker's lease names.

    Methods raise `EnvironmentFailure` for failures that a retry may fix, and `SettingError` for what the user must
    fix, such as a missing program or image; the message has the command to type.

    Attributes:
        kind: The driver's name: `xvfb`, `docker`, `qemu`, `guest`.
        boot: Timeout in seconds of the start until the guest answers; also added to that of the first session.
    """

    kind: str
    boot: float

    async def start(self) -> Address:
        """Start the machine unless it runs, and return the guest's address; the guest may not be ready yet."""

    async def alive(self) -> bool:
        """Return whether the machine still runs; called before every reset, so it must be cheap."""

    async def recreate(self) -> Address:
        """Discard the machine and start a new one."""

    async def last_output(self) -> str:
        """Return the last line of the machine's error output; empty if there is none."""

    async def close(self) -> None:
        """Stop the machine and remove its files; may be called twice."""


class OwnMachine(ABC):
    """A machine that this process starts and stops."""

    _address: Address | None = None

    async def start(self) -> Address:
        """See `Machine.start`."""
        if self._address is None or not await self.alive():
            await self.close()
            try:
                self._address = await self._start()
            except BaseException:
                await self.close()
                raise
        return self._address

    async def recreate(self) -> Address:
        """See `Machine.recreate`."""
        await self.close()
        return await self.start()

    @abstractmethod
    async def alive(self) -> bool:
        """See `Machine.alive`."""

    @abstractmethod
    async def close(self) -> None:
        """See `Machine.close`."""

    @abstractmethod
    async def _start(self) -> Address: ...


@runtime_checkable
class Snapshots(Protocol):
    """A machine with snapshots."""

    async def keep(self, name: str) -> None:
        """Take a snapshot under this name."""

    async def restore(self, name: str) -> bool:
        """Restore a snapshot; False if there is none of this name."""
