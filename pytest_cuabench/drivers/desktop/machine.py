"""A machine is what a desktop runs on: processes of this computer, a container, a VM, or somebody else's address."""

from __future__ import annotations

from collections.abc import Mapping
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
    """

    url: str
    socket: Path | None = None
    token: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return str(self.socket or self.url)


class Machine(Protocol):
    """One machine with one desktop; it belongs to one worker at a time.

    Methods raise `EnvironmentFailure` for trouble that another try may mend, and `SettingError` for what only a
    person can: a program or an image that is missing; the sentence says what to type.

    Attributes:
        kind: The driver's name: `xvfb`, `docker`, `qemu`, `guest`.
        lasting: Whether it may go on when its owner was killed, so that a lease is needed to find it again.
    """

    kind: str
    lasting: bool

    async def start(self) -> Address:
        """Start the machine, unless it runs already, and return where its guest listens; the guest may not be ready."""

    async def alive(self) -> bool:
        """Return whether the machine still runs; asked before every reset, so it must be cheap."""

    async def recreate(self) -> Address:
        """Throw the machine away with everything on it, and start another in its place."""

    async def close(self) -> None:
        """End the machine and remove what it left; may be called twice."""


@runtime_checkable
class Adoptable(Protocol):
    """A machine that a dead worker's lease is enough to go on with."""

    def described(self) -> Mapping[str, str]:
        """Return what it is made from (image, screen, limits): only a machine of equal description is taken over."""

    def resource(self) -> Mapping[str, str]:
        """Return, as plain data for the lease, what to find the running machine by."""

    async def adopt(self, resource: Mapping[str, str]) -> bool:
        """Go on with the machine that `resource` describes; False, and nothing is touched, where it does not run."""


@runtime_checkable
class Snapshots(Protocol):
    """A machine that can go back to a moment of its life."""

    async def keep(self, name: str) -> None:
        """Keep how things stand under this name."""

    async def restore(self, name: str) -> bool:
        """Go back to what was kept under this name; False where nothing was."""
