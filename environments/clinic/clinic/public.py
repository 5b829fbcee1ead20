"""The public listener: finds the session by host and runs each page in one transaction."""

import sys
import traceback
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from clinic import clock, journal
from clinic.application import Page
from clinic.sessions import Session, Sessions
from clinic.visit import COOKIE, NotHere, Visit
from worldkit import guard
from worldkit.forms import Fields, read_form

LARGEST_FORM = 64 * 1024
MOST_FIELDS = 200


@dataclass
class Public:
    """ASGI application of the public listener."""

    sessions: Sessions
    errors: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; anything but HTTP is not spoken here."""
        if scope["type"] != "http":
            return
        try:
            response = await self._answer(Request(scope, receive))
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        host = request.headers.get("host", "").partition(":")[0].lower()
        session = self.sessions.by_host.get(host)
        if session is None:
            return PlainTextResponse("Not found\n", 404)
        if asset := session.stage.assets.get(request.url.path):
            return guard.protect(Response(asset.body, media_type=asset.media_type), guard.FOREVER)
        with session.requests.answering(request.method, request.url.path):
            form = await read_form(request, largest=LARGEST_FORM, most=MOST_FIELDS)
        if session is not self.sessions.by_host.get(host):  # reset while the form was coming in
            return PlainTextResponse("Not found\n", 404)
        return guard.protect(self._page(session, request, form))

    def _page(self, session: Session, request: Request, form: Fields | None) -> Response:
        query = request.query_params.multi_items()
        entry = session.requests.begin(request.method, request.url.path, query, form or ())
        if form is None:
            response = _plain_page(session, "request_refused.html", 413)
        elif request.method == "POST" and not guard.same_origin(request):
            response = _plain_page(session, "request_refused.html", 403)
        else:
            response = self._guarded(session, request, form, int(entry["n"]))
        entry["status"] = response.status_code
        return response

    def _guarded(self, session: Session, request: Request, form: Fields, number: int) -> Response:
        try:
            return _transaction(session, request, form, number)
        except NotHere:
            return _plain_page(session, "not_here.html", 404)
        except Exception:
            self.errors += 1
            traceback.print_exc(file=sys.stderr)
            return _plain_page(session, "internal_error.html", 500)


def _transaction(session: Session, request: Request, form: Fields, number: int) -> Response:
    """Run a page; a refusal or a failure leaves no trace in the data."""
    db = session.db
    db.execute("BEGIN")
    try:
        db.execute("UPDATE _moment SET request = ?", (number,))
        before = journal.length(db)
        response = _visit(session, request, form)
        if request.method == "POST" and journal.length(db) > before:
            clock.advance(db)
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT" if response.status_code < 400 else "ROLLBACK")
    return response


def _visit(session: Session, request: Request, form: Fields) -> Response:
    found = session.stage.find(request.method, request.url.path)
    if found is None:
        raise NotHere
    page, params = found
    db = session.db
    token = request.cookies.get(COOKIE)
    query = "SELECT users.* FROM users JOIN _signin USING (user_id) WHERE token = ?"
    user = db.execute(query, (token,)).fetchone()
    if user is None and not page.anyone:
        return _to_login(request, page)
    visit = Visit(
        db=db,
        fixtures=session.stage.fixtures,
        environment=session.stage.environment,
        path=request.url.path,
        query=request.query_params,
        form=dict(form),
        params=params,
        token=token,
        user=user,
        now=clock.now(db),
    )
    return page.handler(visit)


def _to_login(request: Request, page: Page) -> Response:
    if page.method != "GET" or request.url.path == "/":
        return RedirectResponse("/login", 303)
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/login?{urlencode({'next': wanted})}", 303)


def _plain_page(session: Session, template: str, status: int) -> Response:
    body = session.stage.environment.get_template(f"toolkit/{template}").render()
    return Response(body, status, media_type="text/html")
