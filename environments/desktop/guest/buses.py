"""The session bus and the accessibility bus, started in the order in which applications find them."""

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
from guest.errors import Trouble
from guest.patience import patient
from guest.places import Place
from guest.program import Program

_SECONDS = patient(15.0)
_POLL = 0.005
_REGISTRY, _ROOT = "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"
_PROPERTIES = "org.freedesktop.DBus.Properties"


@dataclass(frozen=True, slots=True)
class Buses:
    """Both buses; `daemon` is the program below which all of their services run."""

    daemon: Program
    session: MessageBus
    accessibility: MessageBus

    @property
    def connected(self) -> bool:
        """Whether both still hold their connections to us."""
        return bool(self.session.connected and self.accessibility.connected)

    async def close(self) -> None:
        """Disconnect and end both."""
        self.session.disconnect()
        self.accessibility.disconnect()
        await self.daemon.kill()


def address(box: Box) -> str:
    """Return the session bus's address as programs of the desktop see it."""
    return f"unix:path={box.places.runtime.inside}/bus"


async def start_buses(box: Box, environment: Mapping[str, str], log: Path) -> Buses:
    """Start the session bus, have it start the accessibility bus, and wake the registry.

    The registry is called once before any application: a Qt application that is the first to ask for it never
    shows in the tree.

    Raises:
        Trouble: One of them ended, or took too long.
    """
    argv = ("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address(box)}")
    daemon = await program.start(box, argv, environment, log)
    try:
        async with asyncio.timeout(_SECONDS):
            return await _woken(daemon, box)
    except BaseException as error:
        await daemon.kill()
        if isinstance(error, TimeoutError):
            raise Trouble(f"the desktop's message buses did not start within {_SECONDS:g} s") from None
        if isinstance(error, (DBusError, AuthError, OSError, EOFError)):
            raise Trouble(f"the desktop's message buses did not start: {error}") from error
        raise


async def _woken(daemon: Program, box: Box) -> Buses:
    session = await _connect(daemon, box.places.runtime.host / "bus")
    status = ("org.a11y.Status", "IsEnabled", Variant("b", True))
    await call(session, "org.a11y.Bus", "/org/a11y/bus", _PROPERTIES, "Set", "ssv", *status)
    (told,) = await call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    accessibility = await _open(_outside(told, box.places.runtime))
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
    """Return what a method returns.

    Raises:
        DBusError: The method failed, or there is nobody of this name.
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
            raise Trouble(f"the session bus did not start: dbus-daemon ended {daemon.end}")
        try:
            return await _open(f"unix:path={socket}")
        except (OSError, EOFError, AuthError):
            await asyncio.sleep(_POLL)


async def _open(where: str) -> MessageBus:
    # Our user has another name inside the namespace, so the daemon is left to ask the kernel who we are.
    return await MessageBus(where, auth=AuthExternal(UID_NOT_SPECIFIED)).connect()


def _outside(told: str, runtime: Place) -> str:
    """Return an address of a socket below the runtime folder as the supervisor sees it."""
    kind, _, path = told.partition(",")[0].partition("=")
    if kind != "unix:path" or not path.startswith(f"{runtime.inside}/"):
        raise Trouble(f"the accessibility bus listens at {told!r}, which is not below {runtime.inside}")
    return f"unix:path={runtime.host}{path.removeprefix(runtime.inside)}"
