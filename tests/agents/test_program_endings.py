"""No program gets out of a verdict: whatever ends it after its first step, what really changed is judged."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from small_world import ROWS, Table, react

from pytest_cuabench.agents.program.endpoints.http import MOST_CONNECTIONS, Guard
from pytest_cuabench.task.action import Action
from pytest_cuabench.testing import FakeEnvironment

from .boxed import needs_box, program

pytestmark = needs_box
PARENTS = """
import signal
def kill(number):
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        if pid != os.getpid():
            try:
                os.kill(pid, number)
            except OSError:
                pass
"""
IDLE = """
import subprocess
for _ in range(4):
    subprocess.Popen([sys.executable, "-c", '''
import socket, time
held = []
try:
    while len(held) < 400:
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(0.2)
        one.connect("/run/cuabench/door.sock")
        held.append(one)
except OSError:
    pass
print("held", flush=True)
time.sleep(60)
'''], stdout=open("held", "a"))
while open("held").read().count("held") < 4:
    time.sleep(0.05)
"""
MCP_ONLY = """
about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "mine", "version": "1"}}
data = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}).encode()
headers = {"Authorization": "Bearer " + os.environ["CUABENCH_TOKEN"], "Content-Type": "application/json",
           "Accept": "application/json, text/event-stream"}
urllib.request.urlopen(urllib.request.Request(os.environ["CUABENCH_URL"] + "/mcp", data, headers)).read()
"""


@pytest.fixture(autouse=True)
def left(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a program did: no process and no folder is left, and the next episode is played as usual."""
    folder = tempfile.TemporaryDirectory()  # short, for sockets; of this test alone
    monkeypatch.setattr(tempfile, "tempdir", folder.name)
    processes = set(psutil.Process().children(recursive=True))
    yield
    assert table.play(program("key('n'); finish()")).last.outcome == "success"
    leases = (
        Path(folder.name) / f"cuabench-{os.getuid()}"
    )  # it stays, with the empty locks of numbers of users
    kept = {leases, *leases.glob("user-*")}
    assert [each for each in Path(folder.name).rglob("*") if each not in kept] == []
    folder.cleanup()
    assert set(psutil.Process().children(recursive=True)) <= processes


@pytest.mark.parametrize(("act", "score"), [("key('l')", 0.0), ("key('n')", 1.0)], ids=["not done", "done"])
@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("sys.exit(1)", {}),
        ("os.kill(os.getpid(), 9)", {}),
        (PARENTS + "kill(signal.SIGKILL); time.sleep(60)", {}),
        ("held = [bytes(10_000_000) for _ in range(100)]", {"memory": 200}),
        ("[open(f'/tmp/{n}', 'wb').write(bytes(1_000_000)) for n in range(100)]", {"disk": 5}),
        ("while True: os.fork()", {"processes": 30}),
        ("while True: call('/v1/observation')", {"requests": 100}),
    ],
    ids=["exits", "is killed", "kills its box", "memory", "disk", "processes", "requests"],
)
def test_is_judged(table: Table, act: str, score: float, code: str, options: dict[str, int]) -> None:
    """A program that acts and then dies has given up: what it did is judged, and it is not retried."""
    played = table.play(program(f"{act}\n{code}", **options), attempts=2)
    last = played.last
    assert (last.outcome, last.ending, last.error) == ("gave_up", "failure", None)
    assert last.verdict is not None
    assert (last.verdict.score, len(played.attempts)) == (score, 1)


@pytest.mark.parametrize(
    "code",
    ["time.sleep(600)", PARENTS + "kill(signal.SIGSTOP); time.sleep(600)"],
    ids=["sleeps", "stops its box"],
)
def test_hangs(table: Table, code: str) -> None:
    """A program that acts and then does nothing is ended by the task's seconds."""
    last = table.play(program(f"key('l')\n{code}"), seconds=3.0).last
    assert (last.outcome, last.ending, last.steps) == ("budget_exhausted", "budget", 1), last.error


def test_leaves_in_a_step(table: Table) -> None:
    """A step whose connection is closed before its answer is carried out and judged."""
    code = """
import socket
body = json.dumps({"actions": [{"kind": "wait", "seconds": 0.3}, {"kind": "key", "keys": "n"}]}).encode()
head = f"POST /v1/step HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer {os.environ['CUABENCH_TOKEN']}\\r\\n"
sent = socket.socket(socket.AF_UNIX)
sent.connect("/run/cuabench/door.sock")
sent.sendall(head.encode() + f"Content-Length: {len(body)}\\r\\n\\r\\n".encode() + body)
call("/v1/briefing")
sent.close()
"""
    last = table.play(program(code)).last
    assert (last.outcome, last.steps) == ("success", 2), last.error


def test_looks_only(table: Table) -> None:
    """A program that opens a session of the protocol, never uses it and exits is judged."""
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    last = table.play(program(MCP_ONLY, door="mcp")).last
    assert (last.outcome, last.ending, last.steps) == ("failure", "success", 1), last.error


def test_idle_connections(table: Table) -> None:
    """A program that opens many connections takes few of the session's file descriptors, and is still judged."""
    most = 0

    def counting(world: FakeEnvironment, action: Action) -> None:
        nonlocal most
        most = max(most, psutil.Process().num_fds())
        react(world, action)

    before = psutil.Process().num_fds()
    code = "import http.client\nkept = http.client.HTTPConnection('127.0.0.1', 8000); kept.connect()\n" + IDLE
    code += """
head = {"Authorization": "Bearer " + os.environ["CUABENCH_TOKEN"]}
kept.request("POST", "/v1/step", json.dumps({"actions": [{"kind": "key", "keys": "n"}]}), head)
print(kept.getresponse().status)
"""
    world = FakeEnvironment(ROWS, counting)
    last = table.play(agent := program(code), world=world).last
    assert last.outcome == "success", (last.error, agent._box.tail())
    assert 0 < most < before + MOST_CONNECTIONS + 30


def test_broken_door(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the door fails without the program, too, its end is an infrastructure failure."""
    passed = Guard.__call__

    async def breaking(guard: Guard, scope: object, receive: object, send: object) -> None:
        if guard.exchange.steps:

            async def app(*arguments: object) -> None:
                raise ZeroDivisionError("a bug of the door")

            guard.app = app
        await passed(guard, scope, receive, send)  # type: ignore[arg-type]

    monkeypatch.setattr(Guard, "__call__", breaking)
    last = table.play(program("key('l'); key('l'); sys.exit(1)")).last
    monkeypatch.undo()
    assert last.outcome == "provider_error"
    assert "the door failed: ZeroDivisionError: a bug of the door" in (last.error or "")
