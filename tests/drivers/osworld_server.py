"""A strict stand-in for OSWorld's server: it takes what the protocol says and fails a test over anything else."""

from __future__ import annotations

import ast
import io
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

from PIL import Image

from pytest_cuabench.drivers.desktop.machine import Address

INPUT_SCRIPT = (
    resources.files("pytest_cuabench.drivers.desktop.osworld")
    .joinpath("input.py")
    .read_text(encoding="utf-8")
)
XML = """<desktop-frame xmlns:st="https://accessibility.ubuntu.example.org/ns/state"
 xmlns:cp="https://accessibility.ubuntu.example.org/ns/component"
 xmlns:val="https://accessibility.ubuntu.example.org/ns/value"
 xmlns:attr="https://accessibility.ubuntu.example.org/ns/attributes" name="main">
 <application name="kalgebra"><frame name="KAlgebra" st:showing="true" st:visible="true" st:multi_line="true"
  st:focused="false" cp:screencoord="(0, 20)" cp:size="(800, 600)"><entry name="" attr:description="a line"
  cp:screencoord="(-5, 30)" cp:size="(100, 20)">x^2 &lt; é</entry><slider name="zoom" val:value="0.5"/></frame>
 </application></desktop-frame>"""


def png(width: int = 64, height: int = 48, colour: str = "white") -> bytes:
    """Return a picture of one colour."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(buffer, "PNG")
    return buffer.getvalue()


@dataclass
class FakeMachine:
    """What the server shows, and what it was asked.

    Attributes:
        screens: Pictures, one each time; the last stays.
        acted: Canonical actions that the input script was sent, as plain data, each once.
        commands: Other commands of `/execute`.
        drop: Requests by `/execute` that break the line after they were carried out.
        answers: Replies that replace the usual, by path: status and body.
        once: The same, each sent one time.
        files: By path.
        read: What the input script reports for typed text: whether it was read, and whether the window was busy before.
    """

    screens: list[bytes] = field(default_factory=lambda: [png()])
    acted: list[dict[str, Any]] = field(default_factory=list)
    commands: list[Any] = field(default_factory=list)
    drop: int = 0
    answers: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    once: list[tuple[str, int, bytes]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    read: list[tuple[bool | None, bool]] = field(default_factory=list)
    pythons: tuple[str, ...] = ("python",)
    size: tuple[int, int] = (64, 48)
    xml: str = XML
    before: Callable[[str], None] = lambda _: None
    refused: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    address: Address = field(init=False)
    _marks: set[str] = field(default_factory=set)

    def screen(self) -> bytes:
        return self.screens.pop(0) if len(self.screens) > 1 else self.screens[0]

    def run(self, command: Any) -> Mapping[str, Any]:
        """Carry out a command as far as a stand-in can."""
        match command:
            case [python, "-c", program] if (
                python in ("python", "python3") and "Xlib.ext.xtest" in program[:60]
            ):
                if python not in self.pythons:
                    raise FileNotFoundError(f"[Errno 2] No such file or directory: '{python}'")
                return _done("[3, 10]\n")
            case [_, "-c", str(program)] if program.startswith(INPUT_SCRIPT):
                return _done(json.dumps(self._act(program.removeprefix(INPUT_SCRIPT))) + "\n")
        self.commands.append(command)
        return _done("ran\n")

    def _act(self, call: str) -> dict[str, Any]:
        """Read `main(<plain data>, <mark>)`: only literals may stand there."""
        (statement,) = ast.parse(call).body
        assert isinstance(statement, ast.Expr)
        assert isinstance(statement.value, ast.Call)
        assert ast.unparse(statement.value.func) == "main"
        action, mark = map(ast.literal_eval, statement.value.args)
        again = mark in self._marks
        if not again:
            self._marks.add(mark)
            self.acted.append(action)
        taken, busy = self.read.pop(0) if self.read and action["kind"] == "type" else (True, False)
        return {"mark": mark, "again": again, "taken": taken, "busy": busy}


def _done(output: str) -> dict[str, Any]:
    return {"status": "success", "output": output, "error": "", "returncode": 0}


@contextmanager
def serving(machine: FakeMachine) -> Iterator[FakeMachine]:
    """Serve a machine on a free port; what it had to refuse fails the test."""

    class Handler(_Handler):
        served = machine

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """Say nothing of clients that went away."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        machine.address = Address(f"http://127.0.0.1:{server.server_address[1]}")
        try:
            yield machine
        finally:
            server.shutdown()
    assert machine.refused == []


class _Handler(BaseHTTPRequestHandler):
    served: FakeMachine
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        known: dict[str, Callable[[], bytes]] = {
            "/platform": lambda: b"Linux",
            "/screenshot": self.served.screen,
            "/accessibility": lambda: json.dumps({"AT": self.served.xml}).encode(),
            "/cursor_position": lambda: b"[12, 34]",
        }
        self._serve(known)

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers["content-length"] or 0))
        width, height = self.served.size
        known: dict[str, Callable[[], bytes]] = {
            "/screen_size": lambda: json.dumps({"width": width, "height": height}).encode(),
            "/execute": self._execute,
            "/setup/launch": self._launch,
            "/file": self._file,
            "/tex/check": lambda: b'{"pass": true}',
        }
        self._serve(known)

    def _serve(self, known: dict[str, Callable[[], bytes]]) -> None:
        self.served.asked.append(self.path)
        self.served.before(self.path)
        if self.served.once and self.served.once[0][0] == self.path:
            self._send(*self.served.once.pop(0)[1:])
        elif self.path in self.served.answers:
            self._send(*self.served.answers[self.path])
        elif self.path not in known:
            self._send(404, b"<title>404 Not Found</title>")
        else:
            try:
                body = known[self.path]()
            except FileNotFoundError as error:
                self._send(500, json.dumps({"status": "error", "message": str(error)}).encode())
            except KeyError:
                self._send(404, b'{"error": "File not found"}')
            except Exception as error:
                self.served.refused.append(f"{self.path}: {error!r}")
                self._send(500, b"{}")
            else:
                self._send(200, body)

    def _send(self, status: int, body: bytes) -> None:
        if self.path == "/execute" and self.served.drop:
            self.served.drop -= 1
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _json(self) -> dict[str, Any]:
        assert self.headers["content-type"] == "application/json"
        data = json.loads(self.body)
        assert set(data) == {"command", "shell"}
        assert isinstance(data["shell"], bool)
        assert isinstance(data["command"], str) or all(isinstance(part, str) for part in data["command"])
        return dict(data)

    def _execute(self) -> bytes:
        return json.dumps(self.served.run(self._json()["command"])).encode()

    def _launch(self) -> bytes:
        command = self._json()["command"]
        self.served.commands.append(("launch", command))
        return f"{command} launched successfully".encode()

    def _file(self) -> bytes:
        fields = dict(parse_qsl(self.body.decode()))
        assert set(fields) == {"file_path"}
        return self.served.files[fields["file_path"]]
