"""The public side: serves the web client, passes calls on to GNU Health, and writes down what was asked."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from hospital.sessions import Session, Sessions
from worldkit.public import ByHost

_LARGEST = 16 * 2**20  # bytes of a request
_ROOT = frozenset({"common.server.version", "common.authentication.services"})  # asked before signing in
_PATIENT = "gnuhealth.patient"
_FORM_ONLY = "diseases"  # a field that only the form of a patient reads
_TELLING = {  # columns of lists that tell what tasks ask for, by their model
    "gnuhealth.patient.disease": "short_comment",
    "gnuhealth.patient.evaluation": "systolic",
    "gnuhealth.patient.medication": "medicament",
    "party.party": "dob",
}
_KEPT = ("authorization", "content-type", "accept", "accept-language")


@dataclass
class Public(ByHost[Session]):
    """ASGI application of the public listener."""

    sessions: Sessions
    web: Path
    socket: Path

    def __post_init__(self) -> None:
        transport = httpx2.AsyncHTTPTransport(uds=str(self.socket))
        self._client = httpx2.AsyncClient(transport=transport, base_url="http://hospital", timeout=60.0)

    async def answer(self, request: Request, session: Session) -> Response:
        """See `ByHost.answer`."""
        path = request.url.path
        if request.method in ("GET", "HEAD"):
            if path.startswith(f"/avatar/{urlsafe_b64encode(session.database.encode()).decode()}/"):
                return await self._passed_on(request, b"")
            return self._file(path)
        if path == f"/{session.database}/bus":
            return _refusal("Not implemented", 501)  # the client then stops asking
        if request.method != "POST" or int(request.headers.get("content-length") or 0) > _LARGEST:
            return _refusal("Not allowed", 405)
        body = await request.body()
        try:
            call = json.loads(body)
            method, parameters = str(call["method"]), list(call["params"])
        except (ValueError, KeyError, TypeError):
            return _refusal("Not a call", 400 if path in ("/", f"/{session.database}/") else 404)
        if path == "/" and method == "common.db.list":
            return Response(
                json.dumps({"id": call.get("id"), "result": [session.database]}),
                media_type="application/json",
            )
        if path != f"/{session.database}/" and not (path == "/" and method in _ROOT):
            return _refusal("Forbidden", 403)
        return await self._called(request, session, body, method, parameters)

    async def _called(
        self, request: Request, session: Session, body: bytes, method: str, parameters: list[Any]
    ) -> Response:
        entry = session.requests.begin("POST", method, [], _told(method, parameters))
        answer = await self._passed_on(request, body)
        entry["status"] = answer.status_code
        if answer.status_code == 200:
            _note(session, method, bytes(answer.body))
        return answer

    async def _passed_on(self, request: Request, body: bytes) -> Response:
        headers = {name: request.headers[name] for name in _KEPT if name in request.headers}
        path, query = request.url.path, request.url.query
        try:
            answer = await self._client.request(
                request.method, f"{path}?{query}" if query else path, content=body, headers=headers
            )
        except httpx2.HTTPError as problem:
            self.errors += 1
            return _refusal(f"GNU Health does not answer: {type(problem).__name__}", 502)
        self.errors += answer.status_code >= 500
        kind = answer.headers.get("content-type", "application/json")
        return Response(
            answer.content, answer.status_code, {"content-type": kind, "cache-control": "no-store"}
        )

    def _file(self, path: str) -> Response:
        file = (self.web / path.lstrip("/")).resolve()
        if path == "/":
            file = self.web / "index.html"
        if not file.is_relative_to(self.web) or not file.is_file():
            return _refusal("Not found", 404)
        return FileResponse(file, headers={"cache-control": "public, max-age=3600"})


def _told(method: str, parameters: list[Any]) -> list[tuple[str, str]]:
    """Return what was asked, without passwords."""
    if method.startswith("common.db."):
        return []
    return [("params", json.dumps(parameters[:-1]))]


def _note(session: Session, method: str, answer: bytes) -> None:
    """Note who signed in, whose record was opened, and which rows were shown with what tells the answer.

    Only what GNU Health answered counts: a client may ask for anything.
    """
    if method == "common.db.login":
        session.logins.append(bool(json.loads(answer).get("result")))
    model = method.removeprefix("model.").removesuffix(".read")
    if model not in (_PATIENT, *_TELLING):
        return
    rows = json.loads(answer).get("result") or ()
    opened = [int(row["id"]) for row in rows if model == _PATIENT and _FORM_ONLY in row]
    if len(opened) == 1 and opened != session.visits[-1:]:
        session.visits += opened
    if column := _TELLING.get(model):
        table = model.replace(".", "_")
        session.readings.update((table, int(row["id"])) for row in rows if column in row)


def _refusal(text: str, status: int) -> Response:
    return PlainTextResponse(f"{text}\n", status)
