"""The client of a machine that runs OSWorld's or ScienceBoard's server.

Such a server has no token, sessions or state. Each `/execute` runs one program of ours; only `run_code` runs a model's.
Each action carries an id, so that a retry after a broken connection has no second effect (see `input.py`).
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.desktop.client import Language, TreeNode
from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.drivers.desktop.osworld.http import TRIES, ask, connect, reason
from pytest_cuabench.drivers.desktop.osworld.tree import read_tree
from pytest_cuabench.drivers.desktop.settling import wait_until_settled
from pytest_cuabench.drivers.paint import checked, zoomed
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Action, CursorPosition, Point, Screenshot, Size, Type, Wait, Zoom
from pytest_cuabench.task.observation import ActionResult, RunResult

if TYPE_CHECKING:
    import httpx2

MAX_CODE = 100_000  # bytes; Linux takes no argument longer than 128 KiB
_COMMAND_SECONDS = 110.0  # the server's own limit is 120
_TREE_SECONDS = 120.0  # the server needs tens of seconds for a large tree
_TYPED_AT_ONCE = 500  # characters: a slow window reads them before the input script's timeout
_MAPPED_AT_ONCE = 60  # characters missing from the layout: as many as usual layouts have free keys
_PAUSE = 2.0  # seconds before a server that failed is asked again
_PNG = b"\x89PNG"
_PYTHONS = ("python", "python3")
_INPUT_SCRIPT = "pytest_cuabench.drivers.desktop.osworld", "input.py"
_PROBE = "import json, sys, Xlib.ext.xtest; print(json.dumps(list(sys.version_info[:2])))"
_BUSY = "the application is busy and does not read what is typed"
_ON_THE_SCREEN = frozenset({"pointer", "keyboard"})


class OSWorldClient:
    """A desktop behind OSWorld's in-guest server; see `GuestClient` for the methods."""

    sessions = False

    def __init__(self, address: Address, screen: Size | None = None) -> None:
        """`screen` is the size that the suite needs; `open` rejects a machine of another size."""
        self.screen = screen or Size(0, 0)
        self._wanted = screen
        self._address = address
        self._python = _PYTHONS[0]
        self._http: httpx2.AsyncClient | None = None

    async def open(self) -> None:
        """Check that an OSWorld Linux desktop answers; read its screen size and find its Python."""
        platform = (await self._call("GET", "/platform")).decode(errors="replace").strip()
        if platform != "Linux":
            raise EnvironmentFailure(
                f"{self._address} is a {platform[:40]!r} machine; only Linux desktops are driven"
            )
        size = _mapping(await self._call("POST", "/screen_size"), "/screen_size")
        self.screen = _size(size)
        if self._wanted and self._wanted != self.screen:
            raise EnvironmentFailure(
                f"{self._address} has a screen of {self.screen}, but the suite needs {self._wanted}; "
                f"set the machine's resolution to {self._wanted}"
            )
        self._python = await self._find_python()

    async def screenshot(self) -> bytes:
        """Return the screen as PNG, with the pointer."""
        image = self._good("GET", "/screenshot", *await self._observe("GET", "/screenshot", begins=_PNG))
        try:
            return await asyncio.to_thread(checked, image, self.screen)
        except ValueError as error:
            raise EnvironmentFailure(f"{self._address}: its screenshot {error}") from None

    async def tree(self) -> tuple[TreeNode, ...]:
        """Return the accessibility tree in reading order."""
        reply = await self._observe("GET", "/accessibility", seconds=_TREE_SECONDS)
        data = _mapping(self._good("GET", "/accessibility", *reply), "/accessibility")
        xml = data.get("AT")
        if not isinstance(xml, str):
            raise EnvironmentFailure(f"{self._address}: /accessibility returned no tree")
        return await asyncio.to_thread(read_tree, xml)

    async def perform(self, actions: Sequence[Action]) -> tuple[ActionResult, ...]:
        """Perform actions in order and wait until the screen has settled."""
        return tuple([await self._one(action) for action in actions])

    async def settle(self) -> None:
        """Wait until the screen has settled."""
        await wait_until_settled(self.screenshot)

    async def cursor(self) -> Point:
        """Return the position of the pointer."""
        found = _json(await self._call("GET", "/cursor_position"), "/cursor_position")
        match found:
            case [int() | float() as x, int() | float() as y]:
                return Point(int(x), int(y))
        raise EnvironmentFailure(f"{self._address}: /cursor_position returned {str(found)[:80]}")

    async def run_code(self, code: str, language: Language, seconds: float) -> RunResult:
        """Run a model's program with a timeout; nothing else confines it on the machine."""
        if len(code.encode()) > MAX_CODE:
            return RunResult(1, "", f"the program is longer than {MAX_CODE} bytes")
        program = [self._python] if language == "python" else ["bash"]
        # Ends before the server itself would end the call.
        limit = f"{min(seconds, _COMMAND_SECONDS - 5):g}"
        return await self._run(["timeout", "--kill-after=2", limit, *program, "-c", code])

    async def execute(self, command: Sequence[str] | str, *, shell: bool = False) -> RunResult:
        """Run a command as the desktop's user; the server ends it after two minutes."""
        return await self._run(command, shell=shell)

    async def launch(self, command: Sequence[str] | str, *, shell: bool = False) -> None:
        """Start a program without waiting for it."""
        # Never sent twice: the program would run twice.
        await self._call("POST", "/setup/launch", json={"command": command, "shell": shell}, again=False)

    async def read_file(self, path: str) -> bytes | None:
        """Return a file; None if it does not exist."""
        status, body = await self._observe("POST", "/file", data={"file_path": path})
        return None if status == 404 else self._good("POST", "/file", status, body)

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send JSON to another endpoint (`/opt`, `/tex/check`) and return its JSON reply, if any."""
        answer = await self._call("POST", path, json=body, again=False, seconds=_TREE_SECONDS)
        return _json(answer, path) if answer.lstrip()[:1] in (b"{", b"[") else answer.decode(errors="replace")

    async def close(self) -> None:
        """Close the connection."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _one(self, action: Action) -> ActionResult:
        match action:
            case Wait(seconds):
                await asyncio.sleep(seconds)
            case Screenshot():
                return ActionResult(image=await self.screenshot())
            case Zoom(region):
                return ActionResult(image=zoomed(await self.screenshot(), region, self.screen))
            case CursorPosition():
                return ActionResult(text="({}, {})".format(*await self.cursor()))
            case Type():
                return await self._type(action)
            case _ if action.needs in _ON_THE_SCREEN:
                result = await self._act(action)
                await self.settle()
                return ActionResult(_BUSY if result["busy"] else None)
            case _:
                return ActionResult(error=f"{action.kind} is not available on an OSWorld machine")
        return ActionResult()

    async def _type(self, action: Type) -> ActionResult:
        """Type a text in parts, as long as the focused window reads them."""
        end, done, parts = time.monotonic() + action.extra_seconds(), 0, tuple(_parts(action))
        whole = sum(len(part.text) for part in parts)
        for part in parts:
            result = await self._act(part)
            done += len(part.text)
            stopped = result["busy"] or (result["taken"] is False and part is not parts[-1])
            if stopped or (time.monotonic() > end and part is not parts[-1]):
                return ActionResult(f"{_BUSY}; at most {done} of {whole} characters were typed")
            if result["taken"] is not True:  # unknown: the layout changes only once the screen has settled
                await self.settle()
        await self.settle()
        return ActionResult()

    async def _act(self, action: Action) -> Mapping[str, Any]:
        """Perform one mouse or keyboard action exactly once, and return the input script's result."""
        mark = secrets.token_hex(8)
        call = f"{_input_script()}\nmain({action.to_json()!r}, {mark!r})\n"
        # Retried only after a broken connection, where the id prevents a second effect; never after a timeout.
        ran = await self._run([self._python, "-c", call], again=True)
        last = ran.out.strip().splitlines()[-1:] or [""]
        if ran.code != 0 or mark not in last[0]:
            why = (ran.err or ran.out).strip().splitlines()[-1:] or ["it printed nothing"]
            raise EnvironmentFailure(f"{self._address}: {action.kind} failed in the machine: {why[0][:200]}")
        return {"taken": None, "busy": False, **_mapping(last[0].encode(), "/execute")}

    async def _find_python(self) -> str:
        why = ""
        for name in _PYTHONS:
            status, body = await self._send(
                "POST", "/execute", json={"command": [name, "-c", _PROBE], "shell": False}
            )
            if status == 200 and (ran := self._ran(body)).code == 0:
                return name
            why = ran.err if status == 200 else body.decode(errors="replace")
        last = why.strip().splitlines()[-1:] or [""]
        raise EnvironmentFailure(
            f"{self._address}: no Python with python-xlib there, as pyautogui needs it: {last[0][:200]}; "
            "type `pip install pyautogui` in the machine"
        )

    async def _run(
        self, command: Sequence[str] | str, *, shell: bool = False, again: bool = False
    ) -> RunResult:
        sent = command if isinstance(command, str) else list(command)
        body = {"command": sent, "shell": shell}
        return self._ran(
            await self._call("POST", "/execute", json=body, again=again, seconds=_COMMAND_SECONDS + 15)
        )

    def _ran(self, body: bytes) -> RunResult:
        match _mapping(body, "/execute"):
            case {"output": str(out), "error": str(err), "returncode": int(code)}:
                return RunResult(code, out, err)
        raise EnvironmentFailure(f"{self._address}: /execute returned {body[:80].decode(errors='replace')}")

    async def _observe(self, method: str, path: str, *, begins: bytes = b"", **how: Any) -> tuple[int, bytes]:
        """Send a request that changes nothing; a server that fails is asked again, as by OSWorld's own client."""
        for _ in range(TRIES - 1):
            status, body = await self._send(method, path, **how)
            if status < 500 and (status != 200 or body.startswith(begins)):
                return status, body
            await asyncio.sleep(_PAUSE)
        return await self._send(method, path, **how)

    async def _call(self, method: str, path: str, **how: Any) -> bytes:
        return self._good(method, path, *await self._send(method, path, **how))

    def _good(self, method: str, path: str, status: int, body: bytes) -> bytes:
        if status != 200:
            raise EnvironmentFailure(f"{self._address}: {method} {path} answered {status}{reason(body)}")
        return body

    async def _send(self, method: str, path: str, *, again: bool = True, **how: Any) -> tuple[int, bytes]:
        """Send a request; `again` allows retries after a broken connection, but not after a timeout."""
        if self._http is None:
            self._http = connect(self._address)
        return await ask(self._http, self._address, method, path, tries=TRIES if again else 1, **how)


def _input_script() -> str:
    package, name = _INPUT_SCRIPT
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _parts(action: Type) -> Iterator[Type]:
    """Split a text into the parts of one call each."""
    text, start, taught = action.text.replace("\r\n", "\n"), 0, set[str]()
    for at, character in enumerate(text):
        if character > "\xff":
            taught.add(character)
        if at - start == _TYPED_AT_ONCE or len(taught) > _MAPPED_AT_ONCE:
            yield replace(action, text=text[start:at])
            start, taught = at, {character}
    if text[start:]:
        yield replace(action, text=text[start:])


def _size(data: Mapping[str, Any]) -> Size:
    match data:
        case {"width": int(width), "height": int(height)} if 0 < width <= 16_384 and 0 < height <= 16_384:
            return Size(width, height)
    raise EnvironmentFailure(f"/screen_size returned {str(dict(data))[:80]}")


def _mapping(body: bytes, path: str) -> Mapping[str, Any]:
    found = _json(body, path)
    if not isinstance(found, dict):
        raise EnvironmentFailure(f"{path} returned no JSON object")
    return found


def _json(body: bytes, path: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise EnvironmentFailure(f"{path} returned no JSON") from None
