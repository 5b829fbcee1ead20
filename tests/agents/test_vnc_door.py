"""The VNC door works with foreign clients, and what is no VNC does no harm."""

from __future__ import annotations

import asyncio
import io
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.vnc import endpoint as door
from pytest_cuabench.agents.program.endpoints.vnc.endpoint import VncEndpoint, encrypted
from pytest_cuabench.agents.program.endpoints.vnc.screen import Box, Encoder, PixelFormat, changed, merged
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Action, Click, Key, MouseDown, MouseUp, Screenshot, Size, Type
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.testing import FakeEnvironment

SCREEN = Size(300, 200)
TOKEN = "abcdefgh-and-more"


class Painted(FakeEnvironment):
    """A colourful screen, on which each click leaves a red square."""

    def __init__(self) -> None:
        super().__init__(screen=SCREEN)
        self.image = Image.linear_gradient("L").resize(SCREEN).convert("RGB")
        self.looks = 0
        self.busy = False
        self.broken = False

    async def perform(self, action: Action) -> ActionResult:
        assert not self.busy, "two calls at the same time"
        self.busy = True
        await asyncio.sleep(0.01)
        self.busy = False
        if isinstance(action, Screenshot):
            self.looks += 1
            if self.broken:
                raise EnvironmentFailure("the screen is dark")
            data = io.BytesIO()
            self.image.save(data, "PNG")
            return ActionResult(image=data.getvalue())
        if isinstance(action, Click):
            x, y = action.points()[0]
            ImageDraw.Draw(self.image).rectangle((x, y, x + 9, y + 9), fill=(255, 0, 0))
        return await super().perform(action)


@dataclass
class Desk:
    """An episode with a VNC door, and a port that leads to it."""

    world: Painted
    exchange: Exchange
    door: VncEndpoint
    port: int
    steps: list[tuple[Action, ...]] = field(default_factory=list)

    async def loop(self) -> None:
        """Carry out what clients decide."""
        with suppress(EnvironmentFailure):
            while True:
                decision = await self.exchange.decide(Observation(SCREEN))
                self.steps.append(decision.actions)
                for action in decision.actions:
                    await self.world.perform(action)

    async def until(self, reached: Callable[[], bool]) -> None:
        """Wait until something has happened."""
        async with asyncio.timeout(8):
            while not reached():
                await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(*, control: bool = True, most: int = 1000) -> AsyncIterator[Desk]:
    """Play an episode until the block is left."""
    world = Painted()
    exchange = Exchange(Briefing("", "screenshot", SCREEN, ("pointer", "keyboard"), 100))
    counted = iter(range(most))
    door = VncEndpoint(exchange, world, TOKEN, lambda: next(counted, None) is not None, control=control)
    folder = Path(tempfile.mkdtemp(prefix="cua-vnc-"))

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):
            far_reader, far_writer = await asyncio.open_unix_connection(folder / door.socket)
            await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer), return_exceptions=True)
        writer.close()

    async with door.opened(folder), await asyncio.start_server(forward, "127.0.0.1", 0) as server:
        desk = Desk(world, exchange, door, server.sockets[0].getsockname()[1])
        playing = asyncio.create_task(desk.loop())
        try:
            yield desk
        finally:
            playing.cancel()
            exchange.end()
    shutil.rmtree(folder)


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on bytes."""
    try:
        while data := await reader.read(65536):
            writer.write(data)
    finally:
        writer.close()


def run(play: Callable[[Desk], Awaitable[None]], **options: int) -> Desk:
    """Play with a client."""

    async def playing() -> Desk:
        async with opened(**options) as desk:
            await play(desk)
        return desk

    return asyncio.run(playing())


@dataclass
class Client:
    """A client of the test's own, which can send anything."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def of(cls, desk: Desk, version: str = "003.008", password: str = TOKEN[:8]) -> Client:
        """Connect and log in."""
        return await cls(*await asyncio.open_connection("127.0.0.1", desk.port)).logged_in(version, password)

    async def logged_in(self, version: str = "003.008", password: str = TOKEN[:8]) -> Client:
        """Log in."""
        assert await self.read(12) == b"RFB 003.008\n"
        self.send(f"RFB {version}\n".encode())
        if version == "003.003":
            assert await self.read(4) == b"\0\0\0\2"
        else:
            assert await self.read(2) == b"\1\2"
            self.send(b"\2")
        self.send(encrypted(await self.read(16), password))
        if await self.read(4) == b"\0\0\0\0":
            self.send(b"\1")
            assert struct.unpack(">HH", (await self.read(20))[:4]) == SCREEN
            await self.read(int.from_bytes(await self.read(4), "big"))
        return self

    async def read(self, count: int) -> bytes:
        """Read bytes."""
        async with asyncio.timeout(8):
            return await self.reader.readexactly(count)

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)

    def key(self, down: int, keysym: int) -> None:
        """Send a key event."""
        self.send(struct.pack(">BBxxI", 4, down, keysym))

    def pointer(self, mask: int, x: int, y: int) -> None:
        """Send a pointer event."""
        self.send(struct.pack(">BBHH", 5, mask, x, y))

    def ask(self, incremental: int, x: int = 0, y: int = 0, width: int = 300, height: int = 200) -> None:
        """Ask for a part of the screen."""
        self.send(struct.pack(">BBHHHH", 3, incremental, x, y, width, height))

    async def part(self) -> tuple[Box, bytes]:
        """Return a part of the screen, in pixels as the server has them."""
        assert await self.read(4) == b"\0\0\0\1"
        x, y, width, height, encoding = struct.unpack(">HHHHi", await self.read(12))
        assert encoding == 0
        return Box(x, y, width, height), await self.read(4 * width * height)

    async def gone(self) -> bytes:
        """Return what the server still says before it closes the connection."""
        async with asyncio.timeout(8):
            return await self.reader.read()


