"""Opens files and applications, and sets the wallpaper."""

from __future__ import annotations

import asyncio
import io
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

import xcffib.xproto
from PIL import Image
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from guest import tools
from guest.desktop import Desktop
from guest.display import Display
from guest.osworld.files import read
from guest.osworld.replies import Handler, Refused, fields_of, text_of
from guest.osworld.running import exists, path_of, ready, run
from guest.osworld.windows import show, windows

_WINDOW_SECONDS = 60.0
_POLL = 0.05
_PIXELS = 50_000_000
_REQUEST = 200_000  # bytes of pixels in one X request, which is limited to 256 KiB
_Z_PIXMAP = 2


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""
    wallpaper: bytes | None = None

    async def open_file(request: Request) -> Response:
        path = text_of(await fields_of(request), "path")
        await ready(desktop)
        await _open(desktop, path)
        return PlainTextResponse("File opened and window activated successfully")

    async def change_wallpaper(request: Request) -> Response:
        nonlocal wallpaper
        path = text_of(await fields_of(request), "path")
        await ready(desktop)
        content = await read(desktop, path_of(path, desktop))
        picture = await asyncio.to_thread(_picture, content, desktop.screen.size)
        display = desktop.session.display
        await display.run(lambda: _paint(display, picture))
        wallpaper = content
        return PlainTextResponse("Wallpaper changed successfully")

    async def show_wallpaper(request: Request) -> Response:
        if wallpaper is None:
            raise Refused(404, "no wallpaper was set", "error")
        return Response(wallpaper, media_type="application/octet-stream")

    yield "POST", "/setup/open_file", open_file
    yield "POST", "/setup/change_wallpaper", change_wallpaper
    yield "POST", "/wallpaper", show_wallpaper


async def _open(desktop: Desktop, path: str) -> None:
    """Open a file with its application, or start an application, and wait for the window.

    Raises:
        Refused: No application opens it, or no window appears.
    """
    inside = path_of(path, desktop)
    there = (await run(desktop, ["test", "-e", inside])).code == 0
    before = {window.id for window in await windows(desktop)}
    argv = ["xdg-open", inside] if there else shlex.split(path)
    if not there and not await exists(desktop, argv[0]):
        raise Refused(404, f"{path[:200]} is neither a file nor a program", "error")
    desktop.touched()
    program = await desktop.launch(argv, tools.environment(desktop.box.name, desktop.environment))
    clock = asyncio.get_running_loop().time
    end = clock() + _WINDOW_SECONDS
    while clock() < end:
        for window in await windows(desktop):
            if window.id not in before or (there and PurePosixPath(inside).name in window.title):
                return await show(desktop, window)
        if not program.alive and program.process.returncode:
            raise Refused(500, f"{argv[0]} ended {program.end}")
        await asyncio.sleep(_POLL)
    raise Refused(500, f"no window came up for {path[:200]} within {_WINDOW_SECONDS:g} seconds")


def _picture(content: bytes, size: tuple[int, int]) -> Image.Image:
    try:
        with Image.open(io.BytesIO(content)) as opened:
            if opened.width * opened.height > _PIXELS:
                raise Refused(400, f"the picture has more than {_PIXELS} pixels")
            return opened.convert("RGB").resize(size)
    except (OSError, SyntaxError, ValueError):
        raise Refused(400, "the file is no picture") from None


def _paint(display: Display, picture: Image.Image) -> None:
    """Paint the wallpaper, in strips that fit a request."""
    screen = display.connection.get_setup().roots[0]
    width, height = picture.size
    pixmap, context = display.connection.generate_id(), display.connection.generate_id()
    display.core.CreatePixmap(screen.root_depth, pixmap, display.root, width, height)
    display.core.CreateGC(context, pixmap, 0, [])
    rows = max(1, _REQUEST // (width * 4))
    for top in range(0, height, rows):
        strip = picture.crop((0, top, width, min(height, top + rows)))
        data = strip.tobytes("raw", "BGRX")
        display.core.PutImage(
            _Z_PIXMAP, pixmap, context, width, strip.height, 0, top, 0, screen.root_depth, len(data), data
        )
    display.core.ChangeWindowAttributes(display.root, xcffib.xproto.CW.BackPixmap, [pixmap])
    display.core.ClearArea(False, display.root, 0, 0, 0, 0)
    display.core.FreeGC(context)
    display.core.FreePixmap(pixmap)
    display.sync()
