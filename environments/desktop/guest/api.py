"""Our own protocol, below `/cuabench/1/`: sessions, actions, pictures, trees and state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from guest import PROTOCOL, applications, clock, code, selecting
from guest.actions import act
from guest.desktop import Desktop
from guest.errors import BadRequest
from guest.nodes import to_json
from guest.plain import PlainResponse
from guest.screen import png
from guest.steps import checked

_LARGEST_BODY = 32 * 1024 * 1024  # bytes; setups may carry documents
_MOST_ACTIONS = 200
_PLACE = "place:"  # prefix of targets that the application locates itself


@dataclass(frozen=True, slots=True)
class Api:
    """Handlers of the routes."""

    desktop: Desktop

    async def health(self, request: Request) -> Response:
        """Report the desktop's properties and applications."""
        desktop = self.desktop
        episode = desktop.episode
        health = {
            "protocol": PROTOCOL,
            "screen": list(desktop.options.screen),
            "confinement": desktop.box.name,
            "applications": applications.availability(),
            "session": episode.application.name if episode is not None else None,
        }
        return PlainResponse(health)

    async def begin(self, request: Request) -> Response:
        """Start or reset a session."""
        wanted = await _body(request)
        application = applications.find(wanted.get("application"))
        setup = checked(wanted.get("setup", []))
        async with self.desktop.lock:
            return PlainResponse(await self.desktop.begin(application, setup))

    async def end(self, request: Request) -> Response:
        """End the session."""
        async with self.desktop.lock:
            await self.desktop.end()
        return Response(status_code=204)

    async def state(self, request: Request) -> Response:
        """Report the state."""
        return PlainResponse(await self.desktop.state())

    async def revision(self, request: Request) -> Response:
        """Report the revision, which grows with every change of the state."""
        return PlainResponse({"revision": (await self.desktop.state())["revision"]})

    async def actions(self, request: Request) -> Response:
        """Perform actions in order, each after the previous one is consumed; stop after an error.

        Replies when the screen has settled, or without waiting for that if the body says `"settle": false`.
        """
        body = await _body(request)
        wanted = body.get("actions")
        if not isinstance(wanted, list) or len(wanted) > _MOST_ACTIONS:
            raise BadRequest(f"actions must be a list of at most {_MOST_ACTIONS} actions")
        results: list[dict[str, str | None]] = []
        async with self.desktop.lock:
            self.desktop.touched()
            for action in wanted:
                if results and results[-1]["error"] is not None:
                    results.append({"error": "not done, since the action before it failed", "text": None})
                    continue
                results.append(await act(self.desktop, action))
                self.desktop.touched()
            if body.get("settle", True):
                await self.desktop.settle()
        return PlainResponse({"results": results})

    async def settle(self, request: Request) -> Response:
        """Wait until the screen has settled, and the application has written what it writes later."""
        settled = await self.desktop.settle()
        await self.desktop.written()
        return PlainResponse({"settled": settled})

    async def screenshot(self, request: Request) -> Response:
        """Return the screen, or a region (left,top,right,bottom) of it, as PNG."""
        region = _region(request.query_params.get("region"), self.desktop.screen.size)
        picture = await self.desktop.screen.image(cursor=_flag(request, "cursor", default=True))
        content = await asyncio.to_thread(png, picture.crop(region) if region else picture)
        return Response(content, media_type="image/png")

    async def tree(self, request: Request) -> Response:
        """Return the accessibility tree in reading order."""
        nodes = await self.desktop.nodes(showing=not _flag(request, "all", default=False))
        return PlainResponse({"nodes": to_json(nodes)})

    async def locate(self, request: Request) -> Response:
        """Return the box and the text of the one node that a selector matches."""
        target = request.query_params.get("target", "")
        if target.startswith(_PLACE):
            return PlainResponse({"box": await self.desktop.place(target.removeprefix(_PLACE)), "text": ""})
        wanted = selecting.parse(target)
        node = wanted.one(await self.desktop.nodes(showing=not wanted.hidden))
        if node is None:
            return PlainResponse({"box": None})
        return PlainResponse({"box": wanted.box(node), "text": node.value or node.name})

    async def cursor(self, request: Request) -> Response:
        """Return the position of the pointer."""
        x, y = await self.desktop.screen.cursor()
        return PlainResponse({"x": x, "y": y})

    async def code(self, request: Request) -> Response:
        """Run a model's program to its end."""
        program, language, limits = code.read_request(await _body(request))
        async with self.desktop.lock:
            ran = await code.run_code(self.desktop, program, language, limits)
            await self.desktop.settle()
        return PlainResponse({"code": ran.code, "out": ran.out, "err": ran.err})


def routes(desktop: Desktop) -> list[BaseRoute]:
    """Return the protocol's routes."""
    handlers = Api(desktop)
    table: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
        ("GET", "/health", handlers.health),
        ("POST", "/session", handlers.begin),
        ("DELETE", "/session", handlers.end),
        ("GET", "/session/state", handlers.state),
        ("GET", "/session/revision", handlers.revision),
        ("POST", "/actions", handlers.actions),
        ("POST", "/settle", handlers.settle),
        ("GET", "/screenshot", handlers.screenshot),
        ("GET", "/tree", handlers.tree),
        ("GET", "/locate", handlers.locate),
        ("GET", "/cursor", handlers.cursor),
        ("POST", "/code", handlers.code),
    ]
    own = [Route(path, to, methods=[how]) for how, path, to in table]
    return [Mount(f"/cuabench/{PROTOCOL}", routes=[*own, *clock.routes()])]


async def _body(request: Request) -> dict[str, Any]:
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _LARGEST_BODY:
            raise BadRequest(f"the body is larger than {_LARGEST_BODY} bytes")
    try:
        body = json.loads(content) if content else {}
    except ValueError:
        raise BadRequest("the body must be a JSON object") from None
    if not isinstance(body, dict):
        raise BadRequest("the body must be a JSON object")
    return body


def _flag(request: Request, name: str, *, default: bool) -> bool:
    given = request.query_params.get(name, "1" if default else "0")
    if given not in ("0", "1"):
        raise BadRequest(f"{name} is {given!r}, but must be 0 or 1")
    return given == "1"


def _region(text: str | None, size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    if text is None:
        return None
    try:
        left, top, right, bottom = map(int, text.split(","))
    except ValueError:
        raise BadRequest(f"region is {text!r}, but must be left,top,right,bottom") from None
    if not (0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]):
        raise BadRequest(f"region {text} does not lie on the {size[0]}x{size[1]} screen")
    return left, top, right, bottom
