"""The control server: sessions are made, read and ended here, never on the public listener."""

from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clinic import PROTOCOL, VERSION
from clinic.public import Public
from clinic.sessions import Session

LARGEST_SEED = 2**31 - 1


class BadRequest(HTTPException):
    """The caller asked for something that is not allowed; the text names what is."""

    def __init__(self, text: str) -> None:
        super().__init__(400, text)


@dataclass(frozen=True)
class Control:
    """Handlers of the control routes."""

    public: Public
    port: int

    def application(self) -> Starlette:
        """Return the control server as an ASGI application."""
        one = "/sessions/{id}"
        routes = [
            Route("/health", self.health, methods=["GET"]),
            Route("/sessions", self.create, methods=["POST"]),
            Route(one, self.delete, methods=["DELETE"]),
            Route(f"{one}/reset", self.reset, methods=["POST"]),
            Route(f"{one}/state", self.state, methods=["GET"]),
            Route(f"{one}/requests", self.requests, methods=["GET"]),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _refusal})

    async def health(self, request: Request) -> Response:
        """Report that the world lives, and how many pages failed."""
        return JSONResponse(
            {
                "ok": True,
                "protocol": PROTOCOL,
                "version": VERSION,
                "applications": list(self.public.sessions.stages),
                "sessions": len(self.public.sessions.by_id),
                "errors": self.public.errors,
            }
        )

    async def create(self, request: Request) -> Response:
        """Open a session."""
        wanted = await _body(request)
        known = list(self.public.sessions.stages)
        if wanted.get("application") not in known:
            raise BadRequest(f"application must be one of: {', '.join(known)}")
        session = self.public.sessions.open(wanted["application"], _seed(wanted.get("seed", 0)))
        return JSONResponse(self._description(session), 201)

    async def reset(self, request: Request) -> Response:
        """Start a session over, with its own seed unless another is given."""
        session = self._session(request)
        seed = _seed((await _body(request)).get("seed", session.seed))
        return JSONResponse(self._description(self.public.sessions.reset(session, seed)))

    async def state(self, request: Request) -> Response:
        """Report the data, unless the caller already has this revision."""
        session = self._session(request)
        if request.query_params.get("unless") == str(session.revision):
            unchanged = {"revision": session.revision, "failures": session.failures, "unchanged": True}
            return JSONResponse(unchanged)
        return JSONResponse(session.state())

    async def requests(self, request: Request) -> Response:
        """Report what the browser asked for."""
        return JSONResponse({"requests": self._session(request).requests.entries})

    async def delete(self, request: Request) -> Response:
        """End a session."""
        self.public.sessions.close(self._session(request))
        return Response(status_code=204)

    def _session(self, request: Request) -> Session:
        session = self.public.sessions.by_id.get(request.path_params["id"])
        if session is None:
            raise HTTPException(404, "there is no session with this id")
        return session

    def _description(self, session: Session) -> dict[str, Any]:
        origin = f"http://{session.host}:{self.port}"
        return {
            "id": session.id,
            "origin": origin,
            "start_url": f"{origin}/",
            "revision": session.revision,
            "fingerprint": session.fingerprint,
        }


async def _body(request: Request) -> dict[str, Any]:
    if not await request.body():
        return {}
    try:
        body = await request.json()
    except ValueError:
        raise BadRequest("the body must be a JSON object") from None
    if not isinstance(body, dict):
        raise BadRequest("the body must be a JSON object")
    return body


def _seed(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_SEED:
        raise BadRequest(f"seed must be a whole number from 0 to {LARGEST_SEED}")
    return value


async def _refusal(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    return JSONResponse({"error": problem.detail}, problem.status_code)
