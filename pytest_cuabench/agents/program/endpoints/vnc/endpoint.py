"""The VNC door: a server of the protocol RFB 3.8 (and 3.3, 3.7) on a Unix socket of the episode.

Clients see the live screen. Their input is gathered, and becomes a step once no more has come for a moment, or a
client asks for the whole picture. What is no RFB ends its connection, and changes nothing.
"""

from __future__ import annotations

import asyncio
import secrets
import struct
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.vnc import PASSWORD
from pytest_cuabench.agents.program.endpoints.vnc.gestures import Gestures
from pytest_cuabench.agents.program.endpoints.vnc.screen import (
    Box,
    Encoder,
    LiveScreen,
    PixelFormat,
    Pixels,
    ProtocolError,
    changed,
    merged,
)
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.task.usage import Usage

_PAUSE = 0.3  # seconds without input that end a step
_CLIENTS = 8
_SHAKE = 20.0  # seconds for the handshake
_READS = 20.0  # seconds in which a client reads a picture
_FRAME = 0.02  # seconds between two pictures
_MOST_CUT = 1_000_000  # characters of a client's clipboard, which is not used
_MOST_ENCODINGS = 1000
_BREATH = 100  # messages between two pauses of 20 ms: 5,000 messages a second
_REST = 1.0  # seconds between two looks while nothing changes
_VNC_AUTHENTICATION = 2
_NAME = b"pytest-cuabench"


