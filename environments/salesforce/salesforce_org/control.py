"""The org's own control routes and what a session's description says of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from salesforce_org.access import find_user
from salesforce_org.sessions import Session
from worldkit.control import BadRequest, Control, read_json


class OrgControl(Control[Session]):
    """Control routes with keys for tools and links that sign a browser in."""

    def more_routes(self, one: str) -> list[Route]:
        """Add the front door and the log of what tools asked for."""
        return [
            Route(f"{one}/front-door", self.front_door, methods=["POST"]),
            Route(f"{one}/calls", self.calls, methods=["GET"]),
            Route(f"{one}/changes", self.changes, methods=["GET"]),
            Route(f"{one}/rewind", self.rewind, methods=["POST"]),
        ]

    def details(self, session: Session) -> dict[str, Any]:
        """Return what a tool or a person needs to enter the org as its administrator."""
        return session.keys()

    async def front_door(self, request: Request) -> Response:
        """Make a link that signs a browser in once: as the administrator, or as the user of a username."""
        session = self.session_of(request)
        wanted = await read_json(request)
        path, username = wanted.get("path", "/lightning/page/home"), wanted.get("user", "")
        if not isinstance(path, str) or not isinstance(username, str):
            raise BadRequest("path and user must be texts")
        user = find_user(session.org, username) if username else session.administrator
        if user is None:
            raise BadRequest("the org has no user of this name")
        query = urlencode({"sid": session.access.ticket(user["Id"]), "retURL": path})
        url = f"http://{session.host}:{self.port}/secur/frontdoor.jsp?{query}"
        return JSONResponse({"url": url, "user_id": user["Id"]}, 201)

    async def calls(self, request: Request) -> Response:
        """Report what tools asked for; the browser's log is another."""
        return JSONResponse({"calls": self.session_of(request).calls.entries})

    async def changes(self, request: Request) -> Response:
        """Report what was written since a revision; the journal is told when asked for."""
        session = self.session_of(request)
        since = request.query_params.get("since", "0")
        if not since.isdecimal():
            raise BadRequest("since must be a revision")
        asked = "journal" in request.query_params
        return JSONResponse(session.changes(int(since), journal=asked))

    async def rewind(self, request: Request) -> Response:
        """Bring the org back to its first moment if its content is what it was, and tell whether it is."""
        return JSONResponse({"equal": self.session_of(request).rewind()})
