"""A program may play over the Model Context Protocol: over HTTP by the protocol's own client, and over stdio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from small_world import SCREEN, Table

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.program.door import opened
from pytest_cuabench.agents.program.exchange import Exchange
from pytest_cuabench.task.action import Answer, Click, Key, Screenshot
from pytest_cuabench.task.observation import ActionResult, Observation

from .boxed import needs_box, program

pytest.importorskip("mcp", reason="the extra mcp is not installed")
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

PNG = b"\x89PNG picture"
BRIEFING = Briefing("Do it", "screenshot", SCREEN, ("pointer", "keyboard"), 10, ("A manual",), (PNG,))
Script = Callable[[Client], Awaitable[Any]]


@asynccontextmanager
async def connected(socket: Path) -> AsyncIterator[Client]:
    """Connect the protocol's own client to a door."""
    headers = {"Authorization": "Bearer t"}
    transport = httpx2.AsyncHTTPTransport(uds=str(socket))
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers) as http,
        Client(streamable_http_client("http://door/mcp", http_client=http)) as client,
    ):
        yield client


def play(folder: Path, script: Script, *seen: Observation) -> tuple[Any, list[Decision]]:
    """Let a client act while the loop shows these observations; return its result and the decisions."""

    async def both() -> tuple[Any, list[Decision]]:
        exchange, decisions = Exchange(BRIEFING), []

        async def loop() -> None:
            for each in seen:
                decisions.append(await exchange.decide(each))
            exchange.end()

        async with opened(exchange, folder / "s", "t", 1000, mcp=True), asyncio.timeout(30):
            looping = asyncio.create_task(loop())
            async with connected(folder / "s") as client:
                result = await script(client)
            looping.cancel()
        return result, decisions

    return asyncio.run(both())


def texts(result: Any) -> str:
    """Return the texts of a tool's result."""
    return "\n".join(each.text for each in result.content if each.type == "text")


def test_tools(tmp_path: Path) -> None:
    """There is a tool for each action that works here, and finish; what the environment lacks is not offered."""

    async def script(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools, _ = play(tmp_path, script, Observation(SCREEN))
    names = {tool.name for tool in tools}
    assert {"click", "type", "key", "scroll", "drag", "wait", "screenshot", "finish"} <= names
    assert not {"navigate", "run_code", "click_element", "answer", "terminate"} & names
    click = next(tool for tool in tools if tool.name == "click")
    assert click.input_schema["properties"]["button"]["enum"] == [
        "left",
        "middle",
        "right",
        "back",
        "forward",
    ]


def test_acts(tmp_path: Path) -> None:
    """A tool call is one step, and its result holds the screen afterwards; only looking again is a step."""

    async def script(client: Client) -> Any:
        return [
            await client.call_tool("screenshot", {}),
            await client.call_tool("click", {"x": 3, "y": 4}),
            await client.call_tool("screenshot", {}),
            await client.call_tool("key", {"keys": ["Control", "a"]}),
            await client.call_tool("finish", {"answer": "42"}),
        ]

    after = Observation(SCREEN, screenshot=b"after", results=(ActionResult(error="refused"),))
    found, decisions = play(
        tmp_path, script, Observation(SCREEN, screenshot=PNG), after, *[Observation(SCREEN)] * 2
    )
    assert [each.actions for each in decisions] == [
        (Click(3, 4),),
        (Screenshot(),),
        (Key(("ctrl", "a")),),
        (Answer("42"),),
    ]
    assert [each.type for each in found[0].content] == ["text", "image"]
    assert found[1].is_error
    assert "The action failed: refused" in texts(found[1])
    assert "Turn 1 of 10" in texts(found[1])
    assert texts(found[-1]) == "The episode has ended; stop now."


def test_resources(tmp_path: Path) -> None:
    """Goal, documents and their pictures are resources."""

    async def script(client: Client) -> Any:
        listed = [str(each.uri) for each in (await client.list_resources()).resources]
        return listed, [(await client.read_resource(uri)).contents[0] for uri in listed]

    (listed, contents), _ = play(tmp_path, script, Observation(SCREEN))
    assert listed == ["task://goal", "task://document/1", "task://picture/1"]
    assert [contents[0].text, contents[1].text] == ["Do it", "A manual"]


def test_faults(tmp_path: Path) -> None:
    """An unknown tool or argument is told; arguments that cannot be read are a step, as for other agents."""

    async def script(client: Client) -> Any:
        return [
            await client.call_tool("fly", {}),
            await client.call_tool("click", {"x": "left"}),
            await client.call_tool("finish", {"status": "won"}),
        ]

    found, decisions = play(tmp_path, script, Observation(SCREEN), Observation(SCREEN))
    assert "there is no tool 'fly'" in texts(found[0])
    assert [each.format_error for each in decisions] == [
        "click: x is 'left', but must be a whole number or nothing"
    ]
    assert "status is 'won'" in texts(found[2])


def test_another_token(tmp_path: Path) -> None:
    """A client with another token gets nothing."""

    async def post() -> httpx2.Response:
        transport = httpx2.AsyncHTTPTransport(uds=str(tmp_path / "s"))
        async with (
            opened(Exchange(BRIEFING), tmp_path / "s", "t", 1000, mcp=True),
            httpx2.AsyncClient(transport=transport) as http,
        ):
            return await http.post("http://door/mcp", headers={"Authorization": "Bearer other"}, json={})

    assert asyncio.run(post()).status_code == 401


@needs_box
def test_stdio(table: Table) -> None:
    """A program in the box that starts its server speaks over stdio to the same door."""
    code = """
import subprocess
command = [sys.executable, "/opt/cuabench/stdio.py"]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(number, method, **params):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number:
        message["id"] = number
    server.stdin.write(json.dumps(message) + chr(10))
    server.stdin.flush()
    return json.loads(server.stdout.readline()) if number else None
about = {"name": "mine", "version": "1"}
first = ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
ask(0, "notifications/initialized")
ask(2, "tools/call", name="key", arguments={"keys": "n"})
ask(3, "tools/call", name="finish", arguments={"answer": first["result"]["serverInfo"]["name"]})
"""
    last = table.play(program(code, door="mcp")).last
    assert (last.outcome, last.answer, last.steps) == ("success", "cuabench", 2), last.error
