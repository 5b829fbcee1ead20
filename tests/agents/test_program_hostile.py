"""Whatever a program sends to a door is a step, refused, or cut off: nothing fails inside, and the door stays open."""

from __future__ import annotations

import asyncio
import io
import json
import random
import socket
import struct
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from small_world import SCREEN

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.program.endpoints.cdp.client import Client
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.http import Guard, opened, routes
from pytest_cuabench.agents.program.sandbox import stdio
from pytest_cuabench.task.observation import ActionResult, Observation, RunResult
from pytest_cuabench.testing import blank_png

from . import test_vnc_door as vnc

TOKEN = "t" * 43
NAMES = (
    "kind",
    "x",
    "y",
    "keys",
    "key",
    "text",
    "path",
    "seconds",
    "button",
    "count",
    "modifiers",
    "\ud800",
    "",
)
KINDS = ("click", "type", "key", "drag", "wait", "zoom", "run_code", "terminate", "\udfff", "", "finish")
leaves = (
    some.none()
    | some.booleans()
    | some.sampled_from(
        [*KINDS, "ctrl+a", 10**300, -1, 0, 5, 1e308, float("nan"), float("inf"), "\ud800", "a\x00"]
    )
    | some.text(max_size=5)
)
values = some.recursive(
    leaves,
    lambda inner: (
        some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=8,
)
actions = some.dictionaries(some.sampled_from(NAMES), values, max_size=4).flatmap(
    lambda rest: some.sampled_from(KINDS).map(lambda kind: {**rest, "kind": kind})
)
steps = some.fixed_dictionaries(
    {"actions": some.lists(actions | values, max_size=3)},
    optional={
        "usage": values | some.fixed_dictionaries({"cost": leaves}),
        "thought": leaves,
        "\ud801": leaves,
    },
)
ODD = (
    b"\xff\xfe\x00", b"[" * 100_000, b'{"actions":' + b"[" * 900 + b"]" * 900 + b"}", b"9" * 5_000, b'"\\ud800"', b"",
    b'{"actions":[{"kind":"wait","kind":"click","x":1,"x":2}]}', b'{"pyautogui":"pyautogui.write(\\"\\ud800\\")"}',
    b'{"actions":[{"kind":"click","\\ud800":1}]}', b'{"pyautogui":"' + b"(" * 5_000 + b'"}', b"NaN", b"null",
    b'{"actions":[{"kind":"drag","path":' + b"[" * 500 + b"]" * 500 + b"}]}", b'{"status":{}}', b'{"status":[[]]}',
)  # fmt: skip


def an_exchange() -> Exchange:
    """Return an episode's exchange."""
    return Exchange(Briefing("do", "screenshot", SCREEN, ("pointer", "keyboard", "code"), 99))


async def answering(exchange: Exchange) -> None:
    """Answer every step, with odd texts of what it did."""
    seen = Observation(SCREEN, blank_png(SCREEN))
    while True:
        decision = await exchange.decide(seen)
        done = json.dumps([action.to_json() for action in decision.actions], allow_nan=False)
        results = tuple(ActionResult(ran=RunResult(0, f"\ud800{done}", "\0\udfff")) for _ in decision.actions)
        notices = (decision.format_error or "", decision.thought)
        seen = Observation(SCREEN, blank_png(SCREEN), notices=notices, results=results)


def sends(bodies: list[bytes], *paths: str) -> list[int]:
    """Send each body to each path of a door whose loop answers every step; return the statuses."""
    exchange = an_exchange()

    async def send() -> list[int]:
        from starlette.applications import Starlette

        guard = Guard(Starlette(routes=routes(exchange)), exchange, TOKEN, 10_000)
        playing = asyncio.create_task(answering(exchange))
        transport = httpx.ASGITransport(guard)  # type: ignore[arg-type]
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://door", headers=headers) as client:
            found = [(await client.post(path, content=body)).status_code for body in bodies for path in paths]
            found.append((await client.get("/v1/observation")).status_code)
        playing.cancel()
        assert guard.fault == ""
        return found

    return asyncio.run(send())


def test_odd_bodies() -> None:
    """Bodies that are no text, no JSON, nested too deeply or hold lone surrogates get 400 or make a step of none."""
    found = sends(list(ODD), "/v1/step", "/v1/finish")
    assert set(found) <= {200, 400}
    assert found[-1] == 200  # what was said of them can still be told


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(steps, min_size=1, max_size=5))
def test_steps_of_any_form(given_steps: list[dict[str, Any]]) -> None:
    """A step whose names and values are anything is answered, and so is the next look."""
    found = sends([json.dumps(step).encode() for step in given_steps], "/v1/step")
    assert set(found) <= {200, 400}
    assert found[-1] == 200


