"""The control server: creates, reads and ends sessions; not reachable through the public listener."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from worldkit import PROTOCOL
from worldkit.requestlog import RequestLog

LARGEST_SEED = 2**31 - 1


class BadRequest(HTTPException):
    """Raised for an invalid request; the text says what is allowed."""

    def __init__(self, text: str) -> None:
        super().__init__(400, text)


class Session(Protocol):
    """The control server's view of one isolated session."""

    id: str
    host: str
    seed: int
    fingerprint: str
    requests: RequestLog

    @property
    def revision(self) -> int:
        """Number of writes since the start."""

    @property
    def failures(self) -> int:
        """Number of pages that failed with an internal error."""

    def state(self) -> dict[str, Any]:
        """Return the state for checks."""


S = TypeVar("S", bound=Session)


class Sessions(Protocol[S]):
    """All sessions of the process."""

    @property
    def by_id(self) -> Mapping[str, S]:
        """All sessions by id."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the applications."""

    def open(self, application: str, seed: int) -> S:
        """Start a session at a new origin."""

    def reset(self, session: S, seed: int) -> S:
        """Replace a session by a fresh one at a new origin."""

    def close(self, session: S) -> None:
        """Remove a session."""


class Public(Protocol[S]):
    """The public side."""

    errors: int

    @property
    def sessions(self) -> Sessions[S]:
        """All sessions of the process."""


@dataclass(frozen=True)
class Control(Generic[S]):
    """Handlers of the control routes; a world may add routes, and fields to a session's description.

    Attributes:
        patience: How many seconds the state waits for requests that another program has not answered yet: what an
            agent did last counts, however busy the program is.
    """

    public: Public[S]
    port: int
    version: str
    patience: ClassVar[float] = 0.0

    def application(self) -> Starlette:
        """Return the control server as an ASGI application."""
        one = "/sessions/{id}"
        routes = [
            Route("/health", self.health, methods=["GET"]),
            Route("/sessions", self.create, methods=["POST"]),
            Route(one, self.delete, methods=["DELETE"]),
            Route(f"{one}/reset", self.reset, methods=["POST"]),
            Route(f"{one}/state", self.state, methods=["GET"]),
            Route(f"{one}/idle", self.idle, methods=["GET"]),
            Route(f"{one}/requests", self.requests, methods=["GET"]),
            *self.more_routes(one),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _refusal})

    def more_routes(self, one: str) -> list[Route]:
        """Return the world's own routes; `one` is the path of a session."""
        return []

    def details(self, session: S) -> dict[str, Any]:
        """Return the world's additional fields of a session's description."""
        return {}

    async def health(self, request: Request) -> Response:
        """Report that the world is running, and how many pages failed."""
        return JSONResponse(
            {
                "ok": True,
                "protocol": PROTOCOL,
                "version": self.version,
                "applications": list(self.public.sessions.names),
                "sessions": len(self.public.sessions.by_id),
                "errors": self.public.errors,
            }
        )

    async def create(self, request: Request) -> Response:
        """Open a session."""
        wanted = await read_json(request)
        known = list(self.public.sessions.names)
        if wanted.get("application") not in known:
            raise BadRequest(f"application must be one of: {', '.join(known)}")
        session = self.public.sessions.open(wanted["application"], _seed(wanted.get("seed", 0)))
        return JSONResponse(self._description(session), 201)

    async def reset(self, request: Request) -> Response:
        """Restart a session, with its own seed unless another is given."""
        session = self.session_of(request)
        seed = _seed((await read_json(request)).get("seed", session.seed))
        return JSONResponse(self._description(self.public.sessions.reset(session, seed)))

    async def state(self, request: Request) -> Response:
        """Report the state, unless the caller already has this revision."""
        session = self.session_of(request)
        await session.requests.settle(self.patience)
        if request.query_params.get("unless") == str(session.revision):
            unchanged = {"revision": session.revision, "failures": session.failures, "unchanged": True}
            return JSONResponse(unchanged)
        return JSONResponse(session.state())

    async def idle(self, request: Request) -> Response:
        """Report whether all requests are answered and all jobs done."""
        work = await self.work(self.session_of(request))
        return JSONResponse({"idle": not work, "work": work})

    async def work(self, session: S) -> list[str]:
        """Return what the world still does for a session; a world with jobs adds those."""
        return list(session.requests.in_flight)

    async def requests(self, request: Request) -> Response:
        """Report the browser's requests."""
        return JSONResponse({"requests": self.session_of(request).requests.entries})

    async def delete(self, request: Request) -> Response:
        """End a session."""
        self.public.sessions.close(self.session_of(request))
        return Response(status_code=204)

    def session_of(self, request: Request) -> S:
        """Return the session of a route.

        Raises:
            HTTPException: The session does not exist.
        """
        session = self.public.sessions.by_id.get(request.path_params["id"])
        if session is None:
            raise HTTPException(404, "there is no session with this id")
        return session

    def _description(self, session: S) -> dict[str, Any]:
        origin = f"http://{session.host}:{self.port}"
        return {
            "id": session.id,
            "origin": origin,
            "start_url": f"{origin}/",
            "revision": session.revision,
            "fingerprint": session.fingerprint,
            "idle": True,
            **self.details(session),
        }


class Probed(Session, Protocol):
    """A session whose pages report what they show, by the probe that runs in them."""

    def probe(self) -> str:
        """Return the probe, see docs/worlds.md."""

    def reported(self, said: Any) -> None:
        """Take a report, or nothing of it; it may be any JSON value, since pages are not trusted.

        Raises:
            LookupError, TypeError, ValueError, AttributeError, ArithmeticError: It is no report of this world.
        """


P = TypeVar("P", bound=Probed)


class ProbedControl(Control[P]):
    """The control routes of a world whose pages report what they show: the driver passes their reports on."""

    def more_routes(self, one: str) -> list[Route]:
        """See `Control.more_routes`."""
        return [Route(f"{one}/report", self.report, methods=["POST"])]

    def details(self, session: P) -> dict[str, Any]:
        """See `Control.details`."""
        return {"probe": session.probe()}

    async def report(self, request: Request) -> Response:
        """Take what a page reported; whatever it is, a report is no failure of this world."""
        session = self.session_of(request)
        try:
            said = json.loads(await request.body())
            json.dumps(said, allow_nan=False, ensure_ascii=False).encode()  # else the state could not be sent
            session.reported(said)
        except (
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            ArithmeticError,
            RecursionError,
        ) as problem:
            raise BadRequest(f"no report of this world: {type(problem).__name__}") from None
        return Response(status_code=204)


async def read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request; an empty body is an empty object.

    Raises:
        BadRequest: It is not a JSON object.
    """
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
