"""The session bus, the accessibility bus, and buses that one launch of an application has to itself."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.auth import UID_NOT_SPECIFIED, AuthExternal
from dbus_fast.errors import AuthError, DBusError

from guest import processes, program
from guest.box import Box
from guest.errors import DesktopFailure
from guest.places import Place
from guest.program import Program
from guest.timeouts import scaled

_Started = TypeVar("_Started")
_SECONDS = scaled(15.0)
_POLL = 0.005
_REGISTRY, _ROOT = "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_DAEMON, _DAEMON_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
_STATUS, _STATUS_PATH = "org.a11y.Bus", "/org/a11y/bus"
_OWN = "/run/buses"  # where an application in a box finds the socket of its own bus


@dataclass(frozen=True, slots=True)
class Buses:
    """Both buses.

    Attributes:
        daemon: The parent process of all their services.
        location: The accessibility bus's address for programs.
    """

    daemon: Program
    session: MessageBus
    accessibility: MessageBus
    location: str

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


@dataclass(slots=True)
class OwnBus:
    """The message bus of one launch, which serves as its session bus and as its accessibility bus.

    In a box of bubblewrap no other program of the desktop can find its socket. Elsewhere, and for programs that the
    application starts, the kernel tells which process a connection is of: the daemon runs in the supervisor's process
    namespace, so that it has a number for every process.

    Attributes:
        registry: The name of the registry's connection, which no other program can get.
    """

    application: str
    place: Place
    daemon: Program
    connection: MessageBus
    registry: str
    program: Program | None = None
    _process: int | None = None

    @property
    def alive(self) -> bool:
        """Whether the launched program still runs."""
        return self.program is not None and self.program.alive

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which the program finds the bus."""
        return _own_environment(self.place)

    @property
    def location(self) -> str:
        """The bus's address for the program."""
        return self.environment["AT_SPI_BUS_ADDRESS"]

    async def joined(self) -> None:
        """Wait until the program is in the registry, has ended, or takes too long for that."""
        with suppress(TimeoutError, DBusError):
            async with asyncio.timeout(_SECONDS):
                while self.alive and not await self._is_registered():
                    await asyncio.sleep(_POLL)

    async def _is_registered(self) -> bool:
        question = (self.registry, _ROOT, "org.a11y.atspi.Accessible", "GetChildren")
        (children,) = await call(self.connection, *question)
        return any([await self.is_program(name) for name, _ in children])

    async def is_program(self, name: str) -> bool:
        """Return whether a connection is of the launched program itself, and not of another process.

        Raises:
            DBusError: The connection is closed.
        """
        if self._process is None and self.program is not None:
            pid = self.program.process.pid
            self._process = processes.first_in_namespace(pid) if self.place.inside == _OWN else pid
        question = (_DAEMON, _DAEMON_PATH, _DAEMON, "GetConnectionUnixProcessID", "s", name)
        (process,) = await call(self.connection, *question)
        return self.alive and process == self._process

    async def close(self) -> None:
        """Disconnect and stop it."""
        self.connection.disconnect()
        await self.daemon.kill()


async def start_buses(box: Box, environment: Mapping[str, str], log: Path) -> Buses:
    """Start the session bus, the accessibility bus and the accessibility registry.

    The registry is called before any application starts: a Qt application that is the first to call it never appears in
    the tree.

    Raises:
        DesktopFailure: A bus ended, or took too long.
    """
    daemon = await program.start(box, _command(box, "session-bus.conf", address(box)), environment, log)
    return await _started(daemon, _woken(daemon, box))


async def start_own_bus(
    box: Box, environment: Mapping[str, str], folders: Path, name: str, log: Path
) -> OwnBus:
    """Start the bus of one launch of an application, with an accessibility registry.

    Its folder has a name that no program can guess, below one that none can list, so that no other answers for it.

    Raises:
        DesktopFailure: It ended, or took too long.
    """
    folders.mkdir(exist_ok=True)
    folders.chmod(0o711)
    folder = folders / secrets.token_hex(6)
    folder.mkdir()
    box.own(folder)
    place = Place(folder, _OWN if box.name == "bwrap" else str(folder))
    own = _own_environment(place)
    argv = _command(box, "own-bus.conf", own["AT_SPI_BUS_ADDRESS"])
    binds = (place,) if box.name == "bwrap" else ()
    daemon = await program.start(box, argv, {**environment, **own}, log, binds=binds, own_processes=False)

    async def woken() -> OwnBus:
        connection = await _connect(daemon, folder / "bus")
        await _wake(connection)
        (registry,) = await call(connection, _DAEMON, _DAEMON_PATH, _DAEMON, "GetNameOwner", "s", _REGISTRY)
        return OwnBus(name, replace(place, writable=False), daemon, connection, registry)

    return await _started(daemon, woken())


def _own_environment(place: Place) -> dict[str, str]:
    address = f"unix:path={place.inside}/bus"
    return {"AT_SPI_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address}


def _command(box: Box, configuration: str, address: str) -> tuple[str, ...]:
    configured = f"--config-file={box.guest}/{configuration}"
    return "dbus-daemon", configured, "--nofork", "--nopidfile", f"--address={address}"


async def _started(daemon: Program, waking: Awaitable[_Started]) -> _Started:
    """Return what comes of waking a bus; its daemon is killed if it fails.

    Raises:
        DesktopFailure: It failed, or took too long.
    """
    try:
        async with asyncio.timeout(_SECONDS):
            return await waking
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
    await call(session, _STATUS, _STATUS_PATH, _PROPERTIES, "Set", "ssv", *status)
    (location,) = await call(session, _STATUS, _STATUS_PATH, "org.a11y.Bus", "GetAddress")
    accessibility = await _open(_outside(location, box.places.runtime))
    await _wake(accessibility)
    return Buses(daemon, session, accessibility, location)


async def _wake(bus: MessageBus) -> None:
    """Start the registry of a bus."""
    await call(bus, _REGISTRY, _ROOT, "org.a11y.atspi.Accessible", "GetChildren")


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
