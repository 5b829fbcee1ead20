"""A program may reach the hosts that its profile names, and no others: by a proxy that belongs to its episode."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from small_world import Table

from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.agents.program.sandbox.hosts import MOST_CONNECTIONS, Host, Hosts, read_host, read_hosts
from pytest_cuabench.errors import SettingError

from .boxed import needs_box, program
from .test_program import steps_of

DOOR = Host("127.0.0.1", 8000)
FETCH = """
import http.client
def fetch(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
def tunnel(host, port):
    connection = http.client.HTTPConnection("127.0.0.1", 8001)
    connection.set_tunnel(host, port)
    try:
        connection.request("GET", "/through")
        return connection.getresponse().read().decode()
    except OSError as error:
        return str(error)
"""


class Model(BaseHTTPRequestHandler):
    """A server that tells the path and the body of a request."""

    def do_GET(self) -> None:
        """Answer."""
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        told = f"{self.path} {self.headers['host']} {body}".encode()
        self.send_response(200)
        self.send_header("content-length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    do_POST = do_GET

    def log_message(self, *words: object) -> None:
        """Write nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a model server on this computer's loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for sockets."""
    return tmp_path_factory.mktemp("h")


def ask(hosts: Hosts, folder: Path, *requests: bytes) -> list[bytes]:
    """Return the proxy's answers to requests, each on a connection of its own."""

    async def one(request: bytes) -> bytes:
        reader, writer = await asyncio.open_unix_connection(folder / "s")
        writer.write(request)
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        return answer

    async def all_of_them() -> list[bytes]:
        async with asyncio.timeout(30), hosts.opened(folder / "s"):
            return [await one(request) for request in requests]

    return asyncio.run(all_of_them())


def connect(target: str) -> bytes:
    """Return a request for a tunnel."""
    return f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode()


def resolving(monkeypatch: pytest.MonkeyPatch, **addresses: str) -> None:
    """Let names have these addresses."""
    real = socket.getaddrinfo

    def fake(name: Any, port: Any, *rest: Any, **more: Any) -> Any:
        return real(addresses.get(str(name).partition(".")[0], name), port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", fake)


@needs_box
def test_reaches_named_hosts_only(table: Table, port: int) -> None:
    """A boxed program reaches a named host by plain HTTP and by a tunnel; others are refused, and recorded."""
    code = (
        FETCH
        + f"""
found = [fetch("http://localhost:{port}/v1"), tunnel("localhost", {port}), fetch("http://localhost:1/"),
         fetch("http://model.example/"), tunnel("localhost", 22)]
try:
    socket = __import__("socket").create_connection(("127.0.0.1", {port}), 2)
    found.append("reached past the proxy")
except OSError:
    found.append("no network")
key("n")
finish(answer=json.dumps(found))
"""
    )
    agent = program(code, network=[f"localhost:{port}"])
    last = table.play(agent).last
    assert last.answer, last.error
    assert last.conditions.isolation == "box_with_hosts"
    plain, tunnelled, *refused, past = json.loads(last.answer)
    assert plain == [200, f"/v1 localhost:{port} "]
    assert tunnelled == f"/through localhost:{port} "
    assert [each[0] for each in refused[:2]] == [403, 403]
    assert "is not one of this episode's hosts" in refused[0][1]
    assert "403" in refused[2]
    assert past == "no network"
    raw: Any = steps_of(table, last)[-1]["raw"]
    reached = raw["hosts"][f"localhost:{port}"]
    assert reached["connections"] == 2
    assert min(reached["sent"], reached["received"]) > 0
    assert raw["refused_hosts"] == {"localhost:1": 1, "model.example:80": 1, "localhost:22": 1}


@needs_box
def test_refused_hosts_are_told(table: Table) -> None:
    """The error of a program that does not act tells which hosts it was refused; it is graded."""
    code = FETCH + "call('/v1/briefing'); sys.exit(tunnel('api.other.example', 443))"
    last = table.play(program(code, network=["api.model.example"])).last
    assert last.outcome == "gave_up"
    assert "asked for api.other.example:443, which options.network does not name" in (last.error or "")


@needs_box
@pytest.mark.parametrize("code", ["sys.exit(1)", "time.sleep(60)"], ids=["exits", "hangs"])
def test_dead_host(table: Table, code: str) -> None:
    """A program that stops because its model's host cannot be reached is an infrastructure failure."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    agent = program(FETCH + f"key('l'); tunnel('localhost', {port})\n{code}", network=[f"localhost:{port}"])
    last = table.play(agent, seconds=4.0).last
    assert last.outcome == "provider_error"
    assert f"localhost:{port} cannot be reached: Connection refused" in (last.error or "")


def test_a_host_that_the_program_kept_busy(folder: Path, monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """A failed connection is an excuse only where the host is not reached without the program either."""
    monkeypatch.setattr("pytest_cuabench.agents.program.sandbox.hosts._CONTROL_PAUSES", (0.0, 0.0))
    with socket.create_server(("127.0.0.1", 0)) as server:
        dead = server.getsockname()[1]
    alive, gone = read_hosts([f"localhost:{port}", f"localhost:{dead}"], 8000)
    hosts = Hosts((alive, gone), folder / "door", DOOR)
    assert asyncio.run(hosts.control()) == ""
    hosts.failed[alive] = "it did not answer"
    assert asyncio.run(hosts.control()) == ""
    hosts.failed[gone] = "it cannot be reached"
    assert asyncio.run(hosts.control()) == f"{gone} cannot be reached: Connection refused"


def test_names_are_exact(folder: Path) -> None:
    """Another name, port, form of an address or part of a name is refused."""
    hosts = Hosts(read_hosts(["api.model.example", "10.0.0.7:8000"], 8000), folder / "door", DOOR)
    others = [
        "api.model.example:80",
        "xapi.model.example:443",
        "model.example:443",
        "api.model.example.evil.example:443",
        "10.0.0.7:443",
        "10.0.0.8:8000",
        "[::ffff:10.0.0.7]:8000",
        "167772167:8000",
        "127.0.0.1:22",
        "[::1]:22",
    ]
    answers = ask(hosts, folder, *map(connect, others))
    assert [answer.split()[1] for answer in answers] == [b"403"] * len(others)
    assert len(hosts.refused) == len(others)


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1", "0.0.0.0"])
def test_private_addresses(folder: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """A name that leads to an address of this computer or its network is refused, and told."""
    resolving(monkeypatch, api=address)
    hosts = Hosts((read_host("api.model.example"),), folder / "door", DOOR)
    (answer,) = ask(hosts, folder, connect("api.model.example:443"))
    assert answer.startswith(b"HTTP/1.1 502 ")
    assert f"its address {address} is a private one" in hosts.failed[hosts.named[0]]


def test_named_private_address(folder: Path, monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """A name may lead to a private address that is named, too."""
    resolving(monkeypatch, gpu="127.0.0.1")
    hosts = Hosts(read_hosts([f"gpu.lan:{port}", f"127.0.0.1:{port}"], 8000), folder / "door", DOOR)
    request = (
        f"POST http://GPU.lan:{port}/v1?a=b HTTP/1.1\r\nHost: other\r\nContent-Length: 2\r\n\r\nhi".encode()
    )
    (answer,) = ask(hosts, folder, request)
    assert answer.startswith(b"HTTP/1.0 200 ")
    assert answer.endswith(f"/v1?a=b GPU.lan:{port} hi".encode())


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET https://api.model.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000,
        *map(connect, ("host", "a:99999", "u@a:1")),
    ],
)
def test_nonsense(folder: Path, request_: bytes) -> None:
    """What is no request for a host is refused."""
    hosts = Hosts((read_host("api.model.example"),), folder / "door", DOOR)
    (answer,) = ask(hosts, folder, request_)
    assert answer.split()[1] in (b"400", b"403")


def test_many_connections(folder: Path) -> None:
    """Connections beyond the most are closed; all end with the episode."""

    async def open_many() -> tuple[int, int]:
        hosts = Hosts((read_host("api.model.example"),), folder / "door", DOOR)
        async with asyncio.timeout(30), hosts.opened(folder / "s"):
            opened = [await asyncio.open_unix_connection(folder / "s") for _ in range(MOST_CONNECTIONS + 5)]
            for reader, _ in opened[MOST_CONNECTIONS:]:
                await reader.read()
            held = len(hosts._connections)
        ended = [await reader.read() for reader, _ in opened]
        for _, writer in opened:
            writer.close()
        return held, len(ended)

    assert asyncio.run(open_many()) == (MOST_CONNECTIONS, MOST_CONNECTIONS + 5)


@pytest.mark.parametrize("text", ["", "http://a", "a/b", "a:0", "a:x", "u@a", "*.example.com", "a b", "[::1"])
def test_no_hosts(text: str) -> None:
    """An entry that is no host is told with what to write."""
    with pytest.raises(SettingError, match=r"options\.network: .* is not a host; write 'api\.example\.com'"):
        program("", network=[text])


def test_door_is_no_host() -> None:
    """The door's own address cannot be named."""
    with pytest.raises(SettingError, match="is the door's in the box; write 'localhost:8000'"):
        program("", network=["127.0.0.1:8000"])


def test_forms() -> None:
    """Hosts are names or addresses, with port 443 if none is given."""
    texts = ["API.example.com", "10.0.0.7:8000", "[::1]:9"]
    assert list(map(str, read_hosts(texts, 8000))) == ["api.example.com:443", "10.0.0.7:8000", "[::1]:9"]
    assert isinstance(program("", network=texts), ProgramAgent)
