"""The session bus and the accessibility bus."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.auth import UID_NOT_SPECIFIED, AuthExternal
from dbus_fast.errors import AuthError, DBusError

from guest import program
from guest.box import Box
from guest.errors import DesktopFailure
from guest.places import Place
from guest.program import Program
from guest.timeouts import scaled

_SECONDS = scaled(15.0)
_POLL = 0.005
_REGISTRY, _ROOT = "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"
_PROPERTIES = "org.freedesktop.DBus.Properties"


@dataclass(frozen=True, slots=True)
class Buses:
    """Both buses; `daemon` is the parent process of all their services."""

    daemon: Program
    session: MessageBus
    accessibility: MessageBus

    @property
    def connected(self) -> bool:
        """Whether both connections are open."""
        return bool(self.session.connected and self.accessibility.connected)

    async def close(self) -> None:
        """Disconnect and stop both."""
        self.session.disconnect()
        self.accessibility.disconnect()
        await self.daemon.kill()


def address(box: Box) -> str:
    """Return the session bus address for programs of the desktop."""
    return f"unix:path={box.places.runtime.inside}/bus"


async def start_buses(box: Box, environment: Mapping[str, str], log: Path) -> Buses:
    """Start the session bus, the accessibility bus and the accessibility registry.

    The registry is called before any application starts: a Qt application that is the first to call it never appears in
    the tree.

    Raises:
        DesktopFailure: A bus ended, or took too long.
    """
    configured = f"--config-file={box.guest}/session-bus.conf"
    argv = ("dbus-daemon", configured, "--nofork", "--nopidfile", f"--address={address(box)}")
    daemon = await program.start(box, argv, environment, log)
    try:
        async with asyncio.timeout(_SECONDS):
            return await _woken(daemon, box)
    except BaseException as error:
        await daemon.kill()
        if isinstance(error, TimeoutError):
            raise DesktopFailure(f"the desktop's message buses did not start within {_SECONDS:g} s") from None
        if isinstance(error, (DBusError, AuthError, OSError, EOFError)):
            raise DesktopFailure(f"the desktop's message buses did not start: {error}") from error
        raise


async def _woken(daemon: Program, box: Box) -> Buses:
    session = await _connect(daemon, box.places.runtime.host / "bus")
    status = ("org.a11y.Status", "IsEnabled", Variant("b", True))
    await call(session, "org.a11y.Bus", "/org/a11y/bus", _PROPERTIES, "Set", "ssv", *status)
    (location,) = await call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    accessibility = await _open(_outside(location, box.places.runtime))
    await call(accessibility, _REGISTRY, _ROOT, "org.a11y.atspi.Accessible", "GetChildren")
    return Buses(daemon, session, accessibility)


async def call(
    bus: MessageBus,
    destination: str,
    path: str,
    interface: str,
    member: str,
    signature: str = "",
    *body: Any,
) -> list[Any]:
    """Call a method and return its result.

    Raises:
        DBusError: The method failed, or the name has no owner.
    """
    message = Message(destination, path, interface, member, signature=signature, body=list(body))
    reply = await bus.call(message)
    if reply is None or reply.message_type is MessageType.ERROR:
        name, text = (reply.error_name, reply.body) if reply is not None else (None, [])
        raise DBusError(name or "org.freedesktop.DBus.Error.NoReply", str(text[0]) if text else "no reply")
    return list(reply.body)


async def _connect(daemon: Program, socket: Path) -> MessageBus:
    while True:
        if not daemon.alive:
            raise DesktopFailure(f"the session bus did not start: dbus-daemon ended {daemon.end}")
        try:
            return await _open(f"unix:path={socket}")
        except (OSError, EOFError, AuthError):
            await asyncio.sleep(_POLL)


async def _open(where: str) -> MessageBus:
    # Our user id differs inside the namespace, so the daemon asks the kernel for it.
    return await MessageBus(where, auth=AuthExternal(UID_NOT_SPECIFIED)).connect()


def _outside(location: str, runtime: Place) -> str:
    """Translate the address of a socket below the runtime folder to the supervisor's path."""
    kind, _, path = location.partition(",")[0].partition("=")
    if kind != "unix:path" or not path.startswith(f"{runtime.inside}/"):
        raise DesktopFailure(
            f"the accessibility bus listens at {location!r}, which is not below {runtime.inside}"
        )
    return f"unix:path={runtime.host}{path.removeprefix(runtime.inside)}"
