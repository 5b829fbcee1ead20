"""The calls of ScienceBoard: LaTeX and Lean builds, and ChimeraX's own server."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from guest.desktop import Desktop
from guest.osworld.replies import Handler, Refused, fields_of, flag_of, text_of
from guest.osworld.running import path_of, ready, run
from guest.plain import PlainResponse

_TEX_SECONDS, _LEAN_SECONDS = 60.0, 300.0
_TEX = ("pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error")
_LEAN_PROJECT, _LEAN_FILE, _LEAN_TOOLS = "~/sci", "~/sci/Sci/Basic.lean", "~/.elan/bin"
_CHIMERAX_PORT, _LONGEST = 8000, 64 * 2**20


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""

    async def tex(request: Request) -> Response:
        data = await fields_of(request)
        folder, name = text_of(data, "path"), text_of(data, "file")
        if "/" in name or name.startswith(("-", "\\", "&")):
            raise Refused(400, "file must be a name without a folder")
        await ready(desktop)
        return PlainResponse(
            {"pass": await _typeset(desktop, path_of(folder, desktop), name, flag_of(data, "bibtex"))}
        )

    async def lean(request: Request) -> Response:
        header = text_of(await fields_of(request), "header")
        await ready(desktop)
        return PlainResponse({"pass": await _proved(desktop, header)})

    async def chimerax(request: Request) -> Response:
        data = await fields_of(request)
        command, port = text_of(data, "command"), data.get("port", _CHIMERAX_PORT)
        if isinstance(port, bool) or not isinstance(port, int) or not 1024 <= port <= 65_535:
            raise Refused(400, f"port is {port!r}, but must be 1024 to 65535")
        return PlainResponse(await asyncio.to_thread(_chimerax, command, port))

    yield "POST", "/tex/check", tex
    yield "POST", "/lean/check", lean
    yield "POST", "/chimerax/run", chimerax


async def _typeset(desktop: Desktop, folder: str, name: str, bibtex: bool) -> bool:
    """Return whether a document compiles: every program of the chain must succeed."""
    chain = [[*_TEX, name]]
    if bibtex:
        chain += [["bibtex", name], [*_TEX, name], [*_TEX, name]]
    for argv in chain:
        if (await run(desktop, argv, folder, seconds=_TEX_SECONDS)).code != 0:
            return False
    return True


async def _proved(desktop: Desktop, header: str) -> bool:
    """Return whether the project builds with this statement as a line, without `sorry`."""
    text = await run(desktop, ["head", "-c", "1000000", "--", path_of(_LEAN_FILE, desktop)])
    if text.code != 0 or header not in text.out.decode(errors="replace").splitlines():
        return False
    path = f"{desktop.environment['PATH']}:{path_of(_LEAN_TOOLS, desktop)}"
    lake = ["env", f"PATH={path}", "lake", "build"]
    built = await run(desktop, lake, path_of(_LEAN_PROJECT, desktop), seconds=_LEAN_SECONDS)
    return built.code == 0 and b"declaration uses 'sorry'" not in built.out


def _chimerax(command: str, port: int) -> Any:
    query = urllib.parse.urlencode({"command": command})
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/run?{query}", timeout=60) as reply:
            return json.loads(reply.read(_LONGEST))
    except (OSError, ValueError) as error:
        raise Refused(
            500, f"ChimeraX does not answer on port {port}: {type(error).__name__}; "
            "start it with --cmd 'remotecontrol rest start json true port 8000'",
        ) from None  # fmt: skip
