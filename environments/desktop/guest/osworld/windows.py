"""Calls about windows, by EWMH."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import xcffib
import xcffib.xproto
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from guest.desktop import Desktop
from guest.display import Display
from guest.osworld.replies import Handler, Refused, fields_of, text_of
from guest.osworld.running import ready
from guest.plain import PlainResponse

_LONGEST = 1024  # 32-bit words of a title
_TO_MANAGER = xcffib.xproto.EventMask.SubstructureNotify | xcffib.xproto.EventMask.SubstructureRedirect
_PAGER = 2  # EWMH's source indication of tools


@dataclass(frozen=True, slots=True)
class Window:
    """A managed window."""

    id: int
    title: str
    classes: tuple[str, ...]
    size: tuple[int, int]


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""

    async def size(request: Request) -> Response:
        wanted = text_of(await fields_of(request), "app_class_name").lower()
        for window in await windows(desktop):
            if wanted in (name.lower() for name in window.classes):
                return PlainResponse(dict(zip(("width", "height"), window.size, strict=True)))
        return PlainResponse({"error": "no window has this class"}, 404)

    async def activate(request: Request) -> Response:
        window = await _wanted(desktop, await fields_of(request))
        await show(desktop, window)
        return PlainTextResponse("Window activated successfully")

    async def close(request: Request) -> Response:
        window = await _wanted(desktop, await fields_of(request))
        desktop.touched()
        await desktop.session.display.run(
            lambda: _ask(desktop.session.display, window.id, "_NET_CLOSE_WINDOW", 0, _PAGER)
        )
        return PlainTextResponse("Window closed successfully.")

    yield "POST", "/window_size", size
    yield "POST", "/setup/activate_window", activate
    yield "POST", "/setup/close_window", close


async def windows(desktop: Desktop) -> list[Window]:
    """Return the windows, the oldest first."""
    await ready(desktop)
    display = desktop.session.display
    return await display.run(lambda: _windows(display))


async def titles(desktop: Desktop) -> list[str]:
    """Return the titles of all windows."""
    return [window.title for window in await windows(desktop)]


async def show(desktop: Desktop, window: Window) -> None:
    """Bring a window to the front."""
    desktop.touched()
    display = desktop.session.display
    await display.run(lambda: _ask(display, window.id, "_NET_ACTIVE_WINDOW", _PAGER, 0))
    await desktop.settle()


async def _wanted(desktop: Desktop, data: dict[str, Any]) -> Window:
    """Return the window that a request names, by a part of its title or class, or by the exact text if strict.

    Raises:
        Refused: There is no such window.
    """
    name = text_of(data, "window_name")
    strict, by_class = data.get("strict", False) is True, data.get("by_class", False) is True
    for window in await windows(desktop):
        for text in window.classes if by_class else (window.title,):
            if text == name or (not strict and name.lower() in text.lower()):
                return window
    raise Refused(404, f"no window is named {name[:200]!r}")


def _windows(display: Display) -> list[Window]:
    found = []
    for number in display.property(display.root, "_NET_CLIENT_LIST"):
        try:
            shape = display.core.GetGeometry(number).reply()
            title = _text(display, number, "_NET_WM_NAME") or _text(display, number, "WM_NAME")
            classes = tuple(part for part in _text(display, number, "WM_CLASS").split("\0") if part)
        except xcffib.xproto.DrawableError:  # the window has just been closed
            continue
        found.append(Window(number, title, classes, (shape.width, shape.height)))
    return found


def _text(display: Display, window: int, name: str) -> str:
    try:
        reply = display.core.GetProperty(False, window, display.atom(name), 0, 0, _LONGEST).reply()
    except xcffib.xproto.WindowError:
        return ""
    return bytes(reply.value.buf()).decode(errors="replace") if reply.format == 8 else ""


def _ask(display: Display, window: int, message: str, *numbers: int) -> None:
    """Send a message to the window manager."""
    data = struct.pack("=5I", *numbers, *[0] * (5 - len(numbers)))
    event = struct.pack("=BBHII", 33, 32, 0, window, display.atom(message)) + data  # 33: ClientMessage
    display.core.SendEvent(False, display.root, _TO_MANAGER, event)
    display.sync()