def test_a_fault_of_the_door_is_a_malformed_request() -> None:
    """Where answering fails inside, the program is told that its request is malformed, and the fault is kept."""
    exchange = Exchange(Briefing("do", "screenshot", SCREEN, ("pointer",), 9))

    async def app(*arguments: Any) -> None:
        raise ZeroDivisionError("a bug of the door")

    async def ask() -> tuple[int, str]:
        guard = Guard(app, exchange, TOKEN, 10)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://door") as client:  # type: ignore[arg-type]
            answer = await client.post("/v1/step", headers={"Authorization": f"Bearer {TOKEN}"})
        return answer.status_code, guard.fault

    assert asyncio.run(ask()) == (400, "the door failed: ZeroDivisionError: a bug of the door")


@pytest.mark.parametrize("fault", [TypeError("x"), KeyError("x"), RecursionError("x"), OverflowError("x")])
def test_a_cdp_call_that_fails_inside(fault: Exception) -> None:
    """A call by CDP whose parameters fail inside is answered by an error, and the connection stays."""

    class Door:
        exchange = None

    async def fails(*arguments: Any) -> Any:
        raise fault

    async def answer() -> list[str]:
        client = Client(Door(), None)  # type: ignore[arg-type]
        client._call = fails  # type: ignore[method-assign]
        await client._answer('{"id": 7, "method": "Page.enable", "params": {}}')
        return [client._sent.get_nowait()]

    (sent,) = asyncio.run(answer())
    assert json.loads(sent)["id"] == 7
    assert "malformed" in json.loads(sent)["error"]["message"]


# The Model Context Protocol

LEAVES = (None, True, 10**300, float("nan"), "\ud800", "a\0", "x" * 30_000, [], {}, [[]], {"\ud800": 1})
METHODS = (
    "tools/call",
    "tools/list",
    "resources/read",
    "initialize",
    "notifications/cancelled",
    "\ud800",
    "none",
)
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def mcp_messages() -> list[bytes]:
    """Return messages of every form: odd methods, names, arguments, addresses and ids."""
    odd: list[Any] = [*LEAVES]
    odd += [{"name": "key", "arguments": leaf} for leaf in LEAVES]
    odd += [{"name": "key", "arguments": {"keys": leaf, "\ud800": 1}} for leaf in LEAVES]
    calls = [(method, each) for method in METHODS[1:] for each in LEAVES] + [
        ("tools/call", each) for each in odd
    ]
    calls += [("resources/read", {"uri": leaf}) for leaf in LEAVES]
    calls += [("tools/call", {"name": leaf, "_meta": leaf}) for leaf in LEAVES]
    told = [{"jsonrpc": "2.0", "id": 1, "method": method, "params": given} for method, given in calls]
    told += [{"jsonrpc": "2.0", "id": leaf, "method": "ping"} for leaf in LEAVES]
    return [*ODD, *(json.dumps(each).encode() for each in told)]