# Foreign clients


@pytest.mark.filterwarnings("ignore:.*TripleDES")  # in asyncvnc
def test_asyncvnc() -> None:
    """asyncvnc sees the screen, clicks, drags, types and presses chords; each picture shows what it did before."""
    asyncvnc = pytest.importorskip("asyncvnc")

    async def play(desk: Desk) -> None:
        async with asyncvnc.connect("127.0.0.1", desk.port, password=TOKEN[:8]) as client:
            first = await client.screenshot()
            assert first.shape[:2] == (200, 300)
            assert np.array_equal(first[..., :3], np.asarray(desk.world.image))
            client.mouse.move(100, 50)
            client.mouse.click()
            second = await client.screenshot()
            assert tuple(second[55, 105][:3]) == (255, 0, 0)
            client.keyboard.write("Grüße")
            client.keyboard.press("Ctrl", "a")
            await client.drain()
            await desk.until(lambda: len(desk.steps) == 2)

    assert run(play).steps == [(Click(100, 50),), (Type("Grüße"), Key(("ctrl", "a")))]


def test_vncdotool(tmp_path: Path) -> None:
    """vncdotool, run as a program, clicks, types and captures the screen."""
    pytest.importorskip("vncdotool")
    picture = tmp_path / "seen.png"

    async def play(desk: Desk) -> None:
        words = [
            "-s",
            f"127.0.0.1::{desk.port}",
            "-p",
            TOKEN[:8],
            "move",
            "100",
            "50",
            "click",
            "1",
            "type",
            "hi",
        ]
        words += ["key", "ctrl-s", "capture", str(picture)]
        program = await asyncio.create_subprocess_exec(sys.executable, "-m", "vncdotool.command", *words)
        async with asyncio.timeout(60):
            assert await program.wait() == 0

    desk = run(play)
    assert [action for step in desk.steps for action in step] == [
        Click(100, 50),
        Type("hi"),
        Key(("ctrl", "s")),
    ]
    assert np.array_equal(np.asarray(Image.open(picture).convert("RGB")), np.asarray(desk.world.image))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("vncsnapshot") is None, reason="apt install vncsnapshot")
def test_vncsnapshot(tmp_path: Path) -> None:
    """vncsnapshot, a client of TightVNC's code, saves the screen."""
    picture, password = tmp_path / "seen.jpg", tmp_path / "password"
    fixed = bytes((23, 82, 107, 6, 35, 78, 88, 7))  # the key with which VNC programs keep passwords in files
    password.write_bytes(encrypted(TOKEN[:8].encode(), fixed.decode("latin-1")))

    async def play(desk: Desk) -> None:
        words = ["-quiet", "-passwd", str(password), f"127.0.0.1::{desk.port}", str(picture)]
        await asyncio.to_thread(subprocess.run, ["vncsnapshot", *words], check=True, timeout=60)

    desk = run(play)
    seen = np.asarray(Image.open(picture).convert("RGB"), int)
    assert np.abs(seen - np.asarray(desk.world.image, int)).mean() < 4


