"""A program may play over the Model Context Protocol: over HTTP by the protocol's own client, and over stdio."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from socket import create_server
from typing import Any

import httpx2
import pytest
from small_world import SCREEN, Table

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.http import opened
from pytest_cuabench.agents.program.sandbox import inside
from pytest_cuabench.task.action import Answer, Click, Key, Screenshot, Wait
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.task.usage import Usage

from .boxed import needs_box, program

pytest.importorskip("mcp", reason="the extra mcp is not installed")
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

PNG = b"\x89PNG picture"
BRIEFING = Briefing("Do it", "screenshot", SCREEN, ("pointer", "keyboard"), 10, ("A manual",), (PNG,))
Script = Callable[[Any], Awaitable[Any]]
Connect = Callable[[Path], AbstractAsyncContextManager[Any]]
STDIO = Path(inside.__file__).with_name("stdio.py")
INSPECTOR = shutil.which("mcp-inspector")


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


@asynccontextmanager
async def connected_by_stdio(socket: Path) -> AsyncIterator[Client]:
    """Connect the protocol's own client to a door by the program that the box has for it."""
    async with forwarded(socket) as url:
        environment = {"CUABENCH_URL": url, "CUABENCH_TOKEN": "t"}
        server = StdioServerParameters(command=sys.executable, args=[str(STDIO)], env=environment)
        async with Client(stdio_client(server)) as client:
            yield client


@asynccontextmanager
async def forwarded(socket: Path) -> AsyncIterator[str]:
    """Forward a port to a door, as in a box, and yield its address."""
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    await inside.forward(port, str(socket), set())
    yield f"http://127.0.0.1:{port}"


def play(
    folder: Path, script: Script, *seen: Observation, connect: Connect = connected
) -> tuple[Any, list[Decision]]:
    """Let a client act while the loop shows these observations; return its result and the decisions."""

    async def both() -> tuple[Any, list[Decision]]:
        exchange, decisions = Exchange(BRIEFING), []

        async def loop() -> None:
            for each in seen:
                decisions.append(await exchange.decide(each))
            exchange.end()

        async with opened(exchange, folder / "s", "t", 1000, mcp=True), asyncio.timeout(30):
            looping = asyncio.create_task(loop())
            async with connect(folder / "s") as client:
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


def test_acts_by_stdio(tmp_path: Path) -> None:
    """The protocol's own client of standard streams lists and calls tools by the box's program."""

    async def script(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        return len(tools), await client.call_tool("key", {"keys": ["n"]})

    (count, shown), decisions = play(
        tmp_path,
        script,
        Observation(SCREEN),
        Observation(SCREEN, screenshot=PNG),
        connect=connected_by_stdio,
    )
    assert count > 5
    assert [each.type for each in shown.content] == ["text", "image"]
    assert decisions == [Decision((Key(("n",)),), usage=Usage(cost=None))]


@pytest.mark.slow
@pytest.mark.skipif(
    INSPECTOR is None,
    reason="the inspector is not installed; type: npm install -g @modelcontextprotocol/inspector",
)
def test_inspector(tmp_path: Path) -> None:
    """The protocol's inspector lists and calls the tools of an episode."""

    async def script(url: str) -> list[Any]:
        return [await inspect(url, "tools/list"), await inspect(url, "tools/call", "--tool-name", "wait")]

    async def inspect(url: str, method: str, *more: str) -> Any:
        given = ("-e", f"CUABENCH_URL={url}", "-e", "CUABENCH_TOKEN=t")
        process = await asyncio.create_subprocess_exec(
            *(INSPECTOR or "", "--cli", *given, sys.executable, str(STDIO), "--method", method, *more),
            stdout=asyncio.subprocess.PIPE,
        )
        return json.loads((await process.communicate())[0])

    (listed, called), decisions = play(
        tmp_path, script, Observation(SCREEN), Observation(SCREEN, screenshot=PNG), connect=forwarded
    )
    assert {"click", "finish"} <= {tool["name"] for tool in listed["tools"]}
    assert [part["type"] for part in called["content"]] == ["text", "image"]
    assert [each.actions for each in decisions] == [(Wait(),)]


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
