"""OSWorld's guest server as far as records need it, with ScienceBoard's additions."""

from __future__ import annotations

import shlex
from typing import Any, ClassVar

from drivers.osworld_server import FakeMachine
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from .chimerax import FakeChimeraX
from .serving import Fake, Refusal, body_of, exactly

BASIC = "/home/user/sci/Sci/Basic.lean"


class FakeGuest(Fake):
    """A machine of files and started programs.

    Attributes:
        compiles: Whether documents compile.
        proves: Whether the Lean project builds without `sorry`.
    """

    routes: ClassVar[dict[tuple[str, str], str]] = {
        ("GET", "/platform"): "platform",
        ("POST", "/setup/launch"): "launch",
        ("POST", "/setup/execute"): "execute",
        ("POST", "/execute"): "execute",
        ("GET", "/screenshot"): "screenshot",
        ("POST", "/screen_size"): "screen_size",
        ("GET", "/cursor_position"): "cursor",
        ("GET", "/accessibility"): "tree",
        ("POST", "/setup/upload"): "upload",
        ("POST", "/setup/download_file"): "download",
        ("POST", "/file"): "file",
        ("POST", "/append"): "append",
        ("POST", "/opt"): "depth",
        ("POST", "/chimerax/run"): "chimerax_run",
        ("POST", "/lean/check"): "lean_check",
        ("POST", "/tex/check"): "tex_check",
    }

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {BASIC: b"import Mathlib\n"}
        self.launched: list[Any] = []
        self.executed: list[Any] = []
        self.levels = 50
        self.compiles = self.proves = True
        self.chimerax = FakeChimeraX(self.files)
        self.desktop = FakeMachine()

    async def platform(self, request: Request) -> Response:
        """Tell the platform."""
        return PlainTextResponse("Linux")

    async def launch(self, request: Request) -> Response:
        """Start a program."""
        self.launched.append(await self._command(request))
        return PlainTextResponse("launched successfully")

    async def execute(self, request: Request) -> Response:
        """Run a program; only `rm` does something here."""
        command = await self._command(request)
        if isinstance(command, list) and "Xlib" in command[-1]:  # the hand of the driver
            return JSONResponse(dict(self.desktop.run(command)))
        self.executed.append(command)
        words = shlex.split(command) if isinstance(command, str) else command
        if words[0] == "rm":
            for path in words[1:]:
                self.files.pop(path, None)
        return JSONResponse({"status": "success", "output": "", "error": "", "returncode": 0})

    async def screenshot(self, request: Request) -> Response:
        """Show the screen."""
        return Response(self.desktop.screen(), media_type="image/png")

    async def screen_size(self, request: Request) -> Response:
        """Tell the size of the screen."""
        return JSONResponse(dict(zip(("width", "height"), self.desktop.size, strict=True)))

    async def cursor(self, request: Request) -> Response:
        """Tell where the pointer is."""
        return JSONResponse([0, 0])

    async def tree(self, request: Request) -> Response:
        """Tell the accessibility tree."""
        return JSONResponse({"AT": self.desktop.xml})

    async def upload(self, request: Request) -> Response:
        """Take a file."""
        async with request.form() as form:
            if set(form) != {"file_path", "file_data"}:
                raise Refusal(f"fields {sorted(form)}")
            content = form["file_data"]
            assert not isinstance(content, str)
            self.files[str(form["file_path"])] = await content.read()
        return PlainTextResponse("File Uploaded")

    async def download(self, request: Request) -> Response:
        """Pretend to fetch a file."""
        told = await body_of(request, dict)
        exactly(told, url=str, path=str)
        self.files[told["path"]] = f"from {told['url']}".encode()
        return PlainTextResponse("File downloaded")

    async def file(self, request: Request) -> Response:
        """Give a file."""
        async with request.form() as form:
            path = str(form["file_path"])
        if path not in self.files:
            return JSONResponse({"error": "File not found"}, 404)
        return Response(self.files[path], media_type="application/octet-stream")

    async def append(self, request: Request) -> Response:
        """Add to a file."""
        told = await body_of(request, dict)
        exactly(told, path=str, content=str)
        self.files[told["path"]] = self.files.get(told["path"], b"") + told["content"].encode()
        return PlainTextResponse("OK")

    async def depth(self, request: Request) -> Response:
        """Limit the tree."""
        told = await body_of(request, dict)
        exactly(told, depth=int)
        self.levels = told["depth"]
        return PlainTextResponse("OK")

    async def chimerax_run(self, request: Request) -> Response:
        """Hand a command on."""
        told = await body_of(request, dict)
        exactly(told, command=str)
        return JSONResponse(self.chimerax.reply(told["command"]))

    async def lean_check(self, request: Request) -> Response:
        """Pass where the statement is a whole line of the file and the project builds."""
        told = await body_of(request, dict)
        exactly(told, header=str)
        lines = self.files[BASIC].decode().split("\n")
        stated = any(line.rstrip() == told["header"] for line in lines)
        return JSONResponse({"pass": stated and self.proves})

    async def tex_check(self, request: Request) -> Response:
        """Pass where there is a document and it compiles."""
        told = await body_of(request, dict)
        exactly(told, path=str, file=str, bibtex=bool)
        return JSONResponse({"pass": f"{told['path']}/{told['file']}.tex" in self.files and self.compiles})

    async def _command(self, request: Request) -> Any:
        told = await body_of(request, dict)
        exactly(told, command=(str, list), shell=bool)
        return told["command"]