@pytest.mark.parametrize("way", ["http", "stdio"])
def test_mcp_messages_of_any_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Whatever is sent by the Model Context Protocol is answered, nothing fails inside, and the door stays open."""
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from .test_program_mcp import forwarded

    exchange, messages = an_exchange(), mcp_messages()

    async def by_http() -> None:
        transport = httpx2.AsyncHTTPTransport(uds=str(tmp_path / "s"))
        headers = {"Authorization": f"Bearer {TOKEN}", **HEADERS}
        async with httpx2.AsyncClient(transport=transport, headers=headers, timeout=60) as client:
            found = Counter(
                [(await client.post("http://door/mcp", content=each)).status_code for each in messages]
            )
            assert set(found) <= {200, 202, 400}, found
            assert (await client.get("http://door/v1/briefing")).status_code == 200

    async def by_stdio() -> None:
        read, written = (
            io.TextIOWrapper(io.BytesIO(b"\n".join([*messages, b"x" * 2_000_000, b"{}"]))),
            io.StringIO(),
        )
        async with forwarded(tmp_path / "s") as url:
            monkeypatch.setattr(sys, "stdin", read)
            monkeypatch.setattr(sys, "stdout", written)
            monkeypatch.setenv("CUABENCH_URL", url)
            monkeypatch.setenv("CUABENCH_TOKEN", TOKEN)
            await asyncio.to_thread(stdio.main)
        monkeypatch.undo()
        answers = [json.loads(line) for line in written.getvalue().splitlines()]
        assert len(answers) > len(messages) // 2
        assert all("result" in each or each["error"]["message"] for each in answers)

    async def both() -> str:
        async with opened(exchange, tmp_path / "s", TOKEN, 10_000, mcp=True) as guard:
            playing = asyncio.create_task(answering(exchange))
            await (by_http if way == "http" else by_stdio)()
            assert not playing.done()
            playing.cancel()
        return guard.fault

    assert asyncio.run(both()) == ""
    assert exchange.steps > 0


# VNC


def vnc_message(chance: random.Random) -> bytes:
    """Return a message of a client whose values are anything, or what is no message."""
    match chance.choice((0, 2, 3, 4, 4, 5, 5, 6, 7)):
        case 0:
            return b"\0\0\0\0" + bytes(chance.choice((0, 1, 8, 16, 32, 255)) for _ in range(16))
        case 2:
            count = chance.randrange(5)
            return struct.pack(">BxH", 2, count) + chance.randbytes(4 * count)
        case 3:
            return struct.pack(">BB", 3, chance.randrange(3)) + chance.randbytes(8)
        case 4:
            keysym = chance.choice((chance.randrange(2**32), 0x100_2192, 0xFFE3, 97))
            return struct.pack(">BBxxI", 4, chance.randrange(2), keysym)
        case 5:
            return b"\5" + chance.randbytes(5)
        case 6:
            return struct.pack(">B3xI", 6, 3) + chance.randbytes(3)
    return chance.randbytes(1)


def test_vnc_messages_of_any_form() -> None:
    """Whatever a VNC client sends ends its connection at most: nothing fails inside, and the next one is served."""
    faults: list[Any] = []

    async def play(desk: vnc.Desk) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
        for seed in range(25):
            chance = random.Random(seed)
            client = await vnc.Client.of(desk)
            client.send(b"".join(vnc_message(chance) for _ in range(chance.randint(1, 25))))
            await client.writer.drain()
            client.writer.close()
            async with asyncio.timeout(60):
                await desk.door.idle()
        client = await vnc.Client.of(desk)
        client.ask(0)
        assert (await client.part())[0] == vnc.Box(0, 0, *vnc.SCREEN)

    assert vnc.run(play).steps
    assert faults == []


# SSH


def test_ssh_requests_of_any_form(tmp_path: Path) -> None:
    """Whatever an SSH client sends is a step or refused: nothing fails inside, and the next command is run."""
    asyncssh = pytest.importorskip("asyncssh", reason="pip install 'pytest-cuabench[ssh]'")
    from pytest_cuabench.agents.program.endpoints.ssh import SshEndpoint

    exchange = an_exchange()
    door, faults = SshEndpoint(exchange, TOKEN, lambda: True), []

    async def run(command: bytes, **more: Any) -> int:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.setblocking(False)
            await asyncio.get_running_loop().sock_connect(sock, str(tmp_path / door.socket))
            async with asyncssh.connect(
                sock=sock, config=None, known_hosts=None, username="agent", client_keys=[door.key]
            ) as client:
                try:
                    return int((await client.run(command, encoding=None, **more)).exit_status)
                except asyncssh.Error:
                    return -1

    async def play() -> list[int]:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
        async with door.opened(tmp_path), asyncio.timeout(60):
            playing = asyncio.create_task(answering(exchange))
            found = [
                await run(command)
                for command in (b"a\0b", b"\xff", b"\xed\xa0\x80", b"x" * 30_000, b"x" * 300_000, b"")
            ]
            found += [await run(b"ls", env={"A\0": "\u202e"}), await run(b"ls", term_type="x\0")]
            for seed in range(9):
                chance = random.Random(seed)
                _, writer = await asyncio.open_unix_connection(tmp_path / door.socket)
                writer.write(chance.choice((b"", b"SSH-2.0-x\r\n", b"SSH-1.0\r\n")) + chance.randbytes(200))
                writer.close()
            await door.idle()
            found.append(await run(b"ls"))
            await door.idle()
            playing.cancel()
        return found

    assert asyncio.run(play()) == [0, -1, -1, 255, -1, 255, 0, -1, 0]
    assert (faults, exchange.steps) == ([], 3)