# Protocol


@pytest.mark.parametrize("version", ["003.003", "003.007", "003.008"])
def test_versions(version: str) -> None:
    """Clients of the protocol's three versions are served."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk, version)
        client.ask(0)
        assert (await client.part())[0] == Box(0, 0, 300, 200)

    run(play)


def test_only_changes_are_sent() -> None:
    """A client that asks for changes gets the smallest part that holds them, when there are any."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        client.ask(1)
        assert (await client.part())[0] == Box(0, 0, 300, 200)
        client.ask(1)
        client.pointer(1, 40, 30)
        client.pointer(0, 40, 30)
        box, pixels = await client.part()
        assert box == Box(40, 30, 10, 10)
        assert pixels == b"\0\0\xff\0" * 100

    run(play)


def test_looks_are_rare() -> None:
    """A client that asks all the time does not make the session look at the screen all the time."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        for _ in range(50):
            client.ask(0)
            await client.part()
        assert desk.world.looks <= 25

    assert run(play).steps == []


def test_read_only() -> None:
    """Where a program may only look, its input does nothing."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        client.pointer(1, 5, 5)
        client.pointer(0, 5, 5)
        client.key(1, ord("n"))
        client.ask(0)
        await client.part()
        client.writer.close()
        await desk.door.idle()

    assert run(play, control=False).steps == []


def test_input_while_a_step_is_carried_out() -> None:
    """Looks and steps are never carried out at the same time, and no event is lost."""

    async def play(desk: Desk) -> None:
        first, second = await Client.of(desk), await Client.of(desk)
        for number in range(20):
            first.ask(number % 2)
            second.key(1, ord("a") + number)
            await asyncio.sleep(0.02)
        first.writer.close()
        second.writer.close()
        await desk.door.idle()

    typed = [action.text for step in run(play).steps for action in step if isinstance(action, Type)]
    assert "".join(typed) == "abcdefghijklmnopqrst"


def test_broken_screen_ends_the_episode() -> None:
    """A screen that cannot be looked at is a failure of the environment, and reaches the loop."""

    async def play(desk: Desk) -> None:
        desk.world.broken = True
        client = await Client.of(desk)
        client.ask(0)
        waiting = desk.exchange._decision
        assert waiting is not None
        await desk.until(waiting.done)
        assert isinstance(waiting.exception(), EnvironmentFailure)

    run(play)


def test_end() -> None:
    """At the end of the episode the connections are closed."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        client.ask(0)
        await client.part()
        desk.exchange.end()
        client.ask(0)
        await client.gone()

    run(play)


# Hostile clients


def test_another_password() -> None:
    """Another password is refused with a sentence."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk, password="another1")
        assert await client.gone() == b"\0\0\0\x22the password is not this episode's"

    assert run(play).exchange.calls == 0


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"RFB 009.009\n",
        b"RFB 003.008\n\1",
        b"\0" * 5000,
    ],
    ids=["http", "wrong version", "no authentication", "zeros"],
)
def test_no_client(said: bytes) -> None:
    """What does not shake hands is cut off, and the next client is served."""

    async def play(desk: Desk) -> None:
        client = Client(*await asyncio.open_connection("127.0.0.1", desk.port))
        client.send(said)
        await client.gone()
        (await Client.of(desk)).ask(0)

    desk = run(play)
    assert (desk.exchange.calls, desk.steps) == (1, [])


@pytest.mark.parametrize("closes", [False, True], ids=["goes on", "closes half"])
def test_nobody_reads(monkeypatch: pytest.MonkeyPatch, closes: bool) -> None:
    """A client that asks and does not read is cut off, whether it could still send or not; its input counts."""
    monkeypatch.setattr(door, "_READS", 0.3)

    async def play(desk: Desk) -> None:
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        serving = asyncio.create_task(desk.door.connected(*await asyncio.open_connection(sock=ours)))
        reader, writer = await asyncio.open_connection(sock=theirs, limit=1024)
        client = await Client(reader, writer).logged_in()
        client.key(1, ord("n"))
        client.ask(0)
        if closes:
            writer.write_eof()
        async with asyncio.timeout(8):
            await serving
        writer.close()

    assert run(play).steps == [(Type("n"),)]


