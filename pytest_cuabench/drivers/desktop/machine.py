"""A machine is what a desktop runs on: processes of this computer, a container, a VM, or somebody else's address."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Address:
    """Where a guest listens.

    Attributes:
        url: Its base, such as `http://host:5000`; the host is a mere word where a socket is given.
        socket: The Unix socket to speak over, instead of the network.
        token: What the guest wants to see as bearer token; None for a guest without one.
        keeps: Whether a connection may be used for several calls; one to a machine that can go back in time may not,
            since the machine forgets connections that are younger than the moment it goes back to.
    """

    url: str
    socket: Path | None = None
    token: str | None = field(default=None, repr=False)
    keeps: bool = True

    def __str__(self) -> str:
        return str(self.socket or self.url)


class Machine(Protocol):
    """One machine with one desktop; it belongs to one worker at a time.

    A machine takes a lease (`leases.py`) before it starts anything that could outlive this process, and gives it back
    when that is gone. One that can be found again (a container, a VM) first takes over what a dead worker left, where
    that was made from the same image with the same limits; the module has a `reap(resource)` that ends it otherwise.

    Methods raise `EnvironmentFailure` for trouble that another try may mend, and `SettingError` for what only a
    person can: a program or an image that is missing; the sentence says what to type.

    Attributes:
        kind: The driver's name: `xvfb`, `docker`, `qemu`, `guest`.
        boot: Seconds that a start may take until the guest answers, and a guest's first session beyond the usual.
    """

    kind: str
    boot: float

    async def start(self) -> Address:
        """Start the machine, unless it runs already, and return where its guest listens; the guest may not be ready."""

    async def alive(self) -> bool:
        """Return whether the machine still runs; asked before every reset, so it must be cheap."""

    async def recreate(self) -> Address:
        """Throw the machine away with everything on it, and start another in its place."""

    async def why(self) -> str:
        """Return the last line that the machine said of its trouble; nothing where it said nothing."""

    async def close(self) -> None:
        """End the machine and remove what it left; may be called twice."""


@runtime_checkable
class Snapshots(Protocol):
    """A machine that can go back to a moment of its life."""

    async def keep(self, name: str) -> None:
        """Keep how things stand under this name."""

    async def restore(self, name: str) -> bool:
        """Go back to what was kept under this name; False where nothing was."""
