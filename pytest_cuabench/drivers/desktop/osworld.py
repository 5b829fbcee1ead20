"""The client for a machine that runs OSWorld's or ScienceBoard's server: pictures and clicks, and nothing more.

Such a server knows no token, no sessions and no state. What we ask of it by `/execute` is one program each time,
never code of a model but for `run_code`; each action carries a mark, so that sending it again after a broken line
does nothing (see `osworld_hand`).
"""

from __future__ import annotations

import asyncio
import io
import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image

from pytest_cuabench.drivers.desktop.client import Language, Ran, TreeNode
from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.drivers.desktop.osworld_tree import read_tree
from pytest_cuabench.drivers.desktop.osworld_wire import TRIES, ask, connect, reason
from pytest_cuabench.drivers.desktop.stillness import until_still
from pytest_cuabench.drivers.paint import zoomed
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Action, CursorPosition, Point, Screenshot, Size, Type, Wait, Zoom
from pytest_cuabench.task.durations import seconds_for
from pytest_cuabench.task.observation import ActionResult

if TYPE_CHECKING:
    import httpx2

Protocol = Literal["cuabench", "osworld"]

MAX_CODE = 100_000  # bytes; Linux takes no argument longer than 128 KiB
_COMMAND_SECONDS = 110.0  # the server itself ends a command after 120
_TREE_SECONDS = 120.0  # a large tree takes the upstream server tens of seconds
_TYPED_AT_ONCE = 500  # characters: those of a slow window are read well before the hand gives it up
_TAUGHT_AT_ONCE = 60  # characters that no key writes: as many as spare keys of any usual layout
_PYTHONS = ("python", "python3")
_HAND = "pytest_cuabench.drivers.desktop", "osworld_hand.py"
_PROBE = "import json, sys, Xlib.ext.xtest; print(json.dumps(list(sys.version_info[:2])))"
_BUSY = "the application is busy and does not read what is typed"
_ON_THE_SCREEN = frozenset({"pointer", "keyboard"})


async def detect(address: Address) -> Protocol:
    """Return which protocol is spoken at an address: ours is asked for first, OSWorld's server knows its platform.

    Raises:
        EnvironmentFailure: Nothing answers there, or something that is neither.
    """
    async with connect(address) as http:
        status, _ = await ask(http, address, "GET", "/cuabench/1/health")
        if status in (200, 401, 403):
            return "cuabench"
        status, body = await ask(http, address, "GET", "/platform")
    if status == 200 and len(body) < 100 and body.strip().isalnum():
        return "osworld"
    raise EnvironmentFailure(
        f"{address} answers, but is no desktop: neither /cuabench/1/health nor OSWorld's /platform"
    )