def test_picture_of_another_size() -> None:
    """Whatever size a picture has, a client gets the one that it was told."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        for size in ((100, 90), (700, 20), SCREEN):
            desk.world.image = desk.world.image.resize(size)
            await asyncio.sleep(0.25)  # a picture is kept for a moment
            client.ask(0)
            assert (await client.part())[0] == Box(0, 0, 300, 200)

    run(play)


@pytest.mark.parametrize(
    "said",
    [
        b"\xff" * 100,
        struct.pack(">B3xI", 6, 0xFFFFFFFF),
        struct.pack(">BxH", 2, 65535),
        b"\0\0\0\0" + struct.pack(">BBBBHHHBBB3x", 24, 24, 0, 1, 255, 255, 255, 0, 8, 16),
        b"\0\0\0\0" + struct.pack(">BBBBHHHBBB3x", 8, 8, 0, 0, 0, 0, 0, 0, 0, 0),
        b"\0\0\0\0" + struct.pack(">BBBBHHHBBB3x", 32, 24, 0, 1, 255, 255, 255, 200, 8, 16),
    ],
    ids=["unknown message", "huge clipboard", "many encodings", "24 bits", "palette", "shift"],
)
def test_what_is_no_message(said: bytes) -> None:
    """A message that the protocol does not have ends its connection, and no step is made."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        client.send(said)
        await client.gone()
        (await Client.of(desk)).ask(0)

    assert run(play).steps == []


def test_half_messages() -> None:
    """Half a message is waited for, and others are served in the meantime."""

    async def play(desk: Desk) -> None:
        half = await Client.of(desk)
        half.send(b"\5\1\0")
        other = await Client.of(desk)
        other.key(1, ord("a"))
        await desk.until(lambda: bool(desk.steps))
        half.send(b"\5\0\7")
        await desk.until(lambda: len(desk.steps) == 2)

    assert run(play).steps == [(Type("a"),), (MouseDown(5, 7),)]


def test_huge_rectangles() -> None:
    """A part beyond the screen is cut to it."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        client.ask(0, 65535, 65535, 65535, 65535)
        assert (await client.part())[0] == Box(299, 199, 1, 1)
        client.ask(0, 290, 0, 65535, 0)
        assert (await client.part())[0] == Box(290, 0, 10, 1)

    run(play)


def test_many_clients() -> None:
    """Eight clients are served at the same time, more are cut off, and the place of one that goes is free."""

    async def play(desk: Desk) -> None:
        clients = [await Client.of(desk) for _ in range(8)]
        late = Client(*await asyncio.open_connection("127.0.0.1", desk.port))
        assert await late.gone() == b""
        for client in clients:
            client.ask(0)
        for client in clients:
            await client.part()
        clients[0].writer.close()
        await desk.until(lambda: len(desk.door.connections) < 8)
        await Client.of(desk)

    run(play)


def test_many_connections() -> None:
    """Connections count as requests, and beyond their number none is served."""

    async def play(desk: Desk) -> None:
        for _ in range(3):
            (await Client.of(desk)).writer.close()
        late = Client(*await asyncio.open_connection("127.0.0.1", desk.port))
        assert await late.gone() == b""

    run(play, most=3)


def test_flood() -> None:
    """A flood of events is carried out in steps of a limited size, and the session goes on meanwhile."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        for number in range(300):
            client.pointer(number % 2, number % 290, number % 190)
            client.key(1, 0xFF0D + number % 2)
        await client.writer.drain()
        client.writer.close()
        beats = 0
        idle = asyncio.create_task(desk.door.idle())
        while not idle.done():
            await asyncio.sleep(0.02)
            beats += 1
        assert beats > 5

    steps = run(play).steps
    assert len(steps) > 5
    assert max(map(len, steps)) <= 52


def test_client_goes_while_pressing() -> None:
    """A button that a client still holds when it goes is released."""

    async def play(desk: Desk) -> None:
        client = await Client.of(desk)
        client.pointer(1, 5, 5)
        await desk.until(lambda: bool(desk.steps))
        client.writer.close()
        await desk.door.idle()

    assert run(play).steps == [(MouseDown(5, 5),), (MouseUp(5, 5),)]


# Pixels


