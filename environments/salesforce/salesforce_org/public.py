"""The public listener: pages for browsers under the session's own host, interfaces for tools at any host."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from jinja2 import Environment
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from salesforce_org.pages import entry, routing
from salesforce_org.pages.staging import Asset
from salesforce_org.pages.visit import COOKIE, NotHere, Visit
from salesforce_org.sessions import Session, Sessions
from worldkit import guard
from worldkit.forms import Fields, read_form

PAGES = (entry,)  # modules whose pages are served
INTERFACES = ("/services/", "/id/")
LARGEST_FORM = 512 * 1024
MOST_FIELDS = 1000
Answer = Callable[[Sessions, Request, bytes], Response]


FRONT_DOOR = "/secur/frontdoor.jsp"


@dataclass
class Public:
    """ASGI application of the public listener.

    Attributes:
        answer: Answers what tools ask; finds the session by itself, by access token or client key.
    """

    sessions: Sessions
    environment: Environment
    assets: dict[str, Asset]
    answer: Answer
    errors: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but HTTP is not spoken here."""
        if scope["type"] != "http":
            return
        # Salesforce's own CLI asks for //services/data when its instance address ends with a slash.
        scope = {**scope, "path": "/" + scope["path"].lstrip("/")}
        try:
            response = await self._answer(Request(scope, receive))
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.url.path.startswith(INTERFACES):
            return self.answer(self.sessions, request, await request.body())
        host = request.headers.get("host", "").partition(":")[0].lower()
        session = self.sessions.by_host.get(host)
        if session is None:
            return self._to_org(request)
        if asset := self.assets.get(request.url.path):
            return guard.protect(Response(asset.body, media_type=asset.media_type), guard.FOREVER)
        with session.requests.answering(request.method, request.url.path):
            form = await read_form(request, largest=LARGEST_FORM, most=MOST_FIELDS)
        if session is not self.sessions.by_host.get(host):  # reset while the form was coming in
            return PlainTextResponse("Not found\n", 404)
        return guard.protect(self._page(session, request, form))

    def _to_org(self, request: Request) -> Response:
        """Lead a tool's link that signs a browser in to the host of the org that its token is for."""
        session = self.sessions.of_token(request.query_params.get("sid", ""))
        if session is None or request.url.path != FRONT_DOOR:
            return PlainTextResponse("Not found\n", 404)
        return RedirectResponse(str(request.url.replace(hostname=session.host)), 303)

    def _page(self, session: Session, request: Request, form: Fields | None) -> Response:
        query = request.query_params.multi_items()
        entry = session.requests.begin(request.method, request.url.path, query, form or ())
        if form is None:
            response: Response = PlainTextResponse("The request is too large.\n", 413)
        elif request.method == "POST" and not guard.same_origin(request):
            response = PlainTextResponse("The request did not come from a page of this org.\n", 403)
        else:
            response = self._guarded(session, request, form, int(entry["n"]))
        entry["status"] = response.status_code
        return response

    def _guarded(self, session: Session, request: Request, form: Fields, number: int) -> Response:
        session.org.journal.request = number
        try:
            with session.org.transaction():
                return self._visit(session, request, form)
        except NotHere:
            visit = self._visitor(session, request, [], {})
            return visit.render("shell/not_here.html", 404)
        except Exception:
            self.errors += 1
            traceback.print_exc(file=sys.stderr)
            return PlainTextResponse("Something failed inside.\n", 500)
        finally:
            session.org.journal.request = None

    def _visit(self, session: Session, request: Request, form: Fields) -> Response:
        found = routing.find(request.method, request.url.path)
        if found is None:
            raise NotHere
        page, params = found
        visit = self._visitor(session, request, form, params)
        if visit.login is None and not page.anyone:
            return _to_login(request)
        session.org.user_id = visit.login.user_id if visit.login else None
        return page.handler(visit)

    def _visitor(self, session: Session, request: Request, form: Fields, params: dict[str, str]) -> Visit:
        headers = request.headers
        return Visit(
            session=session,
            environment=self.environment,
            path=request.url.path,
            query=request.query_params,
            form=ImmutableMultiDict(form),
            params=params,
            login=session.logins.get(request.cookies.get(COOKIE, "")),
            cookies=request.cookies,
            came_from=headers.get("hx-current-url", ""),
            fragment=headers.get("hx-target", "") if headers.get("hx-request") else None,
        )


def _to_login(request: Request) -> Response:
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/login?{urlencode({'startURL': wanted})}", 303)