class VncEndpoint:
    """What all connections of an episode share; see `OwnEndpoint`.

    Args:
        token: Its first eight characters are the password.
        counts: Counts a connection; false if there were too many.
        control: Whether clients may act; otherwise their input is ignored.

    Attributes:
        connections: The tasks of open connections.
    """

    socket = "vnc.sock"
    port = 5900

    def __init__(
        self,
        exchange: Exchange,
        environment: Environment,
        token: str,
        counts: Callable[[], bool],
        *,
        control: bool,
    ) -> None:
        self.exchange, self.control = exchange, control
        self.screen = LiveScreen(exchange, environment)
        self.gestures = Gestures(self.screen.size)
        self.connections: set[asyncio.Task[None]] = set()
        self._password, self._counts = token[:PASSWORD], counts
        self._stirred = asyncio.Event()
        self._last = 0.0
        exchange.gathered = self._gathered

    def files(self) -> Mapping[str, str]:
        """See `OwnEndpoint.files`."""
        return {}

    @asynccontextmanager
    async def opened(self, folder: Path) -> AsyncIterator[None]:
        """See `OwnEndpoint.opened`."""
        server = await asyncio.start_unix_server(self.connected, folder / self.socket)
        (folder / self.socket).chmod(0o666)  # its folder is private to the session and the box
        flushing = asyncio.create_task(self._flushing())
        try:
            yield
        finally:
            server.close()
            flushing.cancel()
            for connection in self.connections:
                connection.cancel()
            if self.connections:
                await asyncio.wait(self.connections, timeout=2)

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client until it goes or the episode ends."""
        task = asyncio.current_task()
        assert task is not None
        allowed = self._counts() and len(self.connections) < _CLIENTS
        self.connections.add(task)
        try:
            if allowed:
                await self._serve(_Client(self, reader, writer))
        except (ProtocolError, asyncio.IncompleteReadError, TimeoutError, OSError):
            pass
        except asyncio.CancelledError:
            pass  # the episode has ended
        finally:
            self.connections.discard(task)
            writer.close()

    async def idle(self) -> None:
        """See `OwnEndpoint.idle`."""
        while self.connections:
            await asyncio.wait(self.connections)
        await self.exchange.flush()

    async def _flushing(self) -> None:
        """End a step whenever no input has come for a moment."""
        while True:
            await self._stirred.wait()
            while (left := self._last + _PAUSE - time.monotonic()) > 0:
                await asyncio.sleep(left)
            self._stirred.clear()
            await self.exchange.flush()

    async def stir(self) -> None:
        """Note that input came; carry it out at once when it fills a step."""
        self._last = time.monotonic()
        self._stirred.set()
        if self.gestures.full:
            await self.exchange.flush()

    def accepts(self, challenge: bytes, answer: bytes) -> bool:
        """Whether an answer is the challenge, encrypted with the password."""
        return secrets.compare_digest(answer, encrypted(challenge, self._password))

    async def _serve(self, client: _Client) -> None:
        async with asyncio.timeout(_SHAKE):
            await client.shake_hands()
        self.exchange.calls += 1
        showing = asyncio.create_task(client.show())
        try:
            await client.listen()
        finally:
            client.gone = True
            if client.acted:
                self.gestures.release()
            with suppress(ProtocolError, OSError):
                await showing  # it may be looking at the screen, which must not be cut off
            await self.exchange.flush()

    def _gathered(self) -> Decision | None:
        if not self.gestures:
            return None
        ignored = [f"0x{number:x}" for number in self.gestures.ignored]
        actions = self.gestures.take()
        return Decision(actions, usage=Usage(cost=None), raw={"door": "vnc", "ignored_keys": ignored})


def encrypted(challenge: bytes, password: str) -> bytes:
    """Encrypt a challenge as VNC authentication does: by DES, with the bits of each byte of the key reversed."""
    key = password.encode().ljust(PASSWORD, b"\0")
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in key)
    # Triple DES with three equal keys is DES, which the library does not have by itself.
    cipher = Cipher(TripleDES(mirrored * 3), modes.ECB()).encryptor()  # noqa: S305 - as the protocol has it
    return cipher.update(challenge) + cipher.finalize()


class _Client:
    """One connection.

    Attributes:
        acted: Whether it has sent input.
        gone: Whether it sends no more.
    """

    def __init__(self, door: VncEndpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.acted = self.gone = False
        self._door, self._reader, self._writer = door, reader, writer
        self._encoder = Encoder()
        self._asked: tuple[bool, Box] | None = None
        self._asks = asyncio.Event()
        self._shown: Pixels | None = None

    async def shake_hands(self) -> None:
        """Agree on a version, check the password, and tell the screen's size.

        Raises:
            ProtocolError: The client is no VNC client, or has another password.
        """
        self._writer.write(b"RFB 003.008\n")
        version = await self._reader.readexactly(12)
        if version not in (b"RFB 003.003\n", b"RFB 003.007\n", b"RFB 003.008\n"):
            raise ProtocolError(f"version {version!r}")
        # In 3.3 the server chooses the security type; since 3.7 the client does, from a list.
        if version == b"RFB 003.003\n":
            self._writer.write(struct.pack(">I", _VNC_AUTHENTICATION))
        else:
            self._writer.write(bytes([1, _VNC_AUTHENTICATION]))
            if await self._number(1) != _VNC_AUTHENTICATION:
                raise ProtocolError("another security type")
        challenge = secrets.token_bytes(16)
        self._writer.write(challenge)
        if not self._door.accepts(challenge, await self._reader.readexactly(16)):
            reason = b"the password is not this episode's"
            self._writer.write(struct.pack(">I", 1))
            if version == b"RFB 003.008\n":  # earlier versions have no reason
                self._writer.write(struct.pack(">I", len(reason)) + reason)
            await self._writer.drain()
            raise ProtocolError("another password")
        self._writer.write(struct.pack(">I", 0))
        await self._number(1)  # whether other clients may stay: they always do
        size = self._door.screen.size
        self._writer.write(
            struct.pack(">HH", *size) + self._encoder.format.pack() + struct.pack(">I", len(_NAME)) + _NAME
        )
        await self._writer.drain()

    async def listen(self) -> None:
        """Take messages until the client goes.

        Raises:
            ProtocolError: A message is not of the protocol.
        """
        count = 0
        while True:
            kind = await self._number(1)
            match kind:
                case 0:
                    # The format follows three bytes of padding.
                    self._encoder.format = PixelFormat.parse((await self._reader.readexactly(19))[3:])
                case 2:
                    await self._encodings()
                case 3:
                    await self._request()
                case 4:
                    down, keysym = struct.unpack(">B2xI", await self._reader.readexactly(7))
                    await self._input(lambda: self._door.gestures.key(bool(down), keysym))  # noqa: B023
                case 5:
                    mask, x, y = struct.unpack(">BHH", await self._reader.readexactly(5))
                    await self._input(lambda: self._door.gestures.pointer(mask, x, y))  # noqa: B023
                case 6:
                    await self._clipboard()
                case _:
                    raise ProtocolError(f"message {kind}")
            count += 1
            if count % _BREATH == 0:
                await asyncio.sleep(0.02)

    async def show(self) -> None:
        """Send the screen as often as it is asked for."""
        while not self.gone:
            with suppress(TimeoutError):
                # Not for ever: the client may go, or the episode end.
                await asyncio.wait_for(self._asks.wait(), 0.1)
            if self._door.exchange.ended.is_set():
                self._writer.close()
                return
            if self._asked is None:
                continue
            incremental, part = self._asked
            if not incremental:
                await self._door.exchange.flush()
            picture = await self._door.screen.picture()
            if picture is None:
                continue
            found = changed(self._shown if incremental else None, picture, part)
            if found is None:
                await self._rest()
                continue
            self._asked = None
            self._asks.clear()
            self._writer.write(await asyncio.to_thread(self._encoder.update, picture, found))
            self._shown = merged(self._shown, picture, part)
            if not await self._taken():
                return
            await asyncio.sleep(_FRAME)

    async def _taken(self) -> bool:
        """Wait until the client has read what was sent; one that does not is cut off."""
        try:
            async with asyncio.timeout(_READS):
                await self._writer.drain()
        except TimeoutError:
            self._writer.transport.abort()
            return False
        return True

    async def _rest(self) -> None:
        """Wait for the next step, but not for long, as the screen may change by itself."""
        before, until = self._door.exchange.steps, time.monotonic() + _REST
        while time.monotonic() < until and not self.gone and self._door.exchange.steps == before:
            if self._asked is not None and not self._asked[0]:
                return
            await asyncio.sleep(0.05)

    async def _request(self) -> None:
        incremental, x, y, width, height = struct.unpack(">BHHHH", await self._reader.readexactly(9))
        most = self._door.screen.size
        x, y = min(x, most.width - 1), min(y, most.height - 1)
        part = Box(x, y, max(1, min(width, most.width - x)), max(1, min(height, most.height - y)))
        # A later request for changes does not replace one for the whole picture.
        pending = self._asked is not None and not self._asked[0]
        self._asked = (bool(incremental) and not pending, part)
        self._asks.set()

    async def _input(self, take: Callable[[], None]) -> None:
        if self._door.control:
            self.acted = True
            take()
            await self._door.stir()

    async def _encodings(self) -> None:
        count = struct.unpack(">xH", await self._reader.readexactly(3))[0]
        if count > _MOST_ENCODINGS:
            raise ProtocolError(f"{count} encodings")
        self._encoder.choose(struct.unpack(f">{count}i", await self._reader.readexactly(4 * count)))

    async def _clipboard(self) -> None:
        length = struct.unpack(">3xI", await self._reader.readexactly(7))[0]
        if length > _MOST_CUT:
            raise ProtocolError(f"a clipboard of {length} characters")
        while length:
            length -= len(await self._reader.readexactly(min(length, 65536)))

    async def _number(self, length: int) -> int:
        return int.from_bytes(await self._reader.readexactly(length), "big")