PICTURE = np.asarray(Image.linear_gradient("L").resize((130, 70)).convert("RGB")).copy()
PICTURE[10:30, 20:40] = (255, 16, 8)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (PixelFormat(), b"\x08\x10\xff\0"),
        (PixelFormat(big=True), b"\0\xff\x10\x08"),
        (PixelFormat(shifts=(0, 8, 16)), b"\xff\x10\x08\0"),
        (PixelFormat(16, 16, False, (31, 63, 31), (11, 5, 0)), struct.pack("<H", 31 << 11 | 4 << 5 | 1)),
        (PixelFormat(8, 8, False, (7, 7, 3), (0, 3, 6)), bytes([7])),
    ],
    ids=["usual", "big", "reversed", "16 bits", "8 bits"],
)
def test_pixel_formats(form: PixelFormat, expected: bytes) -> None:
    """Pixels come in the format that a client asks for."""
    assert form.pixels(PICTURE)[12, 22].tobytes() == expected
    assert PixelFormat.parse(form.pack()) == form


@pytest.mark.parametrize(
    ("form", "used"),
    [
        (PixelFormat(), slice(0, 3)),
        (PixelFormat(big=True), slice(1, 4)),
        (PixelFormat(shifts=(24, 16, 8)), slice(1, 4)),
        (PixelFormat(big=True, shifts=(24, 16, 8)), slice(0, 3)),
        (PixelFormat(16, 16, False, (31, 63, 31), (11, 5, 0)), slice(None)),
    ],
)
def test_compact_pixels(form: PixelFormat, used: slice) -> None:
    """ZRLE leaves out the byte of a pixel that holds no colour."""
    assert form.compact == used


def test_choosing_an_encoding() -> None:
    """The first encoding of a client's list that the server knows is used, and raw pixels without one."""
    encoder = Encoder()
    encoder.choose([7, 16, 6, 0, -239])
    assert encoder.encoding == 16
    encoder.choose([5, 7])
    assert encoder.encoding == 0


def test_changes() -> None:
    """The smallest box of changes within a part is found, and only that part counts as shown."""
    after = PICTURE.copy()
    after[5, 7] = after[60, 100] = (1, 2, 3)
    assert changed(PICTURE, PICTURE, Box(0, 0, 130, 70)) is None
    assert changed(PICTURE, after, Box(0, 0, 130, 70)) == Box(7, 5, 94, 56)
    assert changed(PICTURE, after, Box(0, 0, 50, 50)) == Box(7, 5, 1, 1)
    shown = merged(PICTURE, after, Box(0, 0, 50, 50))
    assert changed(shown, after, Box(0, 0, 130, 70)) == Box(100, 60, 1, 1)


def decoded(messages: list[bytes], encoding: int) -> list[np.ndarray]:
    """Decode updates of the usual pixels, as a client with one stream for all of them does."""
    stream, found = zlib.decompressobj(), []
    for message in messages:
        width, height, used = struct.unpack(">8xHHi", message[:16])
        assert used == encoding
        plain = stream.decompress(message[20:])
        assert len(message) == 20 + int.from_bytes(message[16:20], "big")
        found.append(untiled(plain, width, height) if encoding == 16 else unpacked(plain, width, height))
    return found


def unpacked(plain: bytes, width: int, height: int) -> np.ndarray:
    """Return the colours of whole pixels."""
    return np.frombuffer(plain, np.uint8).reshape(height, width, 4)[..., 2::-1]


def untiled(plain: bytes, width: int, height: int) -> np.ndarray:
    """Return the colours of tiles: of one colour (1), or pixel by pixel (0)."""
    colours, at = np.zeros((height, width, 3), np.uint8), 0
    for y in range(0, height, 64):
        for x in range(0, width, 64):
            tile = colours[y : y + 64, x : x + 64]
            count = 1 if plain[at] == 1 else tile.shape[0] * tile.shape[1]
            data = np.frombuffer(plain[at + 1 : at + 1 + 3 * count], np.uint8)[None, None]
            tile[:] = data.reshape((1, 1, 3) if plain[at] == 1 else tile.shape)[..., ::-1]
            at += 1 + 3 * count
    assert at == len(plain)
    return colours


@pytest.mark.parametrize("encoding", [6, 16], ids=["Zlib", "ZRLE"])
def test_compressed_pixels(encoding: int) -> None:
    """What is compressed comes out as it was, over several updates of one stream."""
    encoder = Encoder()
    encoder.choose([encoding])
    whole, part = Box(0, 0, 130, 70), Box(15, 5, 100, 65)
    first, second = decoded([encoder.update(PICTURE, whole), encoder.update(PICTURE, part)], encoding)
    assert np.array_equal(first, PICTURE)
    assert np.array_equal(second, PICTURE[5:70, 15:115])
