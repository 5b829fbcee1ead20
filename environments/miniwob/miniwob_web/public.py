"""The public listener: a frame, the session's page in it, and the files that pages use. It takes no reports.

The page's policy lets no script run that did not come with it; what the page asks for and its reward come by the
control socket, from the probe that the driver runs in the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from miniwob_web.pages import CORE
from miniwob_web.sessions import Session, Sessions
from worldkit.public import ByHost

_HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
# Pages are laid out for 160 x 210 pixels; the frame shows them at twice their size on a screen of 640 x 480.
_FRAME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
html, body {{ margin: 0; height: 100%; overflow: hidden; background: #555 }}
iframe {{ border: 0; width: 50vw; height: 50vh; transform: scale(2); transform-origin: 0 0 }}
</style></head><body><iframe src="/miniwob/{page}.html" title="{title}"></iframe></body></html>
"""


@dataclass
class Public(ByHost[Session]):
    """ASGI application of the public listener."""

    sessions: Sessions

    async def answer(self, request: Request, session: Session) -> Response:
        """See `ByHost.answer`."""
        response = await self.guarded(session, self._answer(session, request))
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    async def _answer(self, session: Session, request: Request) -> Response:
        path = request.url.path
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed\n", 405)
        entry = session.requests.begin("GET", path, (), ())
        response = self._shown(session, path, request.headers.get("sec-fetch-dest", ""))
        entry["status"] = response.status_code
        return response

    def _shown(self, session: Session, path: str, shown_as: str) -> Response:
        """Return what is at a path; `shown_as` is the browser's word for what it needs the file for."""
        page = self.sessions.pages.by_application[session.application]
        if path == "/":
            return HTMLResponse(_FRAME.format(page=page.stem, title=escape(page.stem.replace("-", " "))))
        if path == f"/miniwob/{page.name}" and shown_as == "iframe":
            policy = {"content-security-policy": self.sessions.pages.policy(page)}
            return HTMLResponse(page.read_bytes(), headers=policy)
        if path == CORE and shown_as == "script":
            return Response(self.sessions.pages.core(session.load()), media_type="text/javascript")
        if shown_as in ("document", "iframe"):
            return RedirectResponse("/", 302)
        found = self.sessions.pages.asset(path) if path != CORE else None
        if found is None:
            return PlainTextResponse("Not found\n", 404)
        return Response(found[0], media_type=found[1], headers={"cache-control": "max-age=3600"})
