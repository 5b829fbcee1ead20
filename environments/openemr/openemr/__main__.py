"""Command line of the world program."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pymysql
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from openemr import NAME, VERSION
from openemr.address import Address
from openemr.first import sign_in
from openemr.public import Public
from openemr.seeding import SeedError
from openemr.sessions import Session, Sessions, Stack
from openemr.stack import MissingPart, Project, StackError, look
from worldkit.arguments import parser
from worldkit.control import Control
from worldkit.serving import Options, Program, serve

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / NAME


class OpenEMRControl(Control[Session]):
    """The control routes of all worlds; a session begins at OpenEMR's login page."""

    patience = 10.0

    def details(self, session: Session) -> dict[str, Any]:
        """Add the login page, and who signs in there."""
        assert isinstance(self.public, Public)
        return {
            "start_url": f"http://{session.host}:{self.port}{self.public.start_path(session)}",
            "username": session.username,
            "password": session.password,
        }

    async def create(self, request: Request) -> Response:
        """Open a session; rows that OpenEMR does not take are told in one sentence.

        A place that has to be made first takes seconds, in which the other sessions are served.
        """
        sessions = self.public.sessions
        assert isinstance(sessions, Sessions)
        try:
            if not sessions.free:
                await asyncio.to_thread(sessions.prepare)
            return await super().create(request)
        except (SeedError, pymysql.Error, OSError) as problem:
            return Response(json.dumps({"error": f"{problem}"}), 500, media_type="application/json")


def program(stack: Stack, fixtures: Path) -> tuple[Program, Sessions]:
    """Make a running OpenEMR ready to serve."""
    sessions = Sessions(stack, fixtures)
    public = Public(sessions)

    def control(port: int) -> Starlette:
        return OpenEMRControl(public, port, VERSION).application()

    return Program(NAME, VERSION, tuple(sessions.names), public, control), sessions


def main() -> int:
    """Serve until told to stop; what is missing is told on the first line, and any other trouble on stderr."""
    arguments = parser(NAME, __doc__, FIXTURES)
    arguments.add_argument(
        "--mode", type=Path, metavar="FILE", help="the address of an OpenEMR that runs already"
    )
    given = arguments.parse_args()
    try:
        if given.mode is None:
            look()
        stack = Project() if given.mode is None else Address(given.mode)
    except MissingPart as missing:
        sys.stdout.write(json.dumps({"ready": False, "missing": str(missing)}) + "\n")
        return 3
    except StackError as problem:
        return _failed(problem)
    try:
        stack.start()
        sign_in(stack)
        served, sessions = program(stack, given.fixtures)
        try:
            sessions.prepare()
            asyncio.run(serve(served, Options(given.listen, given.control, given.until_eof)))
        finally:
            sessions.end()
    except (OSError, SeedError, pymysql.Error) as problem:
        return _failed(problem)
    finally:
        stack.end()
    return 0


def _failed(problem: Exception) -> int:
    sys.stderr.write(f"{NAME}: {problem}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
