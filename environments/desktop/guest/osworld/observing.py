"""Calls that observe: screenshot, accessibility tree, sizes, pointer, terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from guest.desktop import Desktop
from guest.nodes import Node
from guest.osworld.replies import Handler, Refused, fields_of
from guest.osworld.running import ready
from guest.osworld.tree import MAX_DEPTH, desktop_xml
from guest.plain import PlainResponse
from guest.screen import png


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""
    depth = MAX_DEPTH

    async def screenshot(request: Request) -> Response:
        await ready(desktop)
        picture = await desktop.screen.image(cursor=True)
        return Response(await asyncio.to_thread(png, picture), media_type="image/png")

    async def accessibility(request: Request) -> Response:
        await ready(desktop)
        nodes = await desktop.nodes(showing=False)
        tops = [node for node in nodes if node.parent is None]
        return PlainResponse({"AT": await asyncio.to_thread(desktop_xml, tops, depth)})

    async def deeper(request: Request) -> Response:
        nonlocal depth
        wanted = (await fields_of(request)).get("depth", MAX_DEPTH)
        if isinstance(wanted, bool) or not isinstance(wanted, int) or not 1 <= wanted <= MAX_DEPTH:
            raise Refused(400, f"depth is {wanted!r}, but must be 1 to {MAX_DEPTH}")
        depth = wanted
        return PlainTextResponse("OK")

    async def screen_size(request: Request) -> Response:
        await ready(desktop)
        width, height = desktop.screen.size
        return PlainResponse({"width": width, "height": height})

    async def cursor(request: Request) -> Response:
        await ready(desktop)
        return PlainResponse(list(await desktop.screen.cursor()))

    async def terminal(request: Request) -> Response:
        await ready(desktop)
        return PlainResponse({"output": _terminal(await desktop.nodes()), "status": "success"})

    async def platform(request: Request) -> Response:
        return PlainTextResponse("Linux")

    yield "GET", "/screenshot", screenshot
    yield "GET", "/accessibility", accessibility
    yield "GET", "/terminal", terminal
    yield "GET", "/platform", platform
    yield "GET", "/cursor_position", cursor
    yield "POST", "/screen_size", screen_size
    yield "POST", "/opt", deeper


def _terminal(nodes: list[Node]) -> str | None:
    """Return the text of the focused terminal."""
    found = [node.text for node in nodes if node.role == "terminal" and "focused" in node.states]
    return found[0].rstrip() if len(found) == 1 else None
