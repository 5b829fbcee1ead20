"""The public listener: the viewer's files, the DICOMweb requests that it makes, and the reports of its probe."""

from __future__ import annotations

import mimetypes
import re
import sys
import traceback
from dataclasses import dataclass, field
from email import message_from_bytes
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from imaging import pathology, radiology, slides, viewer
from imaging.elements import Elements
from imaging.sessions import Session, Sessions
from worldkit.public import ByHost

_BOUNDARY = "tile"
_PIXELS = "application/octet-stream; transfer-syntax=1.2.840.10008.1.2.1"
_FRAME = re.compile(r"/studies/([\d.]+)/series/[\d.]+/instances/[\d.]+\.(\d+)/frames/(\d+)")
_STUDY = re.compile(r"/studies/([\d.]+)/series(?:/([\d.]+)/metadata)?")
_WHOLE = re.compile(r"/studies/([\d.]+)/series/[\d.]+/instances/([\d.]+)")
_STORED = re.compile(r"/dicom-web/studies(?:/[\d.]+)?")
_LARGEST_REPORT = 256 * 1024
_LARGEST_STORED = 1024 * 1024
_KEPT = "public, max-age=31536000, immutable"


@dataclass
class Public(ByHost[Session]):
    """ASGI application of the public listener.

    Attributes:
        build: The folder of the viewer's files.
    """

    sessions: Sessions
    build: Path
    errors: int = field(default=0, init=False)

    async def answer(self, request: Request, session: Session) -> Response:
        """See `ByHost.answer`."""
        try:
            response = await self._answer(session, request)
        except ClientDisconnect:
            raise
        except Exception:
            self.errors += 1
            session.failures += 1
            traceback.print_exc(file=sys.stderr)
            response = PlainTextResponse("Internal server error\n", 500)
        response.headers.update(viewer.HEADERS)
        return response

    async def _answer(self, session: Session, request: Request) -> Response:
        path = request.url.path
        if path.startswith("/reading-room/"):
            return await self._report(session, request)
        if request.method == "POST" and _STORED.fullmatch(path):
            return await _store(session, request)
        if request.method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed\n", 405)
        if path.startswith("/dicom-web/"):
            entry = session.requests.begin("GET", path, request.query_params.multi_items(), ())
            response = dicomweb(session, path.removeprefix("/dicom-web"), dict(request.query_params))
            entry["status"] = response.status_code
            return response
        if path == "/app-config.js":
            return self._settings(session, request)
        return self._file(path)

    async def _report(self, session: Session, request: Request) -> Response:
        """Take a report of the probe, which nobody else can seal."""
        if request.method != "POST" or request.url.path != f"/reading-room/{session.key}":
            return PlainTextResponse("Not found\n", 404)
        if len(await request.body()) > _LARGEST_REPORT:
            return PlainTextResponse("Too large\n", 413)
        session.reported(await request.json())
        return Response(status_code=204)

    def _settings(self, session: Session, request: Request) -> Response:
        """Hand the settings to the page that loads them as a script; shown as a page they would tell the key."""
        if request.headers.get("sec-fetch-dest") != "script":
            return PlainTextResponse("Not found\n", 404)
        return Response(
            viewer.settings(session.key), media_type="text/javascript", headers={"cache-control": "no-store"}
        )

    def _file(self, path: str) -> Response:
        file = (self.build / path.lstrip("/")).resolve()
        if file.is_relative_to(self.build) and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return Response(_content(file), media_type=kind, headers={"cache-control": _KEPT})
        if "." in path.rpartition("/")[2]:
            return PlainTextResponse("Not found\n", 404)
        return FileResponse(self.build / "index.html", headers={"cache-control": "no-store"})


@lru_cache
def _content(file: Path) -> bytes:
    """Return a file of the viewer; from memory, since each episode asks for the same megabytes again."""
    return file.read_bytes()


