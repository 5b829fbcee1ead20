"""The door by the Chrome DevTools Protocol: the tabs of the episode's browser, for programs such as Playwright's.

A program gets a protocol session of its own for each tab, and no other. Its input and navigation become steps; what it
looks at is free, and waits until its last step was carried out. What is offered is in `cdp_rules`; the origin policy
is enforced by the judge's own browser session, as for every agent. Needs the extra `cdp`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces.base import strip_surrogates
from pytest_cuabench.agents.program.endpoints.cdp import rules
from pytest_cuabench.agents.program.endpoints.cdp.client import Client
from pytest_cuabench.agents.program.endpoints.cdp.steps import Ended, Json, Refused
from pytest_cuabench.agents.program.endpoints.exchange import Exchange, TooManyCalls
from pytest_cuabench.task.action import Action
from pytest_cuabench.task.usage import Usage

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.session import Session
    from pytest_cuabench.drivers.chromium.session.tab import Tab

PATH = "/cdp"
MOST_FRAME = 4_000_000  # bytes of one message; Playwright's own scripts have 300,000
_MOST_CLIENTS = 8  # connections at the same time
_MOST_NOTED, _NOTED = 20, 300  # scripts of a step in the record, and characters of each
_CONTEXT = "episode"


@dataclass
class CdpDoor:
    """The door of one episode.

    Attributes:
        address: The WebSocket's address, as programs reach it.
        passed: The methods that go to the browser.
        scripts: Scripts that programs had evaluated so far.
    """

    exchange: Exchange
    session: Session
    address: str
    passed: Collection[str] = frozenset(rules.PASSED)
    scripts: int = 0
    noted: list[str] = field(default_factory=list)  # since the last step
    latest: str = ""  # the beginning of the last script since then
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)  # a step, or a picture
    clients: set[Client] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.session.changed = self._changed

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the protocol."""
        return [
            WebSocketRoute(PATH, self._connected),
            *(Route(f"{PATH}/json{path}", self._version) for path in ("/version", "/version/")),
            *(Route(f"{PATH}/json{path}", self._list) for path in ("", "/", "/list", "/list/")),
        ]

    async def _version(self, _: Request) -> Response:
        version = await self.version()
        return JSONResponse(
            {
                "Browser": version["product"],
                "Protocol-Version": version["protocolVersion"],
                "User-Agent": version["userAgent"],
                "webSocketDebuggerUrl": self.address,
            }
        )

    async def _list(self, _: Request) -> Response:
        found = [self.describe(tab) for tab in self.session.tabs]
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

    async def version(self) -> Json:
        """Return the browser's version."""
        browser = self.session.tabs[0].page.context.browser if self.session.tabs else None
        version = browser.version if browser else "0"
        return {
            "protocolVersion": "1.3",
            "product": f"HeadlessChrome/{version}",
            "revision": "",
            "userAgent": f"Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/{version}",
            "jsVersion": "",
        }

    def describe(self, tab: Tab) -> Json:
        """Return what the protocol says of a tab."""
        return {
            "targetId": tab.main,
            "type": "page",
            "title": tab.title,
            "url": tab.page.url,
            "attached": True,
            "canAccessOpener": False,
            "browserContextId": _CONTEXT,
        }

    def note(self, method: str, parameters: Json) -> None:
        """Count a script, and keep its beginning for the record."""
        self.scripts += 1
        arguments = parameters.get("arguments")
        arguments = arguments if isinstance(arguments, list) else []
        called = [each.get("value") for each in arguments if isinstance(each, dict)]
        own = [parameters.get(name) for name in ("expression", "functionDeclaration", "source")]
        # Playwright's own function evaluates a text, which is the longest of its arguments.
        given = [each for each in called if isinstance(each, str)] or [each for each in own if each]
        text = max(map(str, given), key=len, default="") or method
        self.latest = strip_surrogates(" ".join(text[: 4 * _NOTED].split())[:_NOTED])
        if len(self.noted) < _MOST_NOTED:
            self.noted.append(self.latest)

    async def decide(self, actions: Sequence[Action]) -> None:
        """Make a step of actions.

        Raises:
            Ended: The episode has ended.
            Refused: An action could not be carried out.
        """
        noted, self.noted, self.latest = self.noted, [], ""
        decision = Decision(tuple(actions), usage=Usage(cost=None), raw={"scripts": noted} if noted else None)
        async with self.alone:
            try:
                seen = await self.exchange.act(decision)
            except TooManyCalls:
                raise Refused("wait for the answer to a step before sending the next one") from None
        if seen is None:
            raise Ended
        if error := next((each.error for each in seen.results if each.error), None):
            raise Refused(error)

    def _changed(self) -> None:
        for client in self.clients:
            client.look_for_tabs()

    async def _connected(self, socket: WebSocket) -> None:
        await socket.accept()
        if len(self.clients) >= _MOST_CLIENTS:
            await socket.close(1013, f"an episode has at most {_MOST_CLIENTS} connections")
            return
        client = Client(self, socket)
        self.clients.add(client)
        try:
            await client.serve()
        finally:
            self.clients.discard(client)
