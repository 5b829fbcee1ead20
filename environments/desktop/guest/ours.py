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
from guest.acting import act
from guest.desk import Desk
from guest.errors import BadRequest
from guest.nodes import to_json
from guest.plain import PlainResponse
from guest.screen import png
from guest.steps import checked

_LARGEST_BODY = 32 * 1024 * 1024  # bytes; setups may carry documents
_MOST_ACTIONS = 200
_PLACE = "place:"  # begins what only the application itself can find


@dataclass(frozen=True, slots=True)
class Ours:
    """Handlers of the routes."""

    desk: Desk

    async def health(self, request: Request) -> Response:
        """Report what this desktop is and can start."""
        desk = self.desk
        episode = desk.episode
        told = {
            "protocol": PROTOCOL,
            "screen": list(desk.options.screen),
            "confinement": desk.box.name,
            "applications": applications.availability(),
            "session": episode.application.name if episode is not None else None,
        }
        return PlainResponse(told)

    async def begin(self, request: Request) -> Response:
        """Start a session, or bring back its beginning."""
        wanted = await _body(request)
        application = applications.find(wanted.get("application"))
        setup = checked(wanted.get("setup", []))
        async with self.desk.lock:
            return PlainResponse(await self.desk.begin(application, setup))

    async def end(self, request: Request) -> Response:
        """End the session."""
        async with self.desk.lock:
            await self.desk.end()
        return Response(status_code=204)

    async def state(self, request: Request) -> Response:
        """Report what is true now."""
        return PlainResponse(await self.desk.state())

    async def revision(self, request: Request) -> Response:
        """Report a number that grows with every change of the state."""
        return PlainResponse({"revision": (await self.desk.state())["revision"]})

    async def actions(self, request: Request) -> Response:
        """Carry out actions, each once the one before is consumed; after an error the rest is not done.

        Answers when the screen is at rest after the last one.
        """
        wanted = (await _body(request)).get("actions")
        if not isinstance(wanted, list) or len(wanted) > _MOST_ACTIONS:
            raise BadRequest(f"actions must be a list of at most {_MOST_ACTIONS} actions")
        results: list[dict[str, str | None]] = []
        async with self.desk.lock:
            self.desk.touched()
            for action in wanted:
                if results and results[-1]["error"] is not None:
                    results.append({"error": "not done, since the action before it failed", "text": None})
                    continue
                results.append(await act(self.desk, action))
            await self.desk.settle()
        return PlainResponse({"results": results})

    async def settle(self, request: Request) -> Response:
        """Wait until the screen is at rest."""
        return PlainResponse({"settled": await self.desk.settle()})

    async def screenshot(self, request: Request) -> Response:
        """Return the screen, or a region (left,top,right,bottom) of it, as PNG."""
        region = _region(request.query_params.get("region"), self.desk.screen.size)
        picture = await self.desk.screen.image(cursor=_flag(request, "cursor", default=True))
        content = await asyncio.to_thread(png, picture.crop(region) if region else picture)
        return Response(content, media_type="image/png")

    async def tree(self, request: Request) -> Response:
        """Return the accessibility tree in reading order."""
        nodes = await self.desk.nodes(showing=not _flag(request, "all", default=False))
        return PlainResponse({"nodes": to_json(nodes)})

    async def locate(self, request: Request) -> Response:
        """Return the box and the text of the one node that a selector fits."""
        target = request.query_params.get("target", "")
        if target.startswith(_PLACE):
            return PlainResponse({"box": await self.desk.place(target.removeprefix(_PLACE)), "text": ""})
        wanted = selecting.parse(target)
        node = wanted.one(await self.desk.nodes(showing=not wanted.hidden))
        if node is None:
            return PlainResponse({"box": None})
        return PlainResponse({"box": wanted.box(node), "text": node.value or node.name})

    async def cursor(self, request: Request) -> Response:
        """Return where the pointer is."""
        x, y = await self.desk.screen.cursor()
        return PlainResponse({"x": x, "y": y})

    async def code(self, request: Request) -> Response:
        """Run a program that a model wrote, to its end."""
        program, language, limits = code.read_request(await _body(request))
        async with self.desk.lock:
            ran = await code.run_code(self.desk, program, language, limits)
            await self.desk.settle()
        return PlainResponse({"code": ran.code, "out": ran.out, "err": ran.err})


def routes(desk: Desk) -> list[BaseRoute]:
    """Return the protocol's routes."""
    ours = Ours(desk)
    table: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
        ("GET", "/health", ours.health),
        ("POST", "/session", ours.begin),
        ("DELETE", "/session", ours.end),
        ("GET", "/session/state", ours.state),
        ("GET", "/session/revision", ours.revision),
        ("POST", "/actions", ours.actions),
        ("POST", "/settle", ours.settle),
        ("GET", "/screenshot", ours.screenshot),
        ("GET", "/tree", ours.tree),
        ("GET", "/locate", ours.locate),
        ("GET", "/cursor", ours.cursor),
        ("POST", "/code", ours.code),
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