def dicomweb(session: Session, path: str, query: dict[str, str]) -> Response:
    """Answer what the viewer asks the archive."""
    if path == "/studies":
        found = [study.elements for study in session.studies.values() if matches(study.elements, query)]
        first = int(query.get("offset", 0))
        return _json(found[first : first + int(query.get("limit", 101))])
    if frame := _FRAME.fullmatch(path):
        return _tile(session, frame[1], int(frame[2]) - 1, int(frame[3]) - 1)
    if whole := _WHOLE.fullmatch(path):
        return _part(session.file(whole[1], whole[2]), "application/dicom")
    asked = _STUDY.fullmatch(path)
    instances = session.instances(asked[1]) if asked else []
    if asked and asked[2]:
        instances = [one for one in instances if one["0020000E"]["Value"] == [asked[2]]]
    if not instances or asked is None:
        return PlainTextResponse("Not found\n", 404)
    return _json(instances if asked[2] else _series(instances))


_KEYS = {
    "StudyInstanceUID": "0020000D",
    "PatientID": "00100020",
    "PatientName": "00100010",
    "AccessionNumber": "00080050",
    "StudyDescription": "00081030",
    "ModalitiesInStudy": "00080061",
    "StudyDate": "00080020",
}


def matches(elements: Elements, query: dict[str, str]) -> bool:
    """Whether a study has all that is asked for; `*` stands for anything, `-` divides the ends of a range of dates."""
    for name, wanted in query.items():
        tag = _KEYS.get(name, name)
        if tag not in _KEYS.values() or not wanted:
            continue
        values = elements[tag].get("Value", [""])
        held = str(values[0]["Alphabetic"] if tag == "00100010" else values[0]).casefold()
        if tag == "00080020" and "-" in wanted:
            first, _, last = wanted.partition("-")
            if not (first or "0") <= held <= (last or "9"):
                return False
        elif not any(_like(held, one) for one in re.split(r"[,\\]", wanted.casefold())):
            return False
    return True


def _like(held: str, wanted: str) -> bool:
    return fnmatchcase(held.replace("^", " "), wanted.replace("^", " ").replace("[", "[[]"))


def _series(instances: list[Elements]) -> list[Elements]:
    kept = ("0020000D", "0020000E", "00080060", "0008103E", "00200011", "00080021", "00080031")
    by_uid: dict[str, list[Elements]] = {}
    for one in instances:
        by_uid.setdefault(one["0020000E"]["Value"][0], []).append(one)
    return [
        {tag: held[0][tag] for tag in kept if tag in held[0]}
        | {"00201209": {"vr": "IS", "Value": [len(held)]}}
        for held in by_uid.values()
    ]


def _tile(session: Session, uid: str, level: int, frame: int) -> Response:
    study = session.studies.get(uid)
    if isinstance(study, radiology.Study):
        return _part(study.frame(level) if frame == 0 else None, _PIXELS)
    slide = study.slide if isinstance(study, pathology.Study) else None
    if not slide or not 0 <= level < len(slides.SPACING) or not 0 <= frame < slides.frames(level):
        return PlainTextResponse("Not found\n", 404)
    session.fetched(uid, level, frame)
    return _part(slides.tile(slide, level, frame), "image/jpeg")


async def _store(session: Session, request: Request) -> Response:
    """Take structured reports on studies of the archive, and nothing else."""
    head, body = request.headers.get("content-type", ""), await request.body()
    if len(body) > _LARGEST_STORED:
        return PlainTextResponse("Too large\n", 413)
    sent = message_from_bytes(b"Content-Type: " + head.encode() + b"\r\n\r\n" + body)
    parts = [part.get_payload(decode=True) for part in sent.walk()]
    kept = [session.store(content) for content in parts if isinstance(content, bytes)]
    if not kept or not all(kept):
        return PlainTextResponse("Only structured reports are kept\n", 409)
    references = [{"00081150": one["00080016"], "00081155": one["00080018"]} for one in kept if one]
    return _json({"00081199": {"vr": "SQ", "Value": references}})


def _part(content: bytes | None, media_type: str) -> Response:
    """Return the only part of an answer in several parts; without content, there is no such thing."""
    if content is None:
        return PlainTextResponse("Not found\n", 404)
    head = f"--{_BOUNDARY}\r\nContent-Type: {media_type}\r\n\r\n".encode()
    kind = f'multipart/related; type="{media_type.partition(";")[0]}"; boundary={_BOUNDARY}'
    body = head + content + f"\r\n--{_BOUNDARY}--\r\n".encode()
    return Response(body, media_type=kind, headers={"cache-control": "no-store"})


def _json(found: Any) -> Response:
    return JSONResponse(found, media_type="application/dicom+json", headers={"cache-control": "no-store"})