class OSWorldClient:
    """A desktop behind OSWorld's in-guest server; see `GuestClient` for the methods."""

    sessions = False

    def __init__(self, address: Address, screen: Size | None = None) -> None:
        """`screen` is what the suite was made for; a machine of another size is refused by `open`."""
        self.screen = screen or Size(0, 0)
        self._wanted = screen
        self._address = address
        self._python = _PYTHONS[0]
        self._http: httpx2.AsyncClient | None = None

    async def open(self) -> None:
        """Find out that a Linux desktop of OSWorld's answers, its screen, and its Python."""
        platform = (await self._call("GET", "/platform")).decode(errors="replace").strip()
        if platform != "Linux":
            raise EnvironmentFailure(
                f"{self._address} is a {platform[:40]!r} machine; only Linux desktops are driven"
            )
        size = _mapping(await self._call("POST", "/screen_size"), "/screen_size")
        self.screen = _size(size)
        if self._wanted and self._wanted != self.screen:
            raise EnvironmentFailure(
                f"{self._address} has a screen of {self.screen}, but the suite wants {self._wanted}; "
                "set the machine's resolution"
            )
        self._python = await self._find_python()

    async def screenshot(self) -> bytes:
        """Return the screen as PNG, with the pointer."""
        image = await self._call("GET", "/screenshot")
        try:
            with Image.open(io.BytesIO(image), formats=["PNG"]) as picture:
                size = Size(*picture.size)
        except (OSError, SyntaxError, ValueError) as error:
            raise EnvironmentFailure(f"{self._address}: /screenshot returned no PNG") from error
        if size != self.screen:
            raise EnvironmentFailure(f"{self._address}: the screen is {size} now, it was {self.screen}")
        return image

    async def tree(self) -> tuple[TreeNode, ...]:
        """Return the accessibility tree in reading order."""
        data = _mapping(await self._call("GET", "/accessibility", seconds=_TREE_SECONDS), "/accessibility")
        xml = data.get("AT")
        if not isinstance(xml, str):
            raise EnvironmentFailure(f"{self._address}: /accessibility returned no tree")
        return await asyncio.to_thread(read_tree, xml)

    async def perform(self, actions: Sequence[Action]) -> tuple[ActionResult, ...]:
        """Carry out actions in order and return when the screen has settled."""
        return tuple([await self._one(action) for action in actions])

    async def settle(self) -> None:
        """Return when the screen has come to rest."""
        await until_still(self.screenshot)

    async def cursor(self) -> Point:
        """Return where the pointer is."""
        found = _json(await self._call("GET", "/cursor_position"), "/cursor_position")
        match found:
            case [int() | float() as x, int() | float() as y]:
                return Point(int(x), int(y))
        raise EnvironmentFailure(f"{self._address}: /cursor_position returned {str(found)[:80]}")

    async def run_code(self, code: str, language: Language, seconds: float) -> Ran:
        """Run a program that a model wrote. The machine is its own: nothing there confines it but the time."""
        if len(code.encode()) > MAX_CODE:
            return Ran(1, "", f"the program is longer than {MAX_CODE} bytes")
        program = [self._python] if language == "python" else ["bash"]
        limit = f"{min(seconds, _COMMAND_SECONDS - 5):g}"
        return await self._run(["timeout", "--kill-after=2", limit, *program, "-c", code])

    async def execute(self, command: Sequence[str] | str, *, shell: bool = False) -> Ran:
        """Run a command as the desktop's user, as OSWorld's clients do; the machine ends it after two minutes."""
        return await self._run(command, shell=shell)

    async def launch(self, command: Sequence[str] | str, *, shell: bool = False) -> None:
        """Start a program and do not wait for it."""
        await self._call("POST", "/setup/launch", json={"command": command, "shell": shell}, again=False)

    async def read_file(self, path: str) -> bytes | None:
        """Return a file, None where there is none."""
        status, body = await self._send("POST", "/file", data={"file_path": path})
        if status == 404:
            return None
        return self._good("POST", "/file", status, body)

    async def write_file(self, path: str, content: bytes) -> None:
        """Write a file as the desktop's user."""
        await self._call(
            "POST", "/setup/upload", data={"file_path": path}, files={"file_data": ("file", content)}
        )

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send JSON to another call of the server (`/opt`, `/tex/check`) and return the JSON it answers, if any."""
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
                told = await self._act(action)
                await self.settle()
                return ActionResult(_BUSY if told["busy"] else None)
            case _:
                return ActionResult(error=f"{action.kind} is not available on an OSWorld machine")
        return ActionResult()

    async def _type(self, action: Type) -> ActionResult:
        """Type a text by one call for each part, as long as the window with the focus reads it."""
        end, done, parts = time.monotonic() + seconds_for(action), 0, tuple(_parts(action))
        whole = sum(len(part.text) for part in parts)
        for part in parts:
            told = await self._act(part)
            done += len(part.text)
            stopped = told["busy"] or (told["taken"] is False and part is not parts[-1])
            if stopped or (time.monotonic() > end and part is not parts[-1]):
                return ActionResult(f"{_BUSY}; at most {done} of {whole} characters were typed")
            if told["taken"] is not True:  # where it cannot tell, keys change only when the screen rests
                await self.settle()
        await self.settle()
        return ActionResult()

    async def _act(self, action: Action) -> Mapping[str, Any]:
        """Carry out one action of mouse or keyboard, once, and return what the hand tells of it."""
        mark = secrets.token_hex(8)
        call = f"{_hand()}\nmain({action.to_json()!r}, {mark!r})\n"
        # Sent again only where the line broke: the mark keeps a second one from acting. A server that is slow has it.
        ran = await self._run([self._python, "-c", call], again=True)
        last = ran.out.strip().splitlines()[-1:] or [""]
        if ran.code != 0 or mark not in last[0]:
            why = (ran.err or ran.out).strip().splitlines()[-1:] or ["it said nothing"]
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

    async def _run(self, command: Sequence[str] | str, *, shell: bool = False, again: bool = False) -> Ran:
        sent = command if isinstance(command, str) else list(command)
        body = {"command": sent, "shell": shell}
        return self._ran(
            await self._call("POST", "/execute", json=body, again=again, seconds=_COMMAND_SECONDS + 15)
        )

    def _ran(self, body: bytes) -> Ran:
        match _mapping(body, "/execute"):
            case {"output": str(out), "error": str(err), "returncode": int(code)}:
                return Ran(code, out, err)
        raise EnvironmentFailure(f"{self._address}: /execute returned {body[:80].decode(errors='replace')}")

    async def _call(self, method: str, path: str, **how: Any) -> bytes:
        return self._good(method, path, *await self._send(method, path, **how))

    def _good(self, method: str, path: str, status: int, body: bytes) -> bytes:
        if status != 200:
            raise EnvironmentFailure(f"{self._address}: {method} {path} answered {status}{reason(body)}")
        return body

    async def _send(self, method: str, path: str, *, again: bool = True, **how: Any) -> tuple[int, bytes]:
        """Send a request; a broken line is tried again where that can do no harm, a time-out never is."""
        if self._http is None:
            self._http = connect(self._address)
        return await ask(self._http, self._address, method, path, tries=TRIES if again else 1, **how)


def _hand() -> str:
    package, name = _HAND
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _parts(action: Type) -> Iterator[Type]:
    """Yield what is typed by one call each."""
    text, start, taught = action.text.replace("\r\n", "\n"), 0, set[str]()
    for at, character in enumerate(text):
        if character > "\xff":
            taught.add(character)
        if at - start == _TYPED_AT_ONCE or len(taught) > _TAUGHT_AT_ONCE:
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
