"""The public side: passes a session's requests on to OpenEMR, and writes down what was asked.

Pages, cookies and forms pass as they are; OpenEMR sees the host that the browser sees. Refused are other sites than
the session's own, and doors that are none of a user's: set-up, interfaces for programs, the patients' portal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import httpx2
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from openemr.sessions import Session, Sessions
from worldkit.public import ByHost

_LARGEST = 16 * 2**20  # bytes of a request
_SECONDS = 60.0  # for one answer of OpenEMR
_ASSETS = re.compile(r"\.(css|gif|ico|jpe?g|js|map|png|svg|ttf|woff2?)$")
_DOORS = re.compile(
    r"^/+(setup|admin|sql_\w+|acl_upgrade|ippf_upgrade)\.php|^/+(apis|oauth2|portal|meta|sites)(/|$)"
)
_OWN_HOP = {"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}


@dataclass
class Public(ByHost[Session]):
    """ASGI application of the public listener."""

    sessions: Sessions
    client: httpx2.AsyncClient = field(
        default_factory=lambda: httpx2.AsyncClient(
            timeout=_SECONDS, trust_env=False, limits=httpx2.Limits(max_connections=64)
        )
    )

    async def answer(self, request: Request, session: Session) -> Response:
        """See `ByHost.answer`."""
        if int(request.headers.get("content-length") or 0) > _LARGEST:
            return _refusal("Too large", 413)
        if request.url.path == "/":
            return Response(status_code=302, headers={"location": self.start_path(session)})
        if not self._own(request, session):
            return _refusal("Forbidden", 403)
        body = await request.body()
        entry = None
        if not _ASSETS.search(request.url.path):
            form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
            fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True) if form else []
            query = request.query_params.multi_items()
            entry = session.requests.begin(request.method, request.url.path, query, fields)
        response = await self._passed_on(request, body)
        if entry is not None:
            entry["status"] = response.status_code
        self.errors += response.status_code >= 500
        return response

    def start_path(self, session: Session) -> str:
        """Return where a session begins: OpenEMR remembers the site of the login page."""
        return f"{self._folder}/interface/login/login.php?site={session.site}"

    @property
    def _folder(self) -> str:
        """Where OpenEMR lies on its server; nothing at its root."""
        return urlsplit(self.sessions.stack.address).path

    def _own(self, request: Request, session: Session) -> bool:
        """Whether this is a page that a user of the session's site may ask for."""
        sites = request.query_params.getlist("site")
        path = request.url.path.removeprefix(self._folder)
        return not _DOORS.search(path) and all(site == session.site for site in sites)

    async def _passed_on(self, request: Request, body: bytes) -> Response:
        headers = [(name, value) for name, value in request.headers.raw if name.decode() not in _OWN_HOP]
        path = request.scope.get("raw_path") or request.url.path.encode()
        query = request.scope.get("query_string", b"")
        target = path.decode("ascii") + (f"?{query.decode('ascii')}" if query else "")
        asked = self.client.build_request(
            request.method,
            f"{self.sessions.stack.address.removesuffix(self._folder)}{target}",
            headers=headers,
            content=body,
        )
        try:
            answer = await self.client.send(asked, stream=True)
            content = b"".join(
                [part async for part in answer.aiter_raw()]
            )  # still compressed, as its headers say
            await answer.aclose()
        except httpx2.HTTPError as problem:
            return _refusal(f"OpenEMR does not answer: {type(problem).__name__}", 502)
        response = Response(content, answer.status_code)
        response.raw_headers = [
            (name.lower(), value)
            for name, value in answer.headers.raw
            if name.lower().decode() not in _OWN_HOP | {"content-length"}
        ]
        response.headers["content-length"] = str(len(content))
        return response


def _refusal(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)
