"""The public listener: the viewer's files, and the one door to a session's archive. It takes no reports of the probe.

Behind the door the embedded archive answers, or Orthanc; nothing but reading and structured reports gets through.
"""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass
from email import message_from_bytes
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from imaging import embedded, viewer
from imaging.sessions import Session, Sessions
from worldkit.public import ByHost

_STORED = re.compile(r"/dicom-web/studies(?:/[\d.]+)?")
_LARGEST_STORED = 1024 * 1024
SETTINGS = viewer.settings()
_KEPT = "public, max-age=31536000, immutable"


@dataclass
class Public(ByHost[Session]):
    """ASGI application of the public listener.

    Attributes:
        build: The folder of the viewer's files.
    """

    sessions: Sessions
    build: Path

    async def answer(self, request: Request, session: Session) -> Response:
        """See `ByHost.answer`."""
        response = await self.guarded(session, self._answer(session, request))
        response.headers.update(viewer.HEADERS)
        return response

    async def _answer(self, session: Session, request: Request) -> Response:
        path = request.url.path
        if session.orthanc:
            await session.orthanc.ready()
        if request.method == "POST" and _STORED.fullmatch(path):
            return await _store(session, request)
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed\n", 405)
        if path.startswith("/dicom-web/"):
            entry = session.requests.begin("GET", path, request.query_params.multi_items(), ())
            if session.orthanc:
                response = await session.orthanc.answered(request)
            else:
                response = embedded.answered(session, path.removeprefix("/dicom-web"), request.query_params)
            entry["status"] = response.status_code
            return response
        if path == "/app-config.js":
            return Response(SETTINGS, media_type="text/javascript", headers={"cache-control": "no-store"})
        return self._file(path)

    def _file(self, path: str) -> Response:
        file = (self.build / path.lstrip("/")).resolve()
        if file.is_relative_to(self.build) and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return Response(_content(file), media_type=kind, headers={"cache-control": _KEPT})
        if "." in path.rpartition("/")[2]:
            return PlainTextResponse("Not found\n", 404)
        page = _content(self.build / "index.html")
        return Response(page, media_type="text/html", headers={"cache-control": "no-store"})


@lru_cache
def _content(file: Path) -> bytes:
    """Return a file of the viewer; from memory, since each episode asks for the same megabytes again."""
    return file.read_bytes()


async def _store(session: Session, request: Request) -> Response:
    """Take structured reports on studies of the archive, and nothing else."""
    head, body = request.headers.get("content-type", ""), await request.body()
    if len(body) > _LARGEST_STORED:
        return PlainTextResponse("Too large\n", 413)
    sent = message_from_bytes(b"Content-Type: " + head.encode() + b"\r\n\r\n" + body)
    parts = [part.get_payload(decode=True) for part in sent.walk()]
    reports = [session.acceptable(content) for content in parts if isinstance(content, bytes)]
    kept = [one for one in reports if one]
    if not kept or len(kept) < len(reports):
        return PlainTextResponse("Only structured reports are kept\n", 409)
    response = await session.orthanc.answered(request) if session.orthanc else embedded.stored(kept)
    if response.status_code >= 500:
        raise OSError(f"Orthanc did not store a report: {response.status_code}")
    if response.status_code == 200:
        for one in kept:
            session.keep(one)
    return response
