"""Answers all hosts: the search engine, and the sites."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from docs_web.index import Index
from docs_web.rendering import render
from docs_web.sessions import Sessions
from docs_web.site import Site

SEARCH = "search.example"
_MOST_PAGES = 10
_HEADERS = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}


@dataclass
class Public:
    """ASGI application of the public listener."""

    sites: Mapping[str, Site]
    index: Index
    sessions: Sessions
    errors: int = field(default=0, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but HTTP is not spoken here."""
        if scope["type"] != "http":
            return
        try:
            response = self._answer(Request(scope))
        except Exception:
            self.errors += 1
            self.sessions.failed()
            traceback.print_exc(file=sys.stderr)
            response = PlainTextResponse("Internal server error\n", 500)
        await response(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        host = (request.url.hostname or "").lower()
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed\n", 405)
        if host == SEARCH:
            return self._search(request)
        site = self.sites.get(host)
        if site is None:
            return PlainTextResponse("Not found\n", 404)
        path = request.url.path
        if path == "/" and site.start != "/":
            return RedirectResponse(site.start, 302)
        file = site.answer(path)
        if file is None:
            return HTMLResponse(render("missing.html", name=site.name, start=site.start), 404)
        return Response(file.body, media_type=file.media_type, headers=_HEADERS)

    def _search(self, request: Request) -> Response:
        if request.url.path not in ("/", "/search"):
            return RedirectResponse("/", 302)
        query = " ".join(request.query_params.get("q", "").split())[:400]
        if not query:
            return HTMLResponse(render("search.html"))
        asked = request.query_params.get("page", "1")
        page = int(asked) if asked.isdecimal() and 1 <= int(asked[:3]) <= _MOST_PAGES else 1
        found = self.index.search(query, page)
        last = min(_MOST_PAGES, max(1, -(-found.total // 10)))
        return HTMLResponse(
            render("results.html", query=query, found=found, page=page, last=last, marked=_marked)
        )


def _marked(snippet: str) -> Markup:
    """Return a snippet with what was found in bold."""
    return Markup(str(escape(snippet)).replace("\x02", "<b>").replace("\x03", "</b>"))  # noqa: S704
