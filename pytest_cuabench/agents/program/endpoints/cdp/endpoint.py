"""The endpoint for the Chrome DevTools Protocol: the tabs of the episode's browser, for programs such as Playwright's.

A program gets a protocol session of its own for each tab, and no other. Its input and navigation become steps; what it
looks at is free, and waits until its last step was carried out. What is offered is in `rules.py`; the origin policy
is enforced by the judge's own browser session, as for every agent. Needs the extra `cdp`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from pytest_cuabench.agents.program.endpoints.cdp.client import Client
from pytest_cuabench.agents.program.endpoints.cdp.episode import CdpEpisode

PATH = "/cdp"
MOST_FRAME = 4_000_000  # bytes of one message; Playwright's own scripts have 300,000
_MOST_CLIENTS = 8  # connections at the same time


@dataclass
class CdpEndpoint:
    """The endpoint of one episode.

    Attributes:
        address: The WebSocket's address, as programs reach it.
    """

    episode: CdpEpisode
    address: str
    clients: set[Client] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.episode.session.front.changed = self._changed

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the protocol."""
        return [
            WebSocketRoute(PATH, self._connected),
            # Playwright asks for `/json/version/`, other clients for `/json/version`.
            *(Route(f"{PATH}/json{path}", self._version) for path in ("/version", "/version/")),
            *(Route(f"{PATH}/json{path}", self._list) for path in ("", "/", "/list", "/list/")),
        ]

    async def _version(self, _: Request) -> Response:
        version = await self.episode.version()
        return JSONResponse(
            {
                "Browser": version["product"],
                "Protocol-Version": version["protocolVersion"],
                "User-Agent": version["userAgent"],
                "webSocketDebuggerUrl": self.address,
            }
        )

    async def _list(self, _: Request) -> Response:
        found = [self.episode.describe(tab) for tab in self.episode.session.front.tabs]
        return JSONResponse(
            [
                {
                    "id": info["targetId"],
                    "type": "page",
                    "title": info["title"],
                    "url": info["url"],
                    "webSocketDebuggerUrl": self.address,
                }
                for info in found
            ]
        )

    def _changed(self) -> None:
        for client in self.clients:
            client.look_for_tabs()

    async def _connected(self, socket: WebSocket) -> None:
        await socket.accept()  # a refusal before it has no code and no reason
        if len(self.clients) >= _MOST_CLIENTS:
            await socket.close(1013, f"an episode has at most {_MOST_CLIENTS} connections")
            return
        client = Client(self.episode, socket)
        self.clients.add(client)
        try:
            await client.serve()
        finally:
            self.clients.discard(client)
